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
        let zeros = zeros(u64::from_le_bytes(*group));
        if zeros != 0 {
            len = len.wrapping_add(index(zeros.trailing_zeros() >> 3));
            return tail.get(..len).unwrap_or_default();
        }
        len = len.wrapping_add(size_of::<u64>());
        left = behind;
    }
    let more = left.iter().position(|&byte| byte == 0).unwrap_or(left.len());
    tail.get(..len.wrapping_add(more)).unwrap_or_default()
}

/// Whether the string is this one, which has no NUL. Steps: one for 8 bytes.
#[inline(always)]
pub(super) fn is(tail: &[u8], name: &[u8]) -> bool {
    order(tail, name) == Ordering::Equal
}

/// Byte order of the string and a name that has no NUL. Steps: one for 8 bytes up to the first that differ.
#[inline(always)]
pub(super) fn order(tail: &[u8], name: &[u8]) -> Ordering {
    let (mut left, mut wanted) = (tail, name);
    while let Some((group, behind)) = left.split_first_chunk::<8>() {
        let ours = u64::from_be_bytes(*group);
        let Some((group, rest)) = wanted.split_first_chunk::<8>() else {
            // The name's last bytes and the NUL behind them.
            let kept = low32(wide(wanted.len())).wrapping_add(1).wrapping_mul(8);
            let mask = u64::MAX.wrapping_shl(u64::BITS.wrapping_sub(kept));
            return (ours & mask).cmp(&group_of(wanted).swap_bytes());
        };
        // What follows a NUL does not matter: the name has none, so that the NUL or a byte before it differs.
        let theirs = u64::from_be_bytes(*group);
        if ours != theirs {
            return ours.cmp(&theirs);
        }
        (left, wanted) = (behind, rest);
    }
    order_of_bytes(left, wanted)
}

/// The same at the end of the section.
#[cold]
fn order_of_bytes(tail: &[u8], name: &[u8]) -> Ordering {
    string(tail).cmp(name)
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
                        assert_eq!(order(ours, b), a.cmp(b), "{a:?} {b:?} {behind} {other}");
                        assert_eq!(is(ours, b), a == b);
                        let (bytes, len) = tail(b);
                        assert_eq!(order_of_both(ours, &bytes[..len]), a.cmp(b), "{a:?} {b:?} {behind}");
                    }
                }
            }
        }
    }
}
