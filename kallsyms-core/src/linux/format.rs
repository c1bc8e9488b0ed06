//! What the bytes of Linux's tables do not say themselves.

use crate::endian::Endian;

/// Bytes of a number: of a pointer, or of a marker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Width {
    /// Four.
    Bits32,
    /// Eight.
    Bits64,
}

impl Width {
    /// Bytes.
    #[must_use]
    pub const fn bytes(self) -> usize {
        match self {
            Self::Bits32 => 4,
            Self::Bits64 => 8,
        }
    }
}

/// How the address of a symbol is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Encoding {
    /// `kallsyms_addresses`: the address, as wide as a pointer. Before 4.6, and up to 6.10 where
    /// `KALLSYMS_BASE_RELATIVE` is off.
    Absolute,
    /// The base plus an unsigned offset. 4.6 to 6.14 without `KALLSYMS_ABSOLUTE_PERCPU`, and 6.15 to 6.19.
    UnsignedBase {
        /// `kallsyms_relative_base`.
        relative_base: u64,
    },
    /// An offset of 0 or more is the address; a negative one is counted from the base − 1. 4.6 to 6.14 with
    /// `KALLSYMS_ABSOLUTE_PERCPU`, as on x86-64.
    SignedPercpu {
        /// `kallsyms_relative_base`.
        relative_base: u64,
    },
    /// A signed distance from the entry's own place in memory. From 7.0 on, where the kernel is 64-bit or
    /// relocatable.
    PcRelative {
        /// Address of `kallsyms_offsets`, as the kernel runs.
        offsets_address: u64,
    },
    /// The offset is the address. From 7.0 on, 32-bit kernels that are not relocatable.
    Offset,
}

/// How the length of a name is stored in front of its tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Lengths {
    /// One byte. Up to 6.0.
    Byte,
    /// One byte, or two where the first has its highest bit set: the low seven bits first. From 6.1 on.
    ByteOrTwo,
}

/// What `seqs_of_names` is sorted by, before the address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum NameOrder {
    /// Every byte of the names. All kernels but those of the other.
    Whole,
    /// The names up to their first `.llvm.`, whatever follows it. Kernels before 6.11 that Clang built with
    /// LTO.
    WithoutLlvm,
}

/// What leads to the record of a symbol in `kallsyms_names`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Places<'a> {
    /// `kallsyms_markers`: the offset of every 256th record. `unsigned long` before 4.20, 4 bytes since.
    Markers {
        /// The markers.
        bytes: &'a [u8],
        /// Bytes of each.
        width: Width,
    },
    /// `kallsyms_names_offsets`: the offset of each record in 3 bytes. Proposed in 2026.
    Offsets {
        /// The offsets.
        bytes: &'a [u8],
        /// Their byte order, which is not that of the other numbers by necessity.
        endian: Endian,
    },
}

/// The tables as they lie in a kernel, unchecked; each may be followed by other bytes.
///
/// The names of the fields are those of the symbols without `kallsyms_`. [`Kallsyms::new`](super::Kallsyms)
/// checks them.
#[derive(Clone, Copy)]
pub struct Tables<'a> {
    /// Number of symbols.
    pub num_syms: u32,
    /// Bytes of a pointer.
    pub pointer: Width,
    /// Byte order of everything but `seqs_of_names` and `kallsyms_names_offsets`.
    pub endian: Endian,
    /// How `offsets` tells the addresses.
    pub encoding: Encoding,
    /// How lengths are stored; `None` has the check of the whole table decide.
    pub lengths: Option<Lengths>,
    /// A record a symbol: the length, then so many tokens.
    pub names: &'a [u8],
    /// Where in `names` a symbol is found.
    pub places: Places<'a>,
    /// 256 strings, each closed by a NUL.
    pub token_table: &'a [u8],
    /// 256 offsets of 2 bytes in `token_table`.
    pub token_index: &'a [u8],
    /// `kallsyms_offsets`, 4 bytes a symbol, or `kallsyms_addresses`.
    pub offsets: &'a [u8],
    /// Table index by name rank, 3 bytes a symbol, highest first; empty before 6.2, but for later releases
    /// of 6.1.
    pub seqs_of_names: &'a [u8],
    /// What `seqs_of_names` is sorted by.
    pub name_order: NameOrder,
}

impl core::fmt::Debug for Tables<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        crate::debug::debug_fields!(self, f, "Tables": num_syms pointer endian encoding lengths names places token_table token_index offsets seqs_of_names name_order)
    }
}
