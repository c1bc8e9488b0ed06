//! The pipeline's end: symbols → table → the same table, reopened and asked for everything.

use crate::compress::{Profile, Progress};
use crate::encode::{EncodeError, encode, encode_untrained};
use crate::linux::write::{self, WriteError, own_symbols};
use crate::linux::{self, Tables};
use crate::symbols::Symbols;
use crate::verify::{Mismatch, verify, verify_linux};

/// Why no table came out.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// An image cannot hold the symbols.
    #[error(transparent)]
    Encode(#[from] EncodeError),
    /// Linux's tables cannot hold the symbols.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The table does not answer as it should: a fault of the generator.
    #[error("the table failed its own check, please report this")]
    Verify(#[from] Mismatch),
}

/// Builds the image of these symbols and checks it with the runtime before it is handed out.
///
/// # Errors
///
/// [`BuildError`]; no bytes are returned then.
pub fn build(
    symbols: &Symbols,
    profile: Profile,
    progress: &mut Progress<'_>,
) -> Result<Vec<u8>, BuildError> {
    checked(encode(symbols, profile, progress)?, symbols)
}

/// The same without training: for an image that is asked a few questions and dropped.
///
/// # Errors
///
/// As [`build`].
pub fn build_untrained(symbols: &Symbols) -> Result<Vec<u8>, BuildError> {
    checked(encode_untrained(symbols)?, symbols)
}

/// Writes Linux's tables of the kernel's own symbols and checks them with the runtime.
///
/// # Errors
///
/// [`BuildError`]; nothing is returned then.
pub fn build_linux(symbols: &Symbols, options: &write::Options) -> Result<Tables, BuildError> {
    let symbols = own_symbols(symbols);
    let tables = linux::write(&symbols, options)?;
    verify_linux(&tables, &symbols)?;
    Ok(tables)
}

fn checked(image: Vec<u8>, symbols: &Symbols) -> Result<Vec<u8>, BuildError> {
    verify(&image, symbols)?;
    Ok(image)
}
