//! Header and section table: section "Header".

use super::numbers::{crc32, number, number32, slice};

pub(super) const BLOCKS: u32 = 1;
pub(super) const HINTS: u32 = 2;
pub(super) const RECORDS: u32 = 3;
pub(super) const TOKENS: u32 = 4;
pub(super) const TOKEN_BYTES: u32 = 5;
pub(super) const PILOTS: u32 = 6;
pub(super) const INDEX: u32 = 7;
pub(super) const GAPS: u32 = 8;
pub(super) const EXCEPTIONS: u32 = 9;
pub(super) const RUNS: u32 = 10;
pub(super) const MODULE_NAMES: u32 = 11;

/// The header, and the bytes of every section by its kind.
#[derive(Debug, Clone)]
pub(super) struct Sections {
    pub(super) symbol_count: u32,
    pub(super) leading_absolute: u32,
    pub(super) link_base: u64,
    pub(super) covered_last: u64,
    pub(super) wide_bases: bool,
    pub(super) nested_tokens: bool,
    pub(super) end_known: bool,
    pub(super) wide_hints: bool,
    pub(super) code_bits: u64,
    pub(super) fingerprint_bits: u64,
    pub(super) hash_id: u8,
    pub(super) hash_seed: u64,
    pub(super) token_count: u32,
    pub(super) slot_count: u32,
    pub(super) bucket_count: u32,
    pub(super) hint_shift: u32,
    pub(super) link_bytes: u64,
    pub(super) prefix: Vec<u8>,
    sections: Vec<(u32, Vec<u8>)>,
}

impl Sections {
    /// Reads and checks all that stands before the sections, and their lengths.
    pub(super) fn new(bytes: &[u8]) -> Result<Self, String> {
        check(slice(bytes, 0, 8)? == b"KALLSYM\x1a", "magic")?;
        check(number(bytes, 8, 2)? == 1, "version")?;
        let image = slice(bytes, 0, number(bytes, 16, 4)?)?;
        let mut zeroed = image.to_vec();
        zeroed.get_mut(12..16).ok_or("image_len")?.fill(0);
        check(number32(image, 12)? == crc32(&zeroed), "crc32")?;
        check(number(image, 10, 2)? == 136 + 12 * number(image, 128, 4)?, "header_len")?;

        let flags = number(image, 48, 4)?;
        let byte = |at| number(image, at, 1);
        let sections = Self {
            symbol_count: number32(image, 20)?,
            leading_absolute: number32(image, 28)?,
            link_base: number(image, 32, 8)?,
            covered_last: number(image, 40, 8)?,
            wide_bases: flags & 1 != 0,
            nested_tokens: flags & 2 != 0,
            end_known: flags & 4 != 0,
            wide_hints: flags & 8 != 0,
            code_bits: byte(53)?,
            fingerprint_bits: byte(54)?,
            hash_id: byte(55)? as u8,
            hash_seed: number(image, 56, 8)?,
            token_count: number32(image, 64)?,
            slot_count: number32(image, 68)?,
            bucket_count: number32(image, 72)?,
            hint_shift: byte(76)? as u32,
            link_bytes: byte(77)?,
            prefix: slice(image, 80, byte(78)?.min(16))?.to_vec(),
            sections: table(image)?,
        };
        let name_count = number32(image, 24)?;
        check(sections.symbol_count >= 1, "symbol_count")?;
        check((1..=sections.symbol_count).contains(&name_count), "name_count")?;
        check(sections.leading_absolute <= sections.symbol_count, "leading_absolute")?;
        check(flags < 16, "flags")?;
        check(matches!(byte(52)?, 8 | 16), "address_digits")?;
        check((8..=16).contains(&sections.code_bits), "code_bits")?;
        check(sections.fingerprint_bits <= 16, "fingerprint_bits")?;
        check(sections.hash_id <= 1, "hash_id")?;
        check((1..=1 << sections.code_bits).contains(&sections.token_count), "token_count")?;
        check(sections.slot_count >= name_count, "slot_count")?;
        check(sections.bucket_count >= 1, "bucket_count")?;
        check(sections.hint_shift <= 63, "hint_shift")?;
        check((1..=4).contains(&sections.link_bytes), "link_bytes")?;
        check(byte(78)? <= 16, "prefix_len")?;
        check(byte(79)? <= 32, "build_id_len")?;
        check(number(image, 132, 4)? == 0, "reserved")?;
        sections.check_lengths()?;
        Ok(sections)
    }

    /// A section, where there is one.
    pub(super) fn optional(&self, kind: u32) -> Option<&[u8]> {
        self.sections.iter().find(|section| section.0 == kind).map(|section| section.1.as_slice())
    }

    /// A section; without one no bytes.
    pub(super) fn section(&self, kind: u32) -> &[u8] {
        self.optional(kind).unwrap_or_default()
    }

    /// Number of blocks.
    pub(super) fn blocks(&self) -> u32 {
        self.symbol_count.div_ceil(16)
    }

    /// Bits of a symbol's index in the name index.
    pub(super) fn index_bits(&self) -> u64 {
        u64::from(u32::BITS - (self.symbol_count - 1).leading_zeros()).max(1)
    }

    fn check_lengths(&self) -> Result<(), String> {
        let len = |kind| self.section(kind).len() as u64;
        let base = if self.wide_bases { 8 } else { 4 };
        let hint = if self.wide_hints { 4 } else { 2 };
        let bits = u64::from(self.slot_count) * (self.index_bits() + self.fingerprint_bits);
        check(len(BLOCKS) == u64::from(self.blocks()) * (base + 4), "length of the blocks")?;
        check(len(HINTS).is_multiple_of(hint), "length of the hints")?;
        check(len(TOKENS) == 4 * u64::from(self.token_count), "length of the tokens")?;
        check(!self.nested_tokens || len(TOKEN_BYTES) == 0, "length of the token bytes")?;
        check(len(PILOTS) == u64::from(self.bucket_count), "length of the pilots")?;
        check(len(INDEX) == bits.div_ceil(8) + 8, "length of the index")?;
        let gaps = self.optional(GAPS).map(|gaps| gaps.len() as u64);
        check(gaps.is_none_or(|len| len == u64::from(self.symbol_count).div_ceil(2)), "length of the gaps")?;
        check(len(EXCEPTIONS).is_multiple_of(16), "length of the size exceptions")?;
        check(len(RUNS).is_multiple_of(8), "length of the module runs")?;
        let packed = |kind| self.section(kind).ends_with(&[0; 8]);
        check(packed(RECORDS) && packed(INDEX), "zero bytes after packed numbers")
    }
}

fn table(image: &[u8]) -> Result<Vec<(u32, Vec<u8>)>, String> {
    let count = number(image, 128, 4)?;
    check(count <= 32, "section_count")?;
    let mut sections: Vec<(u32, Vec<u8>)> = Vec::new();
    for at in (0..count).map(|number| 136 + 12 * number) {
        let (kind, offset) = (number32(image, at)?, number(image, at + 4, 4)?);
        check(offset.is_multiple_of(64), "offset of a section")?;
        check(sections.iter().all(|section| section.0 != kind), "a kind twice")?;
        sections.push((kind, slice(image, offset, number(image, at + 8, 4)?)?.to_vec()));
    }
    Ok(sections)
}

/// An error that names the part unless it is as the page says.
pub(super) fn check(right: bool, part: &str) -> Result<(), String> {
    if right { Ok(()) } else { Err(part.to_owned()) }
}
