//! One record: 16 address deltas, 16 code counts, links, codes.

use super::layout::{BLOCK_SYMBOLS, MAX_CODES, RecordHead};
use crate::num::{index, low32, wide};

/// A record; which symbol of the block is asked for comes as 0 to 15.
#[derive(Debug, Clone, Copy)]
pub(super) struct Record<'a> {
    head: RecordHead,
    /// From behind the head to the end of the section.
    body: &'a [u8],
}

/// A symbol of a block and its neighbours: distances from the base.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Around {
    pub(super) place: u32,
    pub(super) start: u64,
    /// Where the symbol behind starts; `None` for the last one of the block.
    pub(super) next: Option<u64>,
    /// Whether the symbol before is of this block too, and starts lower.
    pub(super) alone: bool,
}

/// The codes of one name: where in the record they begin and how many there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CodeRun {
    pub(super) first: u64,
    pub(super) count: u32,
}

impl<'a> Record<'a> {
    /// The record at this offset of the records section. Steps: one.
    #[inline]
    pub(super) fn at(records: &'a [u8], offset: u32) -> Option<Self> {
        let (&head, body) = records.get(index(offset)..)?.split_first()?;
        let head = RecordHead(head);
        Some(Self { head, body })
    }

    /// Bytes before the counts.
    fn counts_at(&self) -> usize {
        index(BLOCK_SYMBOLS.wrapping_shl(self.head.delta_width()))
    }

    /// Links and codes.
    #[inline]
    fn rest(&self) -> Option<&'a [u8]> {
        self.body.get(self.counts_at().wrapping_add(index(8u32.wrapping_shl(self.head.count_width())))..)
    }

    /// Distance of a symbol from its block's base, in address units.
    #[inline]
    pub(super) fn delta(&self, place: u32) -> Option<u64> {
        let units = self.number(0, self.head.delta_width(), place)?;
        Some(units.wrapping_shl(self.head.shift()))
    }

    /// The last of the first `used` symbols that lies at most `distance` from the base, and its neighbours.
    /// Steps: four of a bisection.
    #[inline]
    pub(super) fn around(&self, distance: u64, used: u32) -> Option<Around> {
        match self.head.delta_width() {
            0 => self.around_in(distance, used, |delta: [u8; 1]| u64::from(u8::from_le_bytes(delta))),
            _ => self.around_wide(distance, used),
        }
    }

    /// The same in deltas of more than a byte: one block of seven has them.
    #[inline(never)]
    fn around_wide(self, distance: u64, used: u32) -> Option<Around> {
        match self.head.delta_width() {
            1 => self.around_in(distance, used, |delta: [u8; 2]| u64::from(u16::from_le_bytes(delta))),
            2 => self.around_in(distance, used, |delta: [u8; 4]| u64::from(u32::from_le_bytes(delta))),
            _ => self.around_in(distance, used, u64::from_le_bytes),
        }
    }

    #[inline]
    fn around_in<const N: usize>(
        &self,
        distance: u64,
        used: u32,
        units: impl Fn([u8; N]) -> u64,
    ) -> Option<Around> {
        let deltas = self.body.as_chunks::<N>().0.first_chunk::<16>()?;
        let shift = self.head.shift();
        let delta = |place: u32| deltas.get(index(place & 15)).map_or(0, |delta| units(*delta));
        let limit = distance.wrapping_shr(shift);
        let mut place = 0u32;
        for half in [8, 4, 2, 1] {
            place |= if delta(place | half) <= limit { half } else { 0 };
        }
        let place = place.min(used.saturating_sub(1));
        let behind = place.wrapping_add(1);
        Some(Around {
            place,
            start: delta(place).wrapping_shl(shift),
            next: (behind < used).then(|| delta(behind).wrapping_shl(shift)),
            alone: place > 0 && delta(place.wrapping_sub(1)) < delta(place),
        })
    }

    /// The codes of a symbol's name; a count of 0 refers to the name before. Steps: one sum over 16 numbers.
    #[inline]
    pub(super) fn code_run(&self, place: u32) -> Option<CodeRun> {
        let width = self.head.count_width();
        if width == 0 {
            let counts = u64::from_le_bytes(*self.body.get(self.counts_at()..)?.first_chunk()?);
            let bit = place.wrapping_mul(4);
            return Some(CodeRun {
                first: nibble_sum(counts & !u64::MAX.wrapping_shl(bit)),
                count: low32(counts.wrapping_shr(bit) & 15),
            });
        }
        let width = width.wrapping_sub(1);
        let mut first = 0u64;
        for before in 0..place {
            first = first.wrapping_add(self.number(self.counts_at(), width, before)?);
        }
        let count = u32::try_from(self.number(self.counts_at(), width, place)?).ok()?;
        // A damaged count could have one name take all codes that follow.
        Some(CodeRun { first, count: count.min(MAX_CODES) })
    }

    /// The bytes that the codes are packed in.
    #[inline]
    pub(super) fn codes(&self, link_bytes: u8) -> Option<&'a [u8]> {
        match self.links() {
            None => self.rest(),
            Some((present, links)) => {
                links.get(index(present.count_ones()).wrapping_mul(usize::from(link_bytes))..)
            }
        }
    }

    /// Bytes of the record, from its head to its last code; `None` if it reaches past the section.
    pub(super) fn len(&self, code_bits: u8, link_bytes: u8) -> Option<u64> {
        let packed = self.codes(link_bytes)?;
        // The counts before the last one as they are stored.
        let last = self.code_run(BLOCK_SYMBOLS.wrapping_sub(1))?;
        let codes = last.first.wrapping_add(u64::from(last.count));
        let before = self.body.len().checked_sub(packed.len())?.checked_add(1)?;
        wide(before).checked_add(codes.checked_mul(u64::from(code_bits))?.div_ceil(8))
    }

    /// Whether the shift drops bits of a symbol's delta.
    pub(super) fn delta_overflows(&self, place: u32) -> bool {
        let units = self.number(0, self.head.delta_width(), place).unwrap_or(u64::MAX);
        units.leading_zeros() < self.head.shift()
    }

    /// Whether the delta is all ones, as where the block has no symbol.
    pub(super) fn delta_is_spare(&self, place: u32) -> bool {
        let width = self.head.delta_width();
        let ones = u64::MAX.wrapping_shr(u64::BITS.wrapping_sub(8u32.wrapping_shl(width)));
        self.number(0, width, place) == Some(ones)
    }

    /// The next symbol of the same name as this one.
    pub(super) fn link(&self, place: u32, link_bytes: u8) -> Option<u32> {
        let (present, links) = self.links()?;
        if present.wrapping_shr(place) & 1 == 0 {
            return None;
        }
        let before = (present & !u16::MAX.wrapping_shl(place)).count_ones();
        let start = index(before).wrapping_mul(usize::from(link_bytes));
        let bytes = links.get(start..)?.get(..usize::from(link_bytes))?;
        Some(bytes.iter().rev().fold(0, |link, &byte| link << 8 | u32::from(byte)))
    }

    /// Which symbols have links, and the bytes from the first link on.
    #[inline]
    fn links(&self) -> Option<(u16, &'a [u8])> {
        if !self.head.has_links() {
            return None;
        }
        let (present, links) = self.rest()?.split_first_chunk::<2>()?;
        Some((u16::from_le_bytes(*present), links))
    }

    /// Number `place` of an array of numbers of 1 << `width` bytes.
    ///
    /// Loads 8 bytes whatever the width: the section ends in padding.
    #[inline]
    fn number(&self, array_at: usize, width: u32, place: u32) -> Option<u64> {
        let at = array_at.wrapping_add(index(place.wrapping_shl(width)));
        let bits = 8u32.wrapping_shl(width);
        let window = u64::from_le_bytes(*self.body.get(at..)?.first_chunk()?);
        Some(window & u64::MAX.wrapping_shr(u64::BITS.wrapping_sub(bits)))
    }
}

/// Sum of the sixteen nibbles of a word.
#[inline]
const fn nibble_sum(word: u64) -> u64 {
    const LOW: u64 = 0x0f0f_0f0f_0f0f_0f0f;
    let pairs = (word & LOW).wrapping_add(word >> 4 & LOW);
    pairs.wrapping_mul(0x0101_0101_0101_0101) >> 56
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nibbles_sum_up() {
        assert_eq!(nibble_sum(0), 0);
        assert_eq!(nibble_sum(u64::MAX), 240);
        assert_eq!(nibble_sum(0x1234_5678_9abc_def0), 120);
    }
}
