//! Addresses that a raw image does not tell: what a relocation fills, and what the kernel's own pointers lead
//! to.

use std::collections::HashMap;

use kallsyms_core::linux::Width;

use super::bytes::Bytes;

/// A kernel begins at a page.
const PAGE: u64 = 1 << 12;
/// `R_*_RELATIVE` of arm64, of riscv and loongarch, and of s390.
const RELATIVE: [u64; 3] = [0x403, 3, 12];
/// Bytes of an entry of `.rela.dyn`: place, type, value.
const RELA_LEN: usize = 24;

/// Whether a relocation gives this value to a pointer at a place of a raw image, which begins at a page.
///
/// Entries for other images may do so by chance: this confirms a value and finds none.
pub(super) fn may_relocate(numbers: &Bytes<'_>, at: usize, value: u64) -> bool {
    let in_page = at as u64 % PAGE;
    entries(numbers).any(|(place, other)| other == value && place % PAGE == in_page)
}

/// The value of a pointer at an address that a relocation fills.
pub(super) fn relocated_at(numbers: &Bytes<'_>, address: u64) -> Option<u64> {
    only(entries(numbers).filter_map(|(place, value)| (place == address).then_some(value)))
}

/// Everything that looks like an entry of `.rela.dyn`: its place and its value.
fn entries<'a>(numbers: &Bytes<'a>) -> impl Iterator<Item = (u64, u64)> + use<'a> {
    let numbers = *numbers;
    (0..numbers.bytes.len().saturating_sub(RELA_LEN - 1)).step_by(8).filter_map(move |at| {
        let kind = numbers.u64(at + 8)?;
        if RELATIVE.contains(&kind) { Some((numbers.u64(at)?, numbers.u64(at + 16)?)) } else { None }
    })
}

fn only(mut values: impl Iterator<Item = u64>) -> Option<u64> {
    let value = values.next()?;
    values.all(|other| other == value).then_some(value)
}

/// Words that vote, and words that decide between the best candidates.
const VOTERS: usize = 4096;
const JUDGES: usize = 1 << 17;
/// Symbols at one place of their page that a word may lead to; a kernel has some hundreds.
const MOST_IN_PLACE: usize = 1 << 10;
/// Candidates that are looked at more closely.
const FINALISTS: usize = 16;
/// Fewest words that must lead to a symbol.
const FEWEST_HITS: usize = 64;

/// The address that symbols are counted from, if the pointers of an image settle it.
///
/// Every address-sized word of the image that looks like its neighbours may be a pointer, and many pointers
/// lead to the start of a symbol. The right address makes far more of them do so than any other: at least an
/// eighth of those that fall among the symbols, and three times as many as the next best address. In Debian's
/// kernels it is a quarter to a half, and five to eight times as many.
///
/// `distances` are those of the symbols from the address, which is `congruent` modulo the page size.
pub(super) fn settle(
    numbers: &Bytes<'_>,
    width: Width,
    distances: impl Iterator<Item = i64>,
    congruent: u64,
) -> Option<u64> {
    let mut distances: Vec<i64> = distances.collect();
    distances.dedup();
    let mut by_place: Vec<Vec<i64>> = vec![Vec::new(); PAGE as usize];
    for &distance in &distances {
        if let Some(place) = by_place.get_mut((congruent.wrapping_add_signed(distance) % PAGE) as usize) {
            place.push(distance);
        }
    }
    let words = pointers(numbers, width);
    let mut votes: HashMap<u64, u32> = HashMap::new();
    for word in spread(&words, VOTERS) {
        for distance in spread(by_place.get((word % PAGE) as usize).map_or(&[], Vec::as_slice), MOST_IN_PLACE)
        {
            *votes.entry(word.wrapping_sub(distance as u64)).or_default() += 1;
        }
    }
    let mut candidates: Vec<(u32, u64)> =
        votes.into_iter().map(|(address, count)| (count, address)).collect();
    candidates.sort_unstable_by(|one, other| other.cmp(one));
    candidates.truncate(FINALISTS);
    let judged = candidates.into_iter().map(|(_, address)| {
        let (hits, among) = judge(spread(&words, JUDGES), address, &distances);
        (hits, among, address)
    });
    let mut judged: Vec<(usize, usize, u64)> = judged.collect();
    judged.sort_unstable_by(|one, other| other.cmp(one));
    let &(hits, among, address) = judged.first()?;
    let second = judged.get(1).map_or(0, |&(hits, ..)| hits);
    (hits >= FEWEST_HITS && hits * 8 >= among && hits >= second * 3).then_some(address)
}

/// Words that are looked at, more than any kernel has.
const MOST_POINTERS: usize = 1 << 25;

/// Every different word that has a neighbour of the same upper half, ascending.
fn pointers(numbers: &Bytes<'_>, width: Width) -> Vec<u64> {
    let len = width.bytes();
    let upper = |word: u64| word >> 30;
    let word = |at: usize| numbers.word(at, width);
    let mut words: Vec<u64> = (0..numbers.bytes.len())
        .step_by(len)
        .filter_map(|at| {
            let here = word(at).filter(|&here| here >= PAGE)?;
            let near = [at.checked_sub(2 * len), at.checked_sub(len), Some(at + len), Some(at + 2 * len)];
            let mut near = near.into_iter().flatten().filter_map(word);
            near.any(|other| other != here && upper(other) == upper(here)).then_some(here)
        })
        .take(MOST_POINTERS)
        .collect();
    words.sort_unstable();
    words.dedup();
    words
}

/// So many at most, evenly spread.
fn spread<T: Copy>(all: &[T], most: usize) -> impl Iterator<Item = T> {
    all.iter().copied().step_by(all.len().div_ceil(most).max(1))
}

/// How many words lead to a symbol, and how many between the first and the last.
fn judge(words: impl Iterator<Item = u64>, address: u64, distances: &[i64]) -> (usize, usize) {
    let (Some(first), Some(last)) = (distances.first(), distances.last()) else { return (0, 0) };
    let distance = |word: u64| word.wrapping_sub(address).cast_signed();
    let among = words.map(distance).filter(|distance| (first..=last).contains(&distance));
    among.fold((0, 0), |(hits, among), distance| {
        (hits + usize::from(distances.binary_search(&distance).is_ok()), among + 1)
    })
}
