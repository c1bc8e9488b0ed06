//! One record: 16 address deltas, 16 code counts, links, codes.

use super::layout::{BLOCK_SYMBOLS, RecordHead};
use crate::num::{index, widen};

/// A record, cut into its parts; which symbol of the block is asked for comes as 0 to 15.
#[derive(Debug, Clone, Copy)]
pub(super) struct Record<'a> {
    head: RecordHead,
    deltas: &'a [u8],
    counts: &'a [u8],
    /// Links and codes, to the end of the section.
    rest: &'a [u8],
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
        let (deltas, body) = body.split_at_checked(index(BLOCK_SYMBOLS.wrapping_shl(head.delta_width())))?;
        let (counts, rest) = body.split_at_checked(index(8u32.wrapping_shl(head.count_width())))?;
        Some(Self { head, deltas, counts, rest })
    }

    /// Distance of a symbol from its block's base, in address units.
    #[inline]
    pub(super) fn delta(&self, place: u32) -> Option<u64> {
        let units = self.number(self.deltas, self.head.delta_width(), place)?;
        Some(units.wrapping_shl(self.head.shift()))
    }

    /// How many of the first `used` symbols lie at most `distance` from the base. Steps: one pass over 16 numbers.
    #[inline]
    pub(super) fn up_to(&self, distance: u64, used: u32) -> u32 {
        let limit = distance >> self.head.shift();
        let count = match self.head.delta_width() {
            0 => {
                let limit = u8::try_from(limit).unwrap_or(u8::MAX);
                count_where(self.deltas.as_chunks::<1>().0, |bytes| u8::from_le_bytes(bytes) <= limit)
            }
            1 => {
                let limit = u16::try_from(limit).unwrap_or(u16::MAX);
                count_where(self.deltas.as_chunks::<2>().0, |bytes| u16::from_le_bytes(bytes) <= limit)
            }
            2 => {
                let limit = u32::try_from(limit).unwrap_or(u32::MAX);
                count_where(self.deltas.as_chunks::<4>().0, |bytes| u32::from_le_bytes(bytes) <= limit)
            }
            _ => count_where(self.deltas.as_chunks::<8>().0, |bytes| u64::from_le_bytes(bytes) <= limit),
        };
        count.min(used)
    }

    /// The codes of a symbol's name; a count of 0 refers to the name before. Steps: one sum over 16 numbers.
    #[inline]
    pub(super) fn code_run(&self, place: u32) -> Option<CodeRun> {
        let width = self.head.count_width();
        if width == 0 {
            let counts = u64::from_le_bytes(*self.counts.first_chunk()?);
            let bit = place.wrapping_mul(4);
            return Some(CodeRun {
                first: nibble_sum(counts & !u64::MAX.wrapping_shl(bit)),
                count: crate::num::low32(counts.wrapping_shr(bit) & 15),
            });
        }
        let width = width.wrapping_sub(1);
        let mut first = 0u64;
        for before in 0..place {
            first = first.wrapping_add(self.number(self.counts, width, before)?);
        }
        let count = u32::try_from(self.number(self.counts, width, place)?).ok()?;
        Some(CodeRun { first, count })
    }

    /// The bytes that the codes are packed in.
    #[inline]
    pub(super) fn codes(&self, link_bytes: u8) -> Option<&'a [u8]> {
        match self.links() {
            None => Some(self.rest),
            Some((present, links)) => {
                links.get(index(present.count_ones()).wrapping_mul(usize::from(link_bytes))..)
            }
        }
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
        let (present, links) = self.rest.split_first_chunk::<2>()?;
        Some((u16::from_le_bytes(*present), links))
    }

    /// Number `place` of an array of numbers of 1 << `width` bytes.
    #[inline]
    fn number(&self, array: &[u8], width: u32, place: u32) -> Option<u64> {
        match width {
            0 => array.get(index(place)).map(|&byte| u64::from(byte)),
            1 => array.as_chunks::<2>().0.get(index(place)).map(|b| u64::from(u16::from_le_bytes(*b))),
            2 => array.as_chunks::<4>().0.get(index(place)).map(|b| widen(u32::from_le_bytes(*b))),
            _ => array.as_chunks::<8>().0.get(index(place)).map(|b| u64::from_le_bytes(*b)),
        }
    }
}

/// How many entries of an array hold.
#[inline]
fn count_where<const N: usize>(array: &[[u8; N]], holds: impl Fn([u8; N]) -> bool) -> u32 {
    array.iter().fold(0, |count, entry| count.wrapping_add(u32::from(holds(*entry))))
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
