//! Eight bytes at a time, in a word.

use crate::num;

/// A one in every byte.
const ONES: u64 = u64::MAX / 0xff;

/// Bytes below this one are control characters.
const SPACE: u64 = 0x20;

fn word(bytes: [u8; 8]) -> u64 {
    u64::from_le_bytes(bytes)
}

/// A one at the top of every byte that is a control character, up to the first of them exactly.
#[inline(always)]
fn controls(word: u64) -> u64 {
    word.wrapping_sub(ONES.wrapping_mul(SPACE)) & !word & ONES.wrapping_mul(0x80)
}

/// Which byte the lowest one is in.
#[inline(always)]
fn first_marked(marks: u64) -> usize {
    num::index(marks.trailing_zeros() >> 3)
}

/// Where the first byte below a space is.
///
/// Names end within the first 32 bytes nearly always, and not at the same place twice: these are looked at
/// without a branch. Steps: one for 8 bytes.
#[inline(always)]
pub(super) fn first_control(bytes: &[u8]) -> Option<usize> {
    let mut rest = bytes;
    let mut before = 0_usize;
    while let Some((block, behind)) = rest.split_first_chunk::<32>() {
        if let Some(at) = first_control_of(block) {
            return before.checked_add(at);
        }
        before = before.wrapping_add(block.len());
        rest = behind;
    }
    let at = rest.iter().position(|&byte| u64::from(byte) < SPACE)?;
    before.checked_add(at)
}

#[inline(always)]
fn first_control_of(block: &[u8; 32]) -> Option<usize> {
    let ([a, b, c, d], _) = block.as_chunks::<8>() else { return None };
    let [a, b, c, d] = [a, b, c, d].map(|bytes| controls(word(*bytes)));
    let (mut marks, mut before) = (d, 24_usize);
    for (earlier, place) in [(c, 16), (b, 8), (a, 0)] {
        if earlier != 0 {
            (marks, before) = (earlier, place);
        }
    }
    (marks != 0).then(|| before.wrapping_add(first_marked(marks)))
}

/// The places where `a` stands in the first eight bytes and `b` in the second; others may be among them
/// behind the first.
#[inline(always)]
pub(super) fn places_of(first: &[u8; 8], a: u8, second: &[u8; 8], b: u8) -> impl Iterator<Item = usize> {
    let differ = |bytes: &[u8; 8], byte: u8| word(*bytes) ^ ONES.wrapping_mul(u64::from(byte));
    let differences = differ(first, a) | differ(second, b);
    let mut marks = differences.wrapping_sub(ONES) & !differences & ONES.wrapping_mul(0x80);
    core::iter::from_fn(move || {
        let lowest = marks;
        marks &= marks.wrapping_sub(1);
        (lowest != 0).then(|| first_marked(lowest))
    })
}

/// The number that eight lower-case hexadecimal digits write, `None` if one is something else. Steps: one.
#[inline(always)]
pub(super) fn hex(digits: &[u8; 8]) -> Option<u64> {
    let text = word(*digits);
    let letters = text >> 6 & ONES;
    let values = (text & ONES.wrapping_mul(0xf)).wrapping_add(letters.wrapping_mul(9));
    // Digits, read and written again, are what they were; of all else only g to o are, and not below 16.
    let above_nine = values.wrapping_add(ONES.wrapping_mul(6)) >> 4 & ONES;
    let again = values
        .wrapping_add(ONES.wrapping_mul(u64::from(b'0')))
        .wrapping_add(above_nine.wrapping_mul(u64::from(b'a' - b'9' - 1)));
    let nibbles = values.swap_bytes();
    let bytes = (nibbles | nibbles >> 4) & 0x00ff_00ff_00ff_00ff;
    let halves = (bytes | bytes >> 8) & 0x0000_ffff_0000_ffff;
    (((again ^ text) | (values & ONES.wrapping_mul(0xf0))) == 0)
        .then_some((halves | halves >> 16) & 0xffff_ffff)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_at_every_digit() {
        let digits = *b"0123abcf";
        assert_eq!(hex(&digits), Some(0x0123_abcf));
        assert_eq!(hex(b"ffffffff"), Some(0xffff_ffff));
        assert_eq!(hex(b"456789de"), Some(0x4567_89de));
        for place in 0..8 {
            for byte in 0..=255 {
                let mut text = digits;
                text[place] = byte;
                let expected = matches!(byte, b'0'..=b'9' | b'a'..=b'f')
                    .then(|| u64::from_str_radix(core::str::from_utf8(&text).unwrap(), 16).unwrap());
                assert_eq!(hex(&text), expected, "{byte:#04x} at {place}");
            }
        }
    }

    #[test]
    fn every_byte_at_every_place() {
        for len in 0..80 {
            let mut text = [b'x'; 80];
            assert_eq!(first_control(&text[..len]), None);
            for place in 0..len {
                for byte in [0, 1, 9, 10, 0x1f, 0x20, 0x7f, 0x80, 0x8a, 0xff] {
                    text[place] = byte;
                    let expected = (byte < 0x20).then_some(place);
                    assert_eq!(first_control(&text[..len]), expected, "{byte:#04x} at {place} of {len}");
                    // Of two the first, whatever stands between.
                    for other in place + 1..len {
                        text[other] = 3;
                        assert_eq!(first_control(&text[..len]), expected.or(Some(other)));
                        text[other] = b'x';
                    }
                }
                text[place] = b'x';
            }
        }
    }
}
