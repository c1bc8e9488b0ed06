//! Why a `.BTF.ext` cannot follow.

use core::fmt;

use super::super::header::HeaderError;
use super::super::type_id::TypeId;

/// A section of `.BTF.ext`, for messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum ExtSection {
    /// The type of each function.
    FuncInfo,
    /// The source line of instructions.
    LineInfo,
    /// The types that instructions reach into, for relocation.
    CoreRelo,
}

/// Why bytes are no `.BTF.ext` whose types can be followed.
///
/// An `offset` counts bytes from their start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum ExtError {
    /// The header cannot be read. One that is longer than known has a section whose types, if it has any,
    /// cannot be followed.
    Header(HeaderError),
    /// A section ends behind the last byte.
    SectionOutOfBounds {
        /// The section.
        section: ExtSection,
        /// Where it ends.
        end: u64,
        /// Bytes that there are.
        len: usize,
    },
    /// Two sections have bytes in common.
    Overlap {
        /// The section that begins first.
        first: ExtSection,
        /// The other.
        second: ExtSection,
    },
    /// The records of a section are shorter than they can be.
    RecordSize {
        /// The section.
        section: ExtSection,
        /// Where the number stands.
        offset: usize,
        /// Bytes of a record.
        found: u32,
        /// Bytes that it has at least.
        least: u32,
    },
    /// The records about one section of the program reach past the end of their own.
    RecordsOutOfBounds {
        /// The section.
        section: ExtSection,
        /// Where they begin, with the words in front of them.
        offset: usize,
        /// Bytes that they have.
        len: u64,
        /// Bytes that are left.
        left: usize,
    },
    /// A record refers to a type that is not there.
    NoSuchType {
        /// The section.
        section: ExtSection,
        /// Where the reference stands.
        offset: usize,
        /// What it refers to.
        found: TypeId,
    },
    /// The buffer for the new bytes is too short.
    OutTooShort {
        /// Bytes that there are.
        len: usize,
        /// Bytes that are needed: as many as the `.BTF.ext` has.
        needed: usize,
    },
}

impl fmt::Display for ExtSection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::FuncInfo => "func_info",
            Self::LineInfo => "line_info",
            Self::CoreRelo => "core_relo",
        })
    }
}

impl fmt::Display for ExtError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Header(error) => fmt::Display::fmt(&error, f),
            Self::SectionOutOfBounds { section, end, len } => {
                write!(f, "{section} ends at {end:#x}, behind the {len:#x} bytes that there are")
            }
            Self::Overlap { first, second } => write!(f, "{second} begins before {first} ends"),
            Self::RecordSize { section, offset, found, least } => {
                write!(
                    f,
                    "{section} has records of {found} bytes, as it says at {offset:#x}, not {least} or more"
                )
            }
            Self::RecordsOutOfBounds { section, offset, len, left } => {
                write!(f, "the records of {section} at {offset:#x} have {len} bytes, {left} are left of it")
            }
            Self::NoSuchType { section, offset, found } => {
                write!(f, "{section} refers at {offset:#x} to type {found}, which is not there")
            }
            Self::OutTooShort { len, needed } => {
                write!(f, "{len} bytes are too few for the new .BTF.ext, which has {needed} as the old")
            }
        }
    }
}

impl core::error::Error for ExtError {}

impl From<HeaderError> for ExtError {
    fn from(error: HeaderError) -> Self {
        Self::Header(error)
    }
}
