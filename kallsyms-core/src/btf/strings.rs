//! Strings that end with a NUL, eight bytes at a time.
//!
//! A `tail` begins with the string and goes on to the end of the section, whose last byte is a NUL.

use core::cmp::Ordering;

use crate::image::hash::group_of;
use crate::num::{index, low32, wide};

/// A one in every byte.
const ONES: u64 = u64::MAX / 0xff;

/// The string without its NUL. Steps: one for 8 bytes.
#[inline]
pub(super) fn string(tail: &[u8]) -> &[u8] {
    let mut len = 0_usize;
    let mut left = tail;
    while let Some((group, behind)) = left.split_first_chunk() {
        let more = len_in(group);
        len = len.wrapping_add(more);
        if more < group.len() {
            return tail.get(..len).unwrap_or_default();
        }
        left = behind;
    }
    let more = left.iter().position(|&byte| byte == 0).unwrap_or(left.len());
    tail.get(..len.wrapping_add(more)).unwrap_or_default()
}

/// Bytes in front of the first NUL; 8 if there is none.
#[inline(always)]
pub(super) const fn len_in(group: &[u8; 8]) -> usize {
    // Where nothing is marked 64 zeros trail.
    index(zeros(u64::from_le_bytes(*group)).trailing_zeros() >> 3)
}

/// Whether the string is this name, which is expected; one with a NUL in it is no string's. Steps: one for 8
/// bytes.
#[inline(always)]
pub(super) fn is(tail: &[u8], name: &[u8]) -> bool {
    let Some((0, string)) = tail.get(..=name.len()).and_then(|with_nul| with_nul.split_last()) else {
        return false;
    };
    let (Some(last), Some(wanted)) = (string.last_chunk(), name.last_chunk()) else {
        return group_of(string) == group_of(name) && !name.contains(&0);
    };
    // The last 8 bytes overlap the groups, so that no length is a case of its own.
    let differ = |a: &[u8; 8], b: &[u8; 8]| {
        let wanted = u64::from_le_bytes(*b);
        u64::from_le_bytes(*a) ^ wanted | zeros(wanted)
    };
    let (groups, wanted_groups) = (string.as_chunks().0, name.as_chunks().0);
    let pairs = groups.iter().zip(wanted_groups);
    pairs.fold(differ(last, wanted), |all, (group, wanted)| all | differ(group, wanted)) == 0
}

/// A name that many strings are compared with, made ready once.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wanted<'n> {
    name: &'n [u8],
    groups: &'n [[u8; 8]],
    /// The bytes behind the groups and a NUL, the first one highest.
    last: u64,
    /// Where these are.
    mask: u64,
}

impl<'n> Wanted<'n> {
    #[inline(always)]
    pub(super) fn new(name: &'n [u8]) -> Self {
        let (groups, rest) = name.as_chunks();
        let bits = low32(wide(rest.len())).wrapping_add(1).wrapping_mul(8);
        let mask = u64::MAX.wrapping_shl(u64::BITS.wrapping_sub(bits));
        Self { name, groups, last: group_of(rest).swap_bytes(), mask }
    }

    pub(super) const fn name(&self) -> &'n [u8] {
        self.name
    }

    /// Whether the name, if it has no NUL, comes behind the string in byte order. Steps: one for 8 bytes up to
    /// the first that differ.
    #[inline(always)]
    pub(super) fn is_above(&self, tail: &[u8]) -> bool {
        let mut left = tail;
        for group in self.groups {
            let Some((first, behind)) = left.split_first_chunk() else { return string(tail) < self.name };
            // What follows a NUL does not matter: the name has none, so that the NUL or a byte before differs.
            if first != group {
                return u64::from_be_bytes(*first) < u64::from_be_bytes(*group);
            }
            left = behind;
        }
        let Some(first) = left.first_chunk() else { return string(tail) < self.name };
        u64::from_be_bytes(*first) & self.mask < self.last
    }

    /// Whether the string is this name; one with a NUL in it is no string's. Steps: one for 8 bytes.
    #[inline(always)]
    pub(super) fn is(&self, tail: &[u8]) -> bool {
        let mut left = tail;
        for group in self.groups {
            let Some((first, behind)) = left.split_first_chunk() else { return string(tail) == self.name };
            if first != group {
                return false;
            }
            left = behind;
        }
        let Some(first) = left.first_chunk() else { return string(tail) == self.name };
        u64::from_be_bytes(*first) & self.mask == self.last && self.is_string()
    }

    /// Whether the name has no NUL.
    #[inline(always)]
    fn is_string(&self) -> bool {
        let others = !(self.mask << 8).swap_bytes();
        let ends = |group: &[u8; 8]| zeros(u64::from_le_bytes(*group)) != 0;
        !self.groups.iter().any(ends) && zeros(self.last.swap_bytes() | others) == 0
    }
}

/// Byte order of two strings. Steps: one for 8 bytes up to the first that differ.
#[inline]
pub(super) fn order_of_both(first: &[u8], second: &[u8]) -> Ordering {
    let (mut first, mut second) = (first, second);
    while let (Some((a, behind_a)), Some((b, behind_b))) =
        (first.split_first_chunk::<8>(), second.split_first_chunk::<8>())
    {
        let zeros = zeros(u64::from_le_bytes(*a));
        let different = u64::from_le_bytes(*a) ^ u64::from_le_bytes(*b);
        if different != 0 {
            // At the marked top of the NUL's byte, or below it, they differ; else both have ended.
            let ended = zeros != 0 && zeros.trailing_zeros() < different.trailing_zeros();
            let order = u64::from_be_bytes(*a).cmp(&u64::from_be_bytes(*b));
            return if ended { Ordering::Equal } else { order };
        }
        if zeros != 0 {
            return Ordering::Equal;
        }
        (first, second) = (behind_a, behind_b);
    }
    string(first).cmp(string(second))
}

/// A one at the top of every byte that is zero, up to the first of them exactly.
#[inline(always)]
const fn zeros(word: u64) -> u64 {
    word.wrapping_sub(ONES) & !word & ONES.wrapping_mul(0x80)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every pair of strings, at every distance from the end of the section, with anything behind them.
    #[test]
    fn orders_are_those_of_the_bytes() {
        let words: [&[u8]; 16] = [
            b"",
            b"a",
            b"b",
            b"ab",
            b"abc",
            b"abcdefg",
            b"abcdefgh",
            b"abcdefgi",
            b"abcdefghi",
            b"\xffx",
            b"\x01",
            b"abcdefghijklmnop",
            b"abcdefghijklmno",
            b"abcdefgh\xff",
            b"abcdefgh\x80",
            b"abcdefghijklmnopq",
        ];
        for behind in 0..12 {
            for other in [0, b'a', 0xff] {
                let tail = |word: &[u8]| {
                    let mut tail = [other; 64];
                    tail[..word.len()].copy_from_slice(word);
                    tail[word.len()] = 0;
                    tail[word.len() + behind] = 0;
                    (tail, word.len() + 1 + behind)
                };
                for a in words {
                    let (bytes, len) = tail(a);
                    let ours = &bytes[..len];
                    assert_eq!(string(ours), a);
                    for b in words {
                        assert_eq!(Wanted::new(b).is_above(ours), a < b, "{a:?} {b:?} {behind} {other}");
                        assert_eq!(Wanted::new(b).is(ours), a == b);
                        assert_eq!(is(ours, b), a == b);
                        // A name with a NUL is none, though the bytes are there.
                        assert!(!Wanted::new(ours).is(ours) && !is(ours, ours));
                        assert!(behind == 0 || !is(ours, &ours[..len - 1]));
                        assert!(behind == 0 || !Wanted::new(&ours[..len - 1]).is(ours));
                        let (bytes, len) = tail(b);
                        assert_eq!(order_of_both(ours, &bytes[..len]), a.cmp(b), "{a:?} {b:?} {behind}");
                    }
                }
            }
        }
    }
}
