//! From record to record by their lengths: most of what a lookup in a kernel with markers takes.

use super::format::Lengths;
use crate::num::index;

/// Records that are stepped over at a time.
const GROUP: u32 = 8;

/// What holds the lengths of a group, wherever it begins: a record of one length byte has at most 256 bytes.
const WINDOW: usize = 256 * 8;

/// Where the tokens of the record at `at` begin, and how many there are.
#[inline]
pub(super) fn length(names: &[u8], lengths: Lengths, at: u32) -> Option<(u32, u32)> {
    let first = *names.get(index(at))?;
    let start = at.checked_add(1)?;
    if first < 0x80 || lengths == Lengths::Byte {
        return Some((start, u32::from(first)));
    }
    let second = *names.get(index(start))?;
    Some((start.checked_add(1)?, u32::from(first & 0x7f) | u32::from(second) << 7))
}

/// Where the record `count` records behind the one at `at` begins. Steps: one a record.
#[inline]
pub(super) fn skip(names: &[u8], lengths: Lengths, at: u32, mut count: u32) -> Option<u32> {
    let mut place = index(at);
    loop {
        let step = count.min(GROUP);
        let passed = match names.get(place..).and_then(|rest| rest.first_chunk()) {
            // The compiler unrolls it for a number that is known.
            Some(window) if step == GROUP => pass(window, GROUP),
            Some(window) => pass(window, step),
            None => return singly(names, lengths, place, count),
        };
        place = match passed {
            (len, all) if all < 0x80 || lengths == Lengths::Byte => place.wrapping_add(len),
            _ => index(singly(names, lengths, place, step)?),
        };
        if count <= GROUP {
            return u32::try_from(place).ok();
        }
        count = count.wrapping_sub(GROUP);
    }
}

/// Bytes of up to [`GROUP`] records of one length byte each, and the bits that their lengths have.
///
/// Lengths are of 8 bits, so the compiler knows that none of the places is outside the window.
#[inline(always)]
fn pass(window: &[u8; WINDOW], count: u32) -> (usize, u8) {
    let (mut tokens, mut all) = (0_usize, 0);
    for passed in 0..index(count) {
        let more = window.get(tokens.wrapping_add(passed)).copied().unwrap_or(0);
        all |= more;
        tokens = tokens.wrapping_add(usize::from(more));
    }
    (tokens.wrapping_add(index(count)), all)
}

#[cold]
#[inline(never)]
fn singly(names: &[u8], lengths: Lengths, place: usize, count: u32) -> Option<u32> {
    let mut at = u32::try_from(place).ok()?;
    for _ in 0..count {
        let (start, len) = length(names, lengths, at)?;
        at = start.checked_add(len)?;
    }
    Some(at)
}
