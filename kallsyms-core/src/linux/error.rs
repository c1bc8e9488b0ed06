//! One variant for every way in which Linux's tables can be wrong.

use core::fmt;

/// A table of numbers, for messages: named as in the kernel, without `kallsyms_`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Part {
    /// `markers`.
    Markers,
    /// `names_offsets`.
    NamesOffsets,
    /// `token_index`.
    TokenIndex,
    /// `offsets` or `addresses`.
    Offsets,
    /// `seqs_of_names`.
    SeqsOfNames,
}

/// Why bytes are not the tables that they were said to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Error {
    /// There is no symbol.
    NoSymbols,
    /// A table is shorter than the number of symbols asks for.
    TooShort {
        /// The table.
        part: Part,
        /// Bytes that there are.
        len: usize,
        /// Bytes that are needed.
        needed: u64,
    },
    /// A token does not begin where the one before ends; the first begins at 0.
    TokenPlace {
        /// The token.
        token: u8,
        /// Where the index says that it begins.
        found: u16,
        /// Where the one before ends.
        expected: usize,
    },
    /// No NUL ends a token.
    TokenUnterminated {
        /// The token.
        token: u8,
        /// Where it begins.
        offset: usize,
    },
    /// A token has more bytes than a type and the longest name that a kernel has.
    TokenTooLong {
        /// The token.
        token: u8,
        /// Its bytes.
        len: usize,
    },
    /// A record reaches past the end of the names.
    RecordOutOfBounds {
        /// The symbol.
        symbol: u32,
        /// Where its record begins.
        offset: u64,
    },
    /// A record has no token, and so no type.
    EmptyRecord {
        /// The symbol.
        symbol: u32,
        /// Where its record begins.
        offset: u64,
    },
    /// A marker does not lead to the record of its symbol.
    BadMarker {
        /// The marker's number: 1/256 of its symbol's.
        marker: u32,
        /// Its value.
        found: u64,
        /// Where the record begins.
        expected: u64,
    },
    /// An entry of `names_offsets` does not lead to the record of its symbol.
    BadNameOffset {
        /// The symbol.
        symbol: u32,
        /// The entry.
        found: u64,
        /// Where the record begins.
        expected: u64,
    },
    /// The names can be read with lengths of either scheme, and the readings differ.
    AmbiguousLengths,
    /// An entry of `seqs_of_names` is no symbol.
    BadSeq {
        /// The name's rank.
        rank: u32,
        /// The entry.
        found: u32,
    },
    /// A symbol's address is below that of the symbol before it.
    AddressOrder {
        /// The symbol.
        symbol: u32,
        /// Its address.
        address: u64,
        /// The address of the one before.
        previous: u64,
    },
    /// A label lies outside the region that was handed over.
    LabelOutOfRegion {
        /// The label's address.
        label: u64,
        /// Address of the region's first byte.
        region: u64,
        /// Bytes of the region.
        len: usize,
    },
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Markers => "kallsyms_markers",
            Self::NamesOffsets => "kallsyms_names_offsets",
            Self::TokenIndex => "kallsyms_token_index",
            Self::Offsets => "kallsyms_offsets or kallsyms_addresses",
            Self::SeqsOfNames => "kallsyms_seqs_of_names",
        })
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::NoSymbols => f.write_str("the table has no symbols"),
            Self::TooShort { part, len, needed } => {
                write!(f, "{part} has {len} bytes, the number of symbols asks for {needed}")
            }
            Self::TokenPlace { token, found, expected } => {
                write!(f, "token {token} begins at {found:#x}, the one before it ends at {expected:#x}")
            }
            Self::TokenUnterminated { token, offset } => {
                write!(f, "token {token} at {offset:#x} has no end")
            }
            Self::TokenTooLong { token, len } => {
                write!(f, "token {token} has {len} bytes, more than any name")
            }
            Self::RecordOutOfBounds { symbol, offset } => {
                write!(f, "the name of symbol {symbol} at {offset:#x} reaches past the names")
            }
            Self::EmptyRecord { symbol, offset } => {
                write!(f, "the name of symbol {symbol} at {offset:#x} has no token")
            }
            Self::BadMarker { marker, found, expected } => {
                write!(f, "marker {marker} is {found:#x}, its name is at {expected:#x}")
            }
            Self::BadNameOffset { symbol, found, expected } => {
                write!(
                    f,
                    "the name of symbol {symbol} is at {expected:#x}, not at {found:#x} as its offset says"
                )
            }
            Self::AmbiguousLengths => {
                f.write_str("one-byte and two-byte lengths both fit the names: say which the kernel has")
            }
            Self::BadSeq { rank, found } => {
                write!(f, "name {rank} in order is said to be that of symbol {found}, which is not there")
            }
            Self::AddressOrder { symbol, address, previous } => {
                write!(
                    f,
                    "symbol {symbol} at {address:#x} stands behind one at {previous:#x}: is it the right encoding?"
                )
            }
            Self::LabelOutOfRegion { label, region, len } => {
                write!(f, "label {label:#x} lies outside the {len} bytes at {region:#x}")
            }
        }
    }
}

impl core::error::Error for Error {}
