//! The header and the section table: every length and bound is checked here, once.

use zerocopy::FromBytes;

use super::hash::HashId;
use super::layout::{self, Header, SectionEntry, SectionKind, flags};
use super::name_index::NameIndex;
use crate::error::{Error, Field};
use crate::num::{index, wide, widen};

/// The header, and the bytes of every section; those that are not there are empty.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sections<'a> {
    pub(super) header: &'a Header,
    pub(super) hash_id: HashId,
    /// Exactly the image, without what a reservation has behind it.
    pub(super) image: &'a [u8],
    kinds: [Option<&'a [u8]>; SectionKind::ALL.len()],
}

impl<'a> Sections<'a> {
    /// Reads and checks the header and the section table. Steps: one a field, a few a section.
    pub(super) fn read(bytes: &'a [u8]) -> Result<Self, Error> {
        let header = read_header(bytes)?;
        let hash_id = check_fields(header)?;
        let image_len = header.image_len.get();
        let image = bytes.get(..index(image_len)).ok_or(Error::Truncated { image_len, len: bytes.len() })?;
        let mut sections = Self { header, hash_id, image, kinds: [None; SectionKind::ALL.len()] };
        let table = image
            .get(size_of::<Header>()..usize::from(header.header_len.get()))
            .map(<[u8]>::as_chunks::<{ size_of::<SectionEntry>() }>)
            .filter(|(table, rest)| rest.is_empty() && wide(table.len()) == widen(header.section_count.get()))
            .ok_or(Error::HeaderLength {
                header_len: header.header_len.get(),
                section_count: header.section_count.get(),
            })?;
        for entry in table.0.iter().filter_map(|entry| SectionEntry::ref_from_bytes(entry).ok()) {
            sections.place(entry)?;
        }
        sections.check_lengths()?;
        Ok(sections)
    }

    /// Bytes of a section, empty if it is not there.
    pub(super) fn bytes(&self, kind: SectionKind) -> &'a [u8] {
        self.kinds.get(kind.place()).copied().flatten().unwrap_or_default()
    }

    fn place(&mut self, entry: &SectionEntry) -> Result<(), Error> {
        // Kinds of a later writer are skipped.
        let Some(section) = SectionKind::from_number(entry.kind.get()) else { return Ok(()) };
        let (offset, len) = (entry.offset.get(), entry.len.get());
        if !index(offset).is_multiple_of(layout::SECTION_ALIGN) {
            return Err(Error::SectionMisaligned { section, offset });
        }
        let image_len = self.header.image_len.get();
        let bytes = self
            .image
            .get(index(offset)..)
            .and_then(|rest| rest.get(..index(len)))
            .ok_or(Error::SectionOutOfBounds { section, offset, len, image_len })?;
        let slot = self.kinds.get_mut(section.place()).ok_or(Error::SectionMissing { section })?;
        match slot.replace(bytes) {
            None => Ok(()),
            Some(_) => Err(Error::SectionRepeated { section }),
        }
    }

    /// The lengths that the header's counts ask for.
    fn check_lengths(&self) -> Result<(), Error> {
        let header = self.header;
        let symbols = widen(header.symbol_count.get());
        let blocks = symbols.div_ceil(u64::from(layout::BLOCK_SYMBOLS));
        let flags = header.flags.get();
        let block_len = if flags & flags::WIDE_BLOCKS == 0 { 8 } else { 12 };
        // The least that a record takes: its head, 16 deltas and 16 counts.
        let records = blocks.wrapping_mul(25).wrapping_add(wide(layout::BIT_PADDING));
        self.exactly(SectionKind::Blocks, blocks.wrapping_mul(block_len))?;
        self.at_least(SectionKind::Records, records)?;
        self.exactly(SectionKind::Tokens, widen(header.token_count.get()).wrapping_mul(4))?;
        if flags & flags::NESTED_TOKENS == 0 {
            self.at_least(SectionKind::TokenBytes, 1)?;
        }
        self.exactly(SectionKind::Pilots, widen(header.bucket_count.get()))?;
        self.exactly(SectionKind::Index, NameIndex::entries_len(header))?;
        let sized = [SectionKind::Gaps, SectionKind::SizeExceptions];
        if sized.iter().any(|&section| !self.bytes(section).is_empty()) {
            self.exactly(SectionKind::Gaps, symbols.div_ceil(2))?;
        }
        Ok(())
    }

    fn exactly(&self, section: SectionKind, expected: u64) -> Result<(), Error> {
        self.has_len(section, expected, |len| len == expected)
    }

    fn at_least(&self, section: SectionKind, expected: u64) -> Result<(), Error> {
        self.has_len(section, expected, |len| len >= expected)
    }

    fn has_len(
        &self,
        section: SectionKind,
        expected: u64,
        accepts: impl Fn(u64) -> bool,
    ) -> Result<(), Error> {
        let len = self.bytes(section).len();
        if len == 0 {
            return Err(Error::SectionMissing { section });
        }
        if accepts(wide(len)) { Ok(()) } else { Err(Self::length(section, len, expected)) }
    }

    /// A section of this length does not fit the counts.
    pub(super) fn length(section: SectionKind, len: usize, expected: u64) -> Error {
        Error::SectionLength { section, len: u32::try_from(len).unwrap_or(u32::MAX), expected }
    }
}

fn read_header(bytes: &[u8]) -> Result<&Header, Error> {
    let needed = size_of::<Header>();
    let short = Error::TooShort { len: bytes.len(), needed };
    let (magic, rest) = bytes.split_first_chunk::<8>().ok_or(short)?;
    if *magic != layout::MAGIC {
        return Err(Error::BadMagic { found: *magic });
    }
    let (version, _) = rest.split_first_chunk::<2>().ok_or(short)?;
    match u16::from_le_bytes(*version) {
        0 => Err(Error::NotEmbedded),
        layout::VERSION => Header::ref_from_prefix(bytes).map(|(header, _)| header).map_err(|_| short),
        found => Err(Error::UnsupportedVersion { found }),
    }
}

fn check_fields(header: &Header) -> Result<HashId, Error> {
    let symbols = header.symbol_count.get();
    let names = header.name_count.get();
    let tokens = header.token_count.get();
    let leading = header.leading_absolute.get();
    let most_tokens = 1u32.wrapping_shl(u32::from(header.code_bits));
    let unknown_flags = header.flags.get() & !flags::ALL;
    let reserved_bytes = header.reserved.get();
    let image_len = header.image_len.get();
    check(image_len >= u32::from(header.header_len.get()), Field::ImageLen, image_len)?;
    check(symbols != 0, Field::SymbolCount, symbols)?;
    check((1..=symbols).contains(&names), Field::NameCount, names)?;
    check(leading <= symbols, Field::LeadingAbsolute, leading)?;
    check(unknown_flags == 0, Field::Flags, header.flags.get())?;
    check(matches!(header.address_digits, 8 | 16), Field::AddressDigits, header.address_digits)?;
    check(layout::CODE_BITS.contains(&header.code_bits), Field::CodeBits, header.code_bits)?;
    check(
        header.fingerprint_bits <= layout::MAX_FINGERPRINT_BITS,
        Field::FingerprintBits,
        header.fingerprint_bits,
    )?;
    check((1..=most_tokens).contains(&tokens), Field::TokenCount, tokens)?;
    check(header.slot_count.get() >= names, Field::SlotCount, header.slot_count.get())?;
    check(header.bucket_count.get() != 0, Field::BucketCount, header.bucket_count.get())?;
    check(header.hint_shift < 64, Field::HintShift, header.hint_shift)?;
    check((1..=4).contains(&header.link_bytes), Field::LinkBytes, header.link_bytes)?;
    check(usize::from(header.prefix_len) <= layout::MAX_PREFIX, Field::PrefixLen, header.prefix_len)?;
    check(usize::from(header.build_id_len) <= layout::MAX_BUILD_ID, Field::BuildIdLen, header.build_id_len)?;
    check(
        header.section_count.get() <= layout::MAX_SECTIONS,
        Field::SectionCount,
        header.section_count.get(),
    )?;
    check(reserved_bytes == 0, Field::Reserved, reserved_bytes)?;
    HashId::from_u8(header.hash_id).ok_or(bad(Field::HashId, header.hash_id))
}

fn check(holds: bool, field: Field, value: impl Into<u64>) -> Result<(), Error> {
    if holds { Ok(()) } else { Err(bad(field, value)) }
}

fn bad(field: Field, value: impl Into<u64>) -> Error {
    Error::BadField { field, value: value.into() }
}
