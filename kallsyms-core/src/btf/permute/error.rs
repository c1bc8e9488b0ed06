//! Why types cannot be put into another order.

use core::fmt;

use super::super::type_id::TypeId;

/// Why there is no [`Permutation`](super::Permutation), or why a BTF cannot follow it.
///
/// An `offset` counts bytes from the start of the BTF.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum PermuteError {
    /// The room for the permutation is too short.
    RoomTooShort {
        /// Words that there are.
        len: usize,
        /// Words that are needed: [`Permutation::words`](super::Permutation::words).
        needed: usize,
    },
    /// The map has not one entry for every type.
    MapLen {
        /// Entries that there are.
        found: usize,
        /// Own types, and `void` where there is no base.
        needed: usize,
    },
    /// The first entry of the map, where there is no base, is that of `void`, which stays 0.
    VoidMoved {
        /// The entry.
        found: u32,
    },
    /// An entry of the map is the number of no own type.
    OutOfRange {
        /// Which entry.
        index: usize,
        /// The entry.
        found: u32,
        /// The first own type.
        start: TypeId,
        /// The one behind the last.
        end: TypeId,
    },
    /// An entry of the map is the same as one before it.
    MappedTwice {
        /// Which entry.
        index: usize,
        /// The entry.
        found: u32,
    },
    /// The permutation was made for a BTF with other types.
    OtherTypes,
    /// The buffer for the new BTF is too short.
    OutTooShort {
        /// Bytes that there are.
        len: usize,
        /// Bytes that are needed: as many as the BTF has.
        needed: usize,
    },
    /// A type of a later kind: the layout section tells its length, but not where it refers to others.
    UnknownKind {
        /// The type.
        id: TypeId,
        /// Where its record begins.
        offset: usize,
        /// Number of the kind.
        found: u8,
    },
    /// A type refers to one that is not there.
    NoSuchType {
        /// The type.
        id: TypeId,
        /// Where the reference stands.
        offset: usize,
        /// What it refers to.
        found: TypeId,
    },
}

impl fmt::Display for PermuteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::RoomTooShort { len, needed } => {
                write!(f, "{len} words of room, a permutation of these types takes {needed}")
            }
            Self::MapLen { found, needed } => write!(f, "the map has {found} entries, not {needed}"),
            Self::VoidMoved { found } => write!(f, "entry 0 of the map, that of void, is {found}, not 0"),
            Self::OutOfRange { index, found, start, end } => {
                write!(f, "entry {index} of the map is {found}, neither {start} nor above it and below {end}")
            }
            Self::MappedTwice { index, found } => {
                write!(f, "entry {index} of the map is {found}, as one before it")
            }
            Self::OtherTypes => f.write_str("the permutation is one of other types"),
            Self::OutTooShort { len, needed } => {
                write!(f, "{len} bytes are too few for the new BTF, which has {needed} as the old")
            }
            Self::UnknownKind { id, offset, found } => write!(
                f,
                "type {id} at {offset:#x} is of kind {found}: where such a type refers to others is not known"
            ),
            Self::NoSuchType { id, offset, found } => {
                write!(f, "type {id} refers at {offset:#x} to type {found}, which is not there")
            }
        }
    }
}

impl core::error::Error for PermuteError {}
