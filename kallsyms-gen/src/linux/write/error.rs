//! One variant for every way in which symbols do not fit into Linux's tables.

use crate::linux::AddressForm;

/// Why no tables came out.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// No symbol is left.
    #[error("no symbol is left: Linux's tables hold none of modules; give the symbols of the kernel itself")]
    NoSymbols,
    /// More symbols than the tables can count.
    #[error(
        "{symbols} symbols, at most {most} are possible: leave out symbols, or `seqs_of_names` (--no-seqs)"
    )]
    TooManySymbols {
        /// Symbols to be written.
        symbols: usize,
        /// How many there may be.
        most: usize,
    },
    /// A name without bytes, by which nothing is found.
    #[error("symbol {index} at {address:#x}: its name is empty: rename it or leave it out")]
    EmptyName {
        /// Place of the symbol.
        index: usize,
        /// Its address.
        address: u64,
    },
    /// A name that no buffer of Linux can hold.
    #[error(
        "symbol {index} `{name}`: a name of {len} bytes, Linux holds at most {most}: rename it or leave it out"
    )]
    NameTooLong {
        /// Place of the symbol.
        index: usize,
        /// The start of the name, made printable.
        name: String,
        /// Its bytes.
        len: usize,
        /// How many there may be.
        most: usize,
    },
    /// A name or a type with a NUL, which ends a token.
    #[error(
        "symbol {index} `{name}` or its type holds a NUL byte, which ends a token: rename it or leave it out"
    )]
    Nul {
        /// Place of the symbol.
        index: usize,
        /// The start of the name, made printable.
        name: String,
    },
    /// A record that a length of one byte cannot tell.
    #[error(
        "symbol {index} `{name}` takes {tokens} tokens, a length of one byte tells at most 255: write lengths of one \
         or two bytes (--lengths byte-or-two)"
    )]
    RecordTooLong {
        /// Place of the symbol.
        index: usize,
        /// The start of the name, made printable.
        name: String,
        /// Tokens of its record.
        tokens: usize,
    },
    /// An address that the encoding cannot hold.
    #[error(
        "symbol {index} `{name}` at {address:#x} is out of the reach of `{}` (from {lowest:#x} to {highest:#x}): \
         choose another encoding (--encoding absolute holds every address of a pointer)", form.name()
    )]
    AddressOutOfReach {
        /// Place of the symbol.
        index: usize,
        /// The start of the name, made printable.
        name: String,
        /// Its address.
        address: u64,
        /// How addresses were to be stored.
        form: AddressForm,
        /// Lowest address that the entry can hold.
        lowest: u64,
        /// Highest address that the entry can hold.
        highest: u64,
    },
    /// An address that is wider than a pointer.
    #[error("symbol {index} `{name}` at {address:#x} needs pointers of 64 bits (--pointer-bits 64)")]
    AddressTooWide {
        /// Place of the symbol.
        index: usize,
        /// The start of the name, made printable.
        name: String,
        /// Its address.
        address: u64,
    },
    /// The names are longer than their offsets can tell.
    #[error("the names reach to {bytes} bytes, their offsets tell at most {most}: {hint}")]
    NamesTooLong {
        /// Offset of the last record, or bytes of all names before they are compressed.
        bytes: usize,
        /// What can be told.
        most: usize,
        /// What to do.
        hint: &'static str,
    },
    /// The tokens are longer than their index can tell.
    #[error(
        "the tokens take {bytes} bytes, their index tells at most 65535: leave out long names that repeat"
    )]
    TokensTooLong {
        /// Bytes of the token table.
        bytes: usize,
    },
}
