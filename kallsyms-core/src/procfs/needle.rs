//! Looks for bytes in a large text.

use super::swar;
use crate::num::numbered;

/// Bytes of a listing of a kernel, the most frequent first; all others are rarer.
const FREQUENT: &[u8] = b"f_et ap8rc0s1i\nodnlxbmuT23467g59khvywq.SCzjDZBFWIMPRHAEULXONGKYQVJ\t[]";

/// Places that are tried at once.
const BLOCK: usize = 64;

/// Bytes to look for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Needle<'p> {
    bytes: &'p [u8],
    /// Its rarest byte and the rarest of the others, each with its place.
    rarest: [(usize, u8); 2],
}

impl<'p> Needle<'p> {
    /// `None` for less than two bytes, which are on nearly every line. Steps: 70 a byte.
    pub(super) fn new(bytes: &'p [u8]) -> Option<Self> {
        let rarity = |byte: u8| FREQUENT.iter().position(|&other| other == byte).unwrap_or(FREQUENT.len());
        let rarest = |except: Option<usize>| {
            let places = numbered(bytes.iter().copied()).filter(|&(place, _)| Some(place) != except);
            places.max_by_key(|&(_, byte)| rarity(byte))
        };
        let first = rarest(None)?;
        Some(Self { bytes, rarest: [first, rarest(Some(first.0))?] })
    }

    /// The first place in a text where the bytes stand.
    ///
    /// Both rare bytes are looked for at 64 places at once, in a form that compilers turn into vector
    /// instructions. Steps: one for 64 bytes, and one a place where the two rare bytes match.
    pub(super) fn find(&self, text: &[u8]) -> Option<usize> {
        let places = text.len().checked_sub(self.bytes.len())?.checked_add(1)?;
        let [(first, a), (second, b)] = self.rarest;
        let (firsts, first_tail) = text.get(first..)?.get(..places)?.as_chunks::<BLOCK>();
        let (seconds, second_tail) = text.get(second..)?.get(..places)?.as_chunks::<BLOCK>();
        let mut start = 0_usize;
        for (firsts, seconds) in firsts.iter().zip(seconds) {
            if any(firsts, a, seconds, b)
                && let Some(at) = self.find_among(text, start, firsts, seconds)
            {
                return Some(at);
            }
            start = start.wrapping_add(BLOCK);
        }
        self.find_among(text, start, first_tail, second_tail)
    }

    /// Looks at the places from `start` on more closely; the slices are their rare bytes.
    fn find_among(&self, text: &[u8], start: usize, firsts: &[u8], seconds: &[u8]) -> Option<usize> {
        let [(_, a), (_, b)] = self.rarest;
        let stands_at = |&place: &usize| text.get(place..).is_some_and(|rest| rest.starts_with(self.bytes));
        let (first_words, first_tail) = firsts.as_chunks::<8>();
        let (second_words, second_tail) = seconds.as_chunks::<8>();
        let mut start = start;
        for (first, second) in first_words.iter().zip(second_words) {
            let mut places = swar::places_of(first, a, second, b).map(|place| start.wrapping_add(place));
            if let Some(found) = places.find(stands_at) {
                return Some(found);
            }
            start = start.wrapping_add(8);
        }
        let pairs = (start..usize::MAX).zip(first_tail.iter().zip(second_tail));
        let mut places =
            pairs.filter(|&(_, (&first, &second))| first == a && second == b).map(|(place, _)| place);
        places.find(stands_at)
    }
}

/// Whether both bytes stand at any one place.
#[inline]
fn any(firsts: &[u8; BLOCK], a: u8, seconds: &[u8; BLOCK], b: u8) -> bool {
    let found = firsts
        .iter()
        .zip(seconds)
        .fold(0, |found, (&first, &second)| found | (u8::from(first == a) & u8::from(second == b)));
    found != 0
}
