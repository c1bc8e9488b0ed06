//! BTF out of everything that can hold it.

use std::fmt;

use crate::extract::{ExtractError, ExtractedBtf, extract_btf};

/// BTF, and where it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The BTF; it is not checked, for it may be split.
    pub bytes: Vec<u8>,
    /// The `.BTF.ext` beside it.
    pub ext: Option<Vec<u8>>,
    /// Where it was.
    pub origin: Origin,
}

/// Where BTF was in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Origin {
    /// The file is BTF.
    Whole,
    /// As these words say: `section .BTF at 0x1000 of the gzip payload at 0x4000`.
    Within(String),
}

impl Source {
    /// Takes BTF as it is, and otherwise out of an ELF file or a Linux kernel, packed or not.
    ///
    /// # Errors
    ///
    /// As [`extract_btf`].
    pub fn read(bytes: Vec<u8>) -> Result<Self, ExtractError> {
        if is_btf(&bytes) {
            return Ok(Self { bytes, ext: None, origin: Origin::Whole });
        }
        let found: ExtractedBtf = extract_btf(&bytes)?;
        let origin = Origin::Within(found.to_string());
        Ok(Self { bytes: found.btf.bytes, ext: found.btf.ext, origin })
    }
}

/// Whether a file begins as BTF does, in either byte order.
#[must_use]
pub fn is_btf(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0x9f, 0xeb]) || bytes.starts_with(&[0xeb, 0x9f])
}

/// As the end of a message's prefix: nothing, or `: section .BTF at 0x1000`.
impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole => Ok(()),
            Self::Within(place) => write!(f, ": {place}"),
        }
    }
}
