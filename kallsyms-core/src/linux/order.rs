//! The order of a record's name beside another one, by its tokens.

use core::cmp::Ordering;

use super::tokens::TokenTable;
use crate::endian::Endian;
use crate::image::hash::group_of;
use crate::num::index;

/// The lowest bit of every byte, and the highest.
const ONES: u64 = 0x0101_0101_0101_0101;
const TOPS: u64 = ONES << 7;

/// Compares a record's name with another one. Steps: one a token, up to the first that differs.
///
/// As [`Name::compare`](crate::Name::compare), in a third of its instructions: 8 bytes of a token are compared
/// at once, whatever stands behind its NUL.
#[inline(always)]
pub(super) fn compare(tokens: &TokenTable<'_>, record: &[u8], name: &[u8]) -> Ordering {
    let (places, bytes, endian) = tokens.parts();
    let quick = match endian {
        Endian::Little => beside(|code| u16::from_le_bytes(place(places, code)), bytes, record, name),
        Endian::Big => beside(|code| u16::from_be_bytes(place(places, code)), bytes, record, name),
    };
    quick.unwrap_or_else(|| slowly(tokens, record, name))
}

#[inline(always)]
fn place(places: &[[u8; 2]; 256], code: u8) -> [u8; 2] {
    places.get(usize::from(code)).copied().unwrap_or_default()
}

/// The same, with what tells where a token begins; `None` if it meets a token of more than 8 bytes, or one of
/// the last that have no 8 bytes behind them.
#[inline(never)]
fn beside(place: impl Fn(u8) -> u16, bytes: &[u8], record: &[u8], name: &[u8]) -> Option<Ordering> {
    let (&code, mut codes) = record.split_first()?;
    let mut at = usize::from(place(code));
    // The type, without which there is a token in front that is empty.
    if *bytes.get(at)? == 0 {
        return None;
    }
    at = at.wrapping_add(1);
    let mut rest = name;
    loop {
        let theirs = u64::from_le_bytes(*bytes.get(at..)?.first_chunk()?);
        let ours = match rest.first_chunk() {
            Some(group) => u64::from_le_bytes(*group),
            None => group_of(rest),
        };
        // The lowest byte of these that is not 0 is the first one that differs, or the token's NUL.
        let stops = (theirs ^ ours) | theirs.wrapping_sub(ONES) & !theirs & TOPS;
        if stops == 0 {
            return None;
        }
        let equal = stops.trailing_zeros() & 0x38;
        let their_byte = theirs.wrapping_shr(equal) & 0xff;
        if their_byte != 0 {
            return Some(their_byte.cmp(&(ours.wrapping_shr(equal) & 0xff)));
        }
        rest = rest.get(index(equal >> 3)..)?;
        let Some((&code, behind)) = codes.split_first() else {
            return Some(if rest.is_empty() { Ordering::Equal } else { Ordering::Less });
        };
        at = usize::from(place(code));
        codes = behind;
    }
}

#[cold]
#[inline(never)]
fn slowly(tokens: &TokenTable<'_>, record: &[u8], name: &[u8]) -> Ordering {
    record.iter().flat_map(|&code| tokens.expansion(code)).skip(1).cmp(name)
}
