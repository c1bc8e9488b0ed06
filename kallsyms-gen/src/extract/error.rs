//! One variant for every way in which a kernel's tables cannot be found.

use std::fmt;

use super::payload::{Codec, Wrapping};
use kallsyms_core::linux;

/// Why no tables came out of a file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ExtractError {
    /// The file has no byte.
    #[error("the file is empty: give a vmlinuz, an Image or a vmlinux")]
    Empty,
    /// Nothing in the file is a whole set of tables.
    #[error(
        "no kallsyms tables: {}; give a vmlinuz, Image or vmlinux of Linux 4.6 or later built with \
         CONFIG_KALLSYMS",
        Listed(attempts)
    )]
    NotFound {
        /// Where tables were looked for and what was missing there, in the order of the search.
        attempts: Vec<Attempt>,
    },
    /// Nothing in the file is BTF.
    #[error("no BTF: {}; {}", Listed(attempts), GIVE_BTF)]
    NoBtf {
        /// Where it was looked for and what was missing there, in the order of the search.
        attempts: Vec<Attempt>,
    },
    /// Bytes that BTF was looked for in are none.
    #[error("is empty: {}", GIVE_BTF)]
    EmptyOfBtf,
    /// An ELF file has no section of BTF, or nothing in it.
    #[error("no BTF: an ELF file whose section .BTF is missing or empty; {}", GIVE_BTF)]
    NoBtfSection,
    /// Names were found, but what belongs to them was not.
    #[error("incomplete kallsyms tables: {}: {}", .0.wrapping, .0.fault)]
    Incomplete(Attempt),
}

/// A place that was searched in vain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// What was unpacked to get there.
    pub wrapping: Wrapping,
    /// What was missing.
    pub fault: Fault,
}

/// What a place lacks.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// A boot header leads past the end of the file.
    #[error("the boot header places the payload at {offset:#x} with {size:#x} bytes, the file has {len:#x}")]
    PayloadOutOfBounds {
        /// Offset of the payload.
        offset: usize,
        /// Bytes of the payload.
        size: usize,
        /// Bytes of the file.
        len: usize,
    },
    /// A payload does not decompress.
    #[error("{codec} data that does not decompress: {reason}")]
    Compressed {
        /// How it is compressed.
        codec: Codec,
        /// What the decompressor says.
        reason: String,
    },
    /// A payload is larger than any kernel.
    #[error("{codec} data that unpacks to more than is left of 512 MiB: no kernel is so large")]
    TooLarge {
        /// How it is compressed.
        codec: Codec,
    },
    /// An ELF file that cannot be read.
    #[error("damaged ELF file: {reason}")]
    Elf {
        /// What is wrong.
        reason: String,
    },
    /// No token table with its index.
    #[error("no token_table (256 strings, then the offset of each in 2 bytes) in {searched} bytes")]
    NoTokens {
        /// Bytes that were searched.
        searched: usize,
    },
    /// Neither a section of BTF nor BTF by its header.
    #[error("no section .BTF and no BTF by its header in {searched} bytes")]
    NoBtf {
        /// Bytes that were searched.
        searched: usize,
    },
    /// Tokens without names.
    #[error("token_table at {token_table:#x}, but no num_syms, names and markers before it that agree")]
    NoNames {
        /// Offset of the token table.
        token_table: usize,
    },
    /// Names without addresses.
    #[error(
        "{num_syms} names at {names:#x}, but no offsets or addresses that ascend where a kernel up to 6.3, \
         6.4 to 6.19, or from 7.0 on has them"
    )]
    NoAddresses {
        /// Offset of the names.
        names: usize,
        /// Symbols.
        num_syms: u32,
    },
    /// More than one reading of the addresses.
    #[error("{num_syms} names at {names:#x}, whose addresses can be read as {}", readings.join(" and as "))]
    Ambiguous {
        /// Offset of the names.
        names: usize,
        /// Symbols.
        num_syms: u32,
        /// The readings.
        readings: Vec<String>,
    },
    /// A base that only the boot code fills.
    #[error(
        "relative_base at {at:#x} is zero, and neither a relocation nor the kernel's own pointers tell its value: \
         give the vmlinux"
    )]
    NoRelativeBase {
        /// Offset of the base.
        at: usize,
    },
    /// Offsets from a place whose address is not known.
    #[error(
        "offsets at {at:#x} count from their own place, and nothing tells its address: the file has no segments, and \
         the kernel's pointers do not settle it: give the vmlinux"
    )]
    NoLinkAddress {
        /// Offset of the offsets.
        at: usize,
    },
    /// More than one whole set of tables.
    #[error("{} sets of tables, the names at {}", names.len(), Offsets(names))]
    Several {
        /// Offsets of the names.
        names: Vec<usize>,
    },
    /// The tables are found, and the check of the whole refuses them.
    #[error("names at {names:#x}, but the tables are not sound: {reason}")]
    Unsound {
        /// Offset of the names.
        names: usize,
        /// What is wrong.
        reason: linux::Error,
    },
}

impl Fault {
    /// Whether names were found: then the search is at its end, for no kernel holds another.
    pub(super) fn has_names(&self) -> bool {
        match self {
            Self::PayloadOutOfBounds { .. }
            | Self::Compressed { .. }
            | Self::TooLarge { .. }
            | Self::Elf { .. }
            | Self::NoTokens { .. }
            | Self::NoBtf { .. }
            | Self::NoNames { .. } => false,
            Self::NoAddresses { .. }
            | Self::Ambiguous { .. }
            | Self::NoRelativeBase { .. }
            | Self::NoLinkAddress { .. }
            | Self::Several { .. }
            | Self::Unsound { .. } => true,
        }
    }
}

/// What to do about a file without BTF.
const GIVE_BTF: &str =
    "give BTF itself, an ELF file with a section .BTF, or a Linux kernel built with CONFIG_DEBUG_INFO_BTF";

/// As many attempts as a message has room for.
const LISTED: usize = 6;

struct Listed<'a>(&'a [Attempt]);

impl fmt::Display for Listed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, attempt) in self.0.iter().take(LISTED).enumerate() {
            let separator = if number == 0 { "" } else { "; " };
            write!(f, "{separator}{}: {}", attempt.wrapping, attempt.fault)?;
        }
        match self.0.len().saturating_sub(LISTED) {
            0 => Ok(()),
            more => write!(f, "; and {more} more places"),
        }
    }
}

struct Offsets<'a>(&'a [usize]);

impl fmt::Display for Offsets<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, offset) in self.0.iter().take(LISTED).enumerate() {
            write!(f, "{}{offset:#x}", if number == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}
