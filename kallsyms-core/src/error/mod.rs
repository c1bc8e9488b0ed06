//! One variant for every way in which an image can be wrong.

mod text;

use crate::image::layout::SectionKind;

/// Why bytes are not an image, or not a sound one.
///
/// [`Image::open`](crate::Image::open) and [`Image::parse`](crate::Image::parse) return the first group,
/// [`Image::verify`](crate::Image::verify) the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Error {
    /// Fewer bytes than a header takes.
    TooShort {
        /// Bytes that there are.
        len: usize,
        /// Bytes that the header needs.
        needed: usize,
    },
    /// The reservation is there, but no table was embedded in it.
    NotEmbedded,
    /// The first 8 bytes are not the magic.
    BadMagic {
        /// What stands in its place.
        found: [u8; 8],
    },
    /// A format version that this reader does not know.
    UnsupportedVersion {
        /// The version in the header.
        found: u16,
    },
    /// The header says that the image is longer than the bytes.
    Truncated {
        /// Bytes that the header says.
        image_len: u32,
        /// Bytes that there are.
        len: usize,
    },
    /// A header field holds a value that is not allowed.
    BadField {
        /// The field.
        field: Field,
        /// Its value.
        value: u64,
    },
    /// The header and the section table do not have the length that the header says.
    HeaderLength {
        /// The length in the header.
        header_len: u16,
        /// The number of sections in the header, 12 bytes each behind the first 136.
        section_count: u32,
    },
    /// A section reaches past the end of the image.
    SectionOutOfBounds {
        /// The section.
        section: SectionKind,
        /// Its offset in the image.
        offset: u32,
        /// Its bytes.
        len: u32,
        /// Bytes of the image.
        image_len: u32,
    },
    /// A section does not start at a multiple of 64 bytes.
    SectionMisaligned {
        /// The section.
        section: SectionKind,
        /// Its offset in the image.
        offset: u32,
    },
    /// A section that the header's counts ask for is not there.
    SectionMissing {
        /// The section.
        section: SectionKind,
    },
    /// A section stands in the section table twice.
    SectionRepeated {
        /// The section.
        section: SectionKind,
    },
    /// A section's length does not fit the header's counts.
    SectionLength {
        /// The section.
        section: SectionKind,
        /// Its bytes.
        len: u32,
        /// Bytes that the counts ask for; for records and token bytes the least that any table has.
        expected: u64,
    },
    /// The checksum over the image differs from the stored one.
    Checksum {
        /// The checksum in the header.
        stored: u32,
        /// The checksum of the bytes.
        computed: u32,
    },

    /// A record lies outside the records section.
    BadRecord {
        /// The block that it belongs to.
        block: u32,
        /// Its offset in the section.
        offset: u32,
    },
    /// A record does not begin where the one before it ends.
    RecordOrder {
        /// The block that it belongs to.
        block: u32,
        /// Its offset in the section.
        offset: u32,
        /// The end of the one before.
        expected: u64,
    },
    /// The first delta of a block is not 0.
    FirstDelta {
        /// The block.
        block: u32,
    },
    /// A delta behind the last symbol's is not all ones: a reader would take its place for a symbol.
    SpareDelta {
        /// The last block.
        block: u32,
    },
    /// A delta's shift drops bits.
    DeltaOverflow {
        /// The symbol's index.
        symbol: u32,
    },
    /// There are more or fewer hints than the blocks' bases ask for.
    HintCount {
        /// Hints that there are.
        found: u64,
        /// Hints that the bases ask for.
        expected: u64,
    },
    /// A hint does not hold the number of blocks below its addresses.
    BadHint {
        /// The hint's number.
        hint: u32,
        /// Its value.
        found: u32,
        /// The number of blocks.
        expected: u32,
    },
    /// A symbol's address is below that of the symbol before it.
    AddressOrder {
        /// The symbol's index.
        symbol: u32,
        /// Its address.
        address: u64,
    },
    /// A symbol is below the link base but not one of the leading absolute ones, or the other way round.
    WrongSideOfBase {
        /// The symbol's index.
        symbol: u32,
        /// Its address.
        address: u64,
    },
    /// A symbol's address does not lead to the first symbol at it.
    NotFoundByAddress {
        /// The symbol's index.
        symbol: u32,
        /// Its address.
        address: u64,
    },
    /// The type of a symbol in the leading absolute run is not A or a.
    NotAbsolute {
        /// The symbol's index.
        symbol: u32,
        /// Its type.
        kind: u8,
    },
    /// A token expands to nothing.
    EmptyToken {
        /// The token's code.
        code: u32,
    },
    /// A token reaches past the token bytes.
    TokenOutOfBounds {
        /// The token's code.
        code: u32,
    },
    /// A nested token holds itself, nests deeper than 16, or expands to more than 255 bytes.
    TokenTooLarge {
        /// The token's code.
        code: u32,
    },
    /// A name holds a code that is not below the token count, or its codes reach past the section.
    BadCode {
        /// The symbol's index.
        symbol: u32,
    },
    /// A name has no bytes behind its type.
    EmptyName {
        /// The symbol's index.
        symbol: u32,
    },
    /// A name is longer than a mebibyte.
    NameTooLong {
        /// The symbol's index.
        symbol: u32,
        /// Its bytes.
        len: u64,
    },
    /// A symbol of count 0 is the first of its block, follows another one, or the name before lacks the
    /// prefix.
    BadPrefixReference {
        /// The symbol's index.
        symbol: u32,
    },
    /// The name index does not lead from a symbol's name to the first symbol of that name.
    NotFoundByName {
        /// The symbol's index.
        symbol: u32,
    },
    /// A link does not lead to a later symbol of the same name.
    BadLink {
        /// The symbol's index.
        symbol: u32,
        /// The index that the link holds.
        target: u32,
    },
    /// The number of distinct names is not what the symbols have.
    NameCount {
        /// The count in the header.
        stored: u32,
        /// The count over the symbols.
        counted: u32,
    },
    /// Some symbol is not reached over the links from the first one of its name.
    Unlinked {
        /// Symbols that there are.
        symbols: u32,
        /// Symbols that are reached.
        reached: u32,
    },
    /// A gap is larger than the distance to the next different address, or that is not known.
    GapTooLarge {
        /// The symbol's index.
        symbol: u32,
        /// The gap.
        gap: u8,
    },
    /// A size exception stands behind one of a later symbol, or its symbol is outside the table.
    SizeOrder {
        /// The exception's number.
        exception: u32,
        /// The symbol index that it holds.
        symbol: u32,
    },
    /// The gap of a size exception's symbol does not say that there is one.
    SizeNotMarked {
        /// The exception's number.
        exception: u32,
        /// The symbol index that it holds.
        symbol: u32,
    },
    /// A size exception's symbol ends past the address space.
    SizeOverflow {
        /// The exception's number.
        exception: u32,
        /// The size that it holds.
        size: u64,
    },
    /// A size exception's parent is outside the table, begins later, or does not end later.
    SizeParent {
        /// The exception's number.
        exception: u32,
        /// The parent's index.
        parent: u32,
    },
    /// A module run stands behind one of a later symbol, or its symbol is outside the table.
    ModuleOrder {
        /// The run's number.
        run: u32,
        /// The symbol index that it holds.
        first: u32,
    },
    /// The name of a module run lies outside the module names.
    ModuleName {
        /// The run's number.
        run: u32,
        /// The offset that it holds.
        offset: u32,
    },
}

/// A header field, for [`Error::BadField`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
#[expect(missing_docs, reason = "each is the field of `layout::Header` with its name")]
pub enum Field {
    ImageLen,
    SymbolCount,
    NameCount,
    LeadingAbsolute,
    LinkBase,
    CoveredLast,
    Flags,
    AddressDigits,
    CodeBits,
    FingerprintBits,
    HashId,
    TokenCount,
    SlotCount,
    BucketCount,
    HintShift,
    LinkBytes,
    PrefixLen,
    BuildIdLen,
    SectionCount,
    Reserved,
}
