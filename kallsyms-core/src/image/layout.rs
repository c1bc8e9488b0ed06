//! The image byte by byte: the contract between the generator, which writes it, and the views, which read it.
//!
//! Prose with every bound and rule: `docs/format.md`. All integers are little-endian and may stand at any
//! alignment. A change to anything here bumps [`VERSION`].

use crate::num::{byte, index};
use static_assertions::{const_assert, const_assert_eq};
use zerocopy::little_endian::{U16, U32, U64};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

/// First bytes of every image and of every reservation that waits for one.
pub const MAGIC: [u8; 8] = *b"KALLSYM\x1a";

/// Format version that this crate reads and writes; 0 marks a reservation that nothing was embedded in.
pub const VERSION: u16 = 1;

/// Every section starts at a multiple of this many bytes from the start of the image.
pub const SECTION_ALIGN: usize = 64;

/// Zero bytes that end every bit-packed section, counted in its length: a reader may load 8 bytes at any bit.
pub const BIT_PADDING: usize = 8;

/// Symbols in a block, and so in a record.
pub const BLOCK_SYMBOLS: u32 = 16;

/// Longest name in bytes, the type character not counted.
pub const MAX_NAME: usize = 1 << 20;

/// Most codes that a reader takes for one name: each stands for a byte at least, so that these are one more
/// than the longest name has with its type.
pub const MAX_CODES: u32 = (1 << 20) + 2;

/// Longest expansion of one token in bytes.
pub const MAX_TOKEN: usize = 255;

/// Deepest nesting of a token of a nested dictionary: a literal has depth 1.
pub const MAX_NESTING: usize = 16;

/// Narrowest and widest code in bits.
pub const CODE_BITS: core::ops::RangeInclusive<u8> = 8..=16;

/// Widest fingerprint in bits.
pub const MAX_FINGERPRINT_BITS: u8 = 16;

/// Longest prefix string in bytes.
pub const MAX_PREFIX: usize = 16;

/// Longest build id in bytes.
pub const MAX_BUILD_ID: usize = 32;

/// Most section table entries that a reader accepts.
pub const MAX_SECTIONS: u32 = 32;

/// In [`SizeException::parent`]: no enclosing symbol.
pub const NO_PARENT: u32 = u32::MAX;

/// Gap nibble whose symbol may have a [`SizeException`]; without one the gap is 15 bytes.
pub const GAP_ESCAPE: u8 = 15;

/// Bits of [`Header::flags`].
pub mod flags {
    /// Blocks are [`WideBlock`](super::WideBlock)s: the span from the link base exceeds 4 GiB.
    pub const WIDE_BLOCKS: u32 = 1 << 0;
    /// Tokens are [`NestedToken`](super::NestedToken)s and there is no `TOKEN_BYTES` section.
    pub const NESTED_TOKENS: u32 = 1 << 1;
    /// `covered_last` is the true end of the last symbol, so its size is known.
    pub const END_KNOWN: u32 = 1 << 2;
    /// Hints are 32 bits wide, not 16: there are more than 65,535 blocks.
    pub const WIDE_HINTS: u32 = 1 << 3;
    /// All bits that this version defines.
    pub const ALL: u32 = WIDE_BLOCKS | NESTED_TOKENS | END_KNOWN | WIDE_HINTS;
}

/// Fixed part of the image, at offset 0; `section_count` [`SectionEntry`]s follow it.
#[derive(Clone, Copy, FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned)]
#[repr(C)]
pub struct Header {
    /// [`MAGIC`].
    pub magic: [u8; 8],
    /// [`VERSION`].
    pub version: U16,
    /// Bytes of this header and the section table.
    pub header_len: U16,
    /// CRC-32 (IEEE 802.3, reflected) over `image_len` bytes with this field as zero.
    pub crc32: U32,
    /// Bytes of the image; a reservation around it is longer.
    pub image_len: U32,
    /// Symbols, at least 1.
    pub symbol_count: U32,
    /// Distinct names.
    pub name_count: U32,
    /// Symbols of type A or a below `link_base`: the leading run of the table. A slide never moves them.
    pub leading_absolute: U32,
    /// Address that block bases of all later symbols count from: the lowest address of a non-absolute
    /// symbol.
    pub link_base: U64,
    /// Last address (inclusive) that belongs to the last symbol.
    pub covered_last: U64,
    /// [`flags`].
    pub flags: U32,
    /// Hexadecimal digits of an address in a listing: 8 or 16.
    pub address_digits: u8,
    /// Bits of a name code: [`CODE_BITS`].
    pub code_bits: u8,
    /// Bits of a fingerprint in an index entry: 0 to [`MAX_FINGERPRINT_BITS`].
    pub fingerprint_bits: u8,
    /// [`HashId`](super::hash::HashId).
    pub hash_id: u8,
    /// Seed of the name hash.
    pub hash_seed: U64,
    /// Entries of the `TOKENS` section, at most 1 << `code_bits`.
    pub token_count: U32,
    /// Slots of the perfect hash, at least `name_count`.
    pub slot_count: U32,
    /// Buckets (pilots) of the perfect hash.
    pub bucket_count: U32,
    /// A hint covers 1 << `hint_shift` bytes of address space.
    pub hint_shift: u8,
    /// Bytes of a duplicate link in a record: 1 to 4.
    pub link_bytes: u8,
    /// Bytes of `prefix` in use.
    pub prefix_len: u8,
    /// Bytes of `build_id` in use.
    pub build_id_len: u8,
    /// Prefix string that a symbol with count 0 drops from the name before it.
    pub prefix: [u8; MAX_PREFIX],
    /// Build id of the kernel that the table was made from.
    pub build_id: [u8; MAX_BUILD_ID],
    /// Entries of the section table, at most [`MAX_SECTIONS`].
    pub section_count: U32,
    /// Zero.
    pub reserved: U32,
}

impl core::fmt::Debug for Header {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        crate::debug::debug_fields!(self, f, "Header": magic version header_len crc32 image_len symbol_count name_count leading_absolute link_base covered_last flags address_digits code_bits fingerprint_bits hash_id hash_seed token_count slot_count bucket_count hint_shift link_bytes prefix_len build_id_len prefix build_id section_count reserved)
    }
}

/// One line of the section table.
#[derive(Debug, Clone, Copy, FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned)]
#[repr(C)]
pub struct SectionEntry {
    /// [`SectionKind`] as a number; a reader skips kinds that it does not know.
    pub kind: U32,
    /// Bytes from the start of the image, a multiple of [`SECTION_ALIGN`].
    pub offset: U32,
    /// Bytes, [`BIT_PADDING`] included where the section has it.
    pub len: U32,
}

/// What a section holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u32)]
#[non_exhaustive]
pub enum SectionKind {
    /// One [`Block`] or [`WideBlock`] for every 16 symbols.
    Blocks = 1,
    /// `u16` or `u32` block numbers: hint k = hinted blocks whose base >> `hint_shift` is below k.
    Hints = 2,
    /// Records of the blocks, back to back; bit-packed.
    Records = 3,
    /// One [`Token`] or [`NestedToken`] a code.
    Tokens = 4,
    /// Bytes that [`Token`]s point into.
    TokenBytes = 5,
    /// One byte a bucket of the perfect hash.
    Pilots = 6,
    /// One entry a slot: symbol index, then fingerprint; bit-packed.
    Index = 7,
    /// One nibble a symbol: bytes between the symbol's end and the next different address, or [`GAP_ESCAPE`].
    Gaps = 8,
    /// [`SizeException`]s in rising order of their symbols.
    SizeExceptions = 9,
    /// [`ModuleRun`]s in rising order of their first symbols.
    ModuleRuns = 10,
    /// Module names, each a length byte and that many bytes.
    ModuleNames = 11,
}

impl SectionKind {
    /// Every kind of this version, in the order of the numbers.
    pub const ALL: [Self; 11] = [
        Self::Blocks,
        Self::Hints,
        Self::Records,
        Self::Tokens,
        Self::TokenBytes,
        Self::Pilots,
        Self::Index,
        Self::Gaps,
        Self::SizeExceptions,
        Self::ModuleRuns,
        Self::ModuleNames,
    ];

    /// The kind of this number in a section table; `None` for one of a later version.
    #[must_use]
    pub fn from_number(number: u32) -> Option<Self> {
        Self::ALL.get(index(number.checked_sub(1)?)).copied()
    }

    /// Its place in [`ALL`](Self::ALL): the numbers begin at 1.
    #[expect(clippy::as_conversions, reason = "the number of a unit variant")]
    pub(crate) const fn place(self) -> usize {
        index((self as u32).wrapping_sub(1))
    }
}

/// Where 16 symbols start and where their record is.
#[derive(Debug, Clone, Copy, FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned)]
#[repr(C)]
pub struct Block {
    /// Address of the block's first symbol: from `link_base`, or from 0 if the first symbol is in the
    /// leading absolute run.
    pub base: U32,
    /// Bytes from the start of the records section.
    pub record: U32,
}

/// [`Block`] for a span above 4 GiB.
#[derive(Debug, Clone, Copy, FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned)]
#[repr(C)]
pub struct WideBlock {
    /// As [`Block::base`].
    pub base: U64,
    /// As [`Block::record`].
    pub record: U32,
}

/// A token that stands in the token bytes as it expands.
#[derive(Debug, Clone, Copy, FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned)]
#[repr(C)]
pub struct Token {
    /// Offset << 8 | length.
    pub place: U32,
}

/// A token that is two other tokens, or one byte.
#[derive(Debug, Clone, Copy, FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned)]
#[repr(C)]
pub struct NestedToken {
    /// Code of the first half; the token's own code marks a literal byte.
    pub left: U16,
    /// Code of the second half, or the literal byte.
    pub right: U16,
}

/// Size of a symbol that a gap nibble cannot tell.
#[derive(Debug, Clone, Copy, FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned)]
#[repr(C)]
pub struct SizeException {
    /// Symbol index.
    pub symbol: U32,
    /// Symbol that answers past this one's end, or [`NO_PARENT`].
    pub parent: U32,
    /// Bytes from the symbol's start to its end.
    pub size: U64,
}

/// From here on, until the next run, symbols belong to this module.
#[derive(Debug, Clone, Copy, FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned)]
#[repr(C)]
pub struct ModuleRun {
    /// Symbol index.
    pub first: U32,
    /// Offset of the name in the module names; a name of length 0 means no module.
    pub name: U32,
}

/// First byte of a record. After it stand 16 deltas, 16 counts, the links if there are any, and the codes.
///
/// Links are a `u16` whose bit j says that symbol j of the block has one, then `link_bytes` bytes each: the
/// index of the next symbol of the same name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordHead(pub u8);

impl RecordHead {
    /// Largest shift.
    pub const MAX_SHIFT: u32 = 7;

    /// Packs the four fields: log2 of a delta's bytes (0 to 3), log2 of a count's nibbles (0 to 3), the
    /// deltas' shift (0 to 7), links or none.
    #[must_use]
    pub const fn new(delta_width: u8, count_width: u8, shift: u8, links: bool) -> Self {
        Self((delta_width & 3) | (count_width & 3) << 2 | (shift & 7) << 4 | if links { 0x80 } else { 0 })
    }

    /// Log2 of a delta's width in bytes: 0 to 3.
    #[must_use]
    pub const fn delta_width(self) -> u32 {
        byte(self.0 & 3)
    }

    /// Log2 of a count's width in nibbles: 0 to 3, for 4, 8, 16 and 32 bits.
    #[must_use]
    pub const fn count_width(self) -> u32 {
        byte(self.0 >> 2 & 3)
    }

    /// Deltas are in units of 1 << shift bytes.
    #[must_use]
    pub const fn shift(self) -> u32 {
        byte(self.0 >> 4 & 7)
    }

    /// Whether links follow the counts.
    #[must_use]
    pub const fn has_links(self) -> bool {
        self.0 >> 7 != 0
    }
}

/// Bits that hold any symbol index of a table of `symbol_count` symbols: the first part of an index entry.
#[must_use]
pub const fn index_bits(symbol_count: u32) -> u32 {
    match symbol_count {
        0..=2 => 1,
        n => u32::BITS.wrapping_sub(n.wrapping_sub(1).leading_zeros()),
    }
}

const_assert_eq!(size_of::<Header>(), 136);
const_assert_eq!(size_of::<SectionEntry>(), 12);
const_assert_eq!(size_of::<Block>(), 8);
const_assert_eq!(size_of::<WideBlock>(), 12);
const_assert_eq!(size_of::<Token>(), 4);
const_assert_eq!(size_of::<NestedToken>(), 4);
const_assert_eq!(size_of::<SizeException>(), 16);
const_assert_eq!(size_of::<ModuleRun>(), 8);
const_assert!(SectionKind::ALL.len() <= index(MAX_SECTIONS));
