//! How a header begins, that of BTF and that of `.BTF.ext`.

use core::fmt;

use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

use super::format::{Word, copy};
use crate::endian::Endian;
use crate::num::{index, numbered};

/// First two bytes, as a number.
const MAGIC: u16 = 0xeb9f;
/// The only version.
const VERSION: u8 = 1;
/// Bytes of the shortest header.
const SHORTEST: usize = 24;

/// Why bytes are no header of BTF or `.BTF.ext`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum HeaderError {
    /// Fewer bytes than the shortest header has.
    TooShort {
        /// Bytes that there are.
        len: usize,
    },
    /// The first two bytes are not BTF's in either byte order.
    Magic {
        /// The bytes.
        found: [u8; 2],
    },
    /// A version that this reader does not know.
    Version {
        /// The version.
        found: u8,
    },
    /// Flags that this reader does not know.
    Flags {
        /// The flags.
        found: u8,
    },
    /// The header is shorter than any, or longer than all that there is.
    Len {
        /// What it says.
        found: u32,
        /// Bytes that there are.
        len: usize,
    },
    /// A header longer than this reader knows has more than zeros in its further fields.
    Tail {
        /// Where the first other byte is.
        offset: usize,
        /// That byte.
        found: u8,
    },
}

/// What every header begins with.
#[derive(Debug, Clone, Copy, Default, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct Start {
    magic: [u8; 2],
    version: u8,
    flags: u8,
    /// Bytes of the header, from whose end on all offsets count.
    pub(super) hdr_len: Word,
}

/// The header of BTF.
#[derive(Debug, Clone, Copy, Default, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct RawHeader {
    pub(super) start: Start,
    pub(super) type_off: Word,
    pub(super) type_len: Word,
    pub(super) str_off: Word,
    pub(super) str_len: Word,
    pub(super) layout_off: Word,
    pub(super) layout_len: Word,
}

/// The header `H`, which begins with [`Start`], and the byte order; what a shorter one has not is zero.
pub(super) fn read<H: FromBytes>(bytes: &[u8]) -> Result<(H, Endian), HeaderError> {
    let too_short = HeaderError::TooShort { len: bytes.len() };
    let short = bytes.get(..SHORTEST).ok_or(too_short)?;
    let (Start { magic, version, flags, hdr_len }, _) =
        Start::read_from_prefix(short).map_err(|_| too_short)?;
    let endian = match magic {
        _ if magic == MAGIC.to_le_bytes() => Endian::Little,
        _ if magic == MAGIC.to_be_bytes() => Endian::Big,
        _ => return Err(HeaderError::Magic { found: magic }),
    };
    if version != VERSION {
        return Err(HeaderError::Version { found: version });
    }
    if flags != 0 {
        return Err(HeaderError::Flags { found: flags });
    }
    let found = hdr_len.get(endian);
    let whole = bytes.get(..index(found)).filter(|whole| whole.len() >= SHORTEST);
    let whole = whole.ok_or(HeaderError::Len { found, len: bytes.len() })?;
    let known = size_of::<H>();
    if let Some((offset, &found)) = numbered(whole.iter()).skip(known).find(|&(_, &byte)| byte != 0) {
        return Err(HeaderError::Tail { offset, found });
    }
    let mut padded = [0; 32];
    copy(whole, &mut padded);
    match H::read_from_prefix(&padded) {
        Ok((header, _)) => Ok((header, endian)),
        Err(_) => Err(too_short),
    }
}

impl fmt::Display for HeaderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::TooShort { len } => write!(f, "{len} bytes are no header, which has 24 at least"),
            Self::Magic { found: [first, second] } => {
                write!(f, "begins with bytes {first:#04x} {second:#04x}, BTF with 0x9f 0xeb or 0xeb 0x9f")
            }
            Self::Version { found } => write!(f, "version {found}, only 1 is known"),
            Self::Flags { found } => write!(f, "flags {found:#x}, none are known"),
            Self::Len { found, len } => {
                write!(f, "hdr_len is {found:#x}: neither 24 nor more within the {len} bytes")
            }
            Self::Tail { offset, found } => {
                write!(f, "byte {offset:#x} of the header is {found:#04x} and belongs to no known field")
            }
        }
    }
}

impl core::error::Error for HeaderError {}
