//! From the token table backwards: markers, names and their number.

use std::ops::Range;

use kallsyms_core::linux::{Endian, Lengths, Width};

use super::bytes::{Bytes, align_up};
use super::records::{Records, Spelling};
use super::tokens::{MOST_PADDING, Tokens};

/// Symbols a marker.
const STRIDE: usize = 256;
/// Fewest and most bytes of so many records: a length and one token, two bytes of length and 512 tokens.
const STRIDE_BYTES: std::ops::RangeInclusive<u64> = 2 * STRIDE as u64..=514 * STRIDE as u64;
/// Bytes before the token table that may hold the order of names: 3 for each of 2^24 symbols.
const FARTHEST_MARKERS: usize = 64 << 20;
/// Arrays that look like markers, and records that are walked, before the search is given up.
const MOST_TRIES: usize = 64;

/// `kallsyms_num_syms`, `kallsyms_names` and `kallsyms_markers`, which agree with each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Names {
    pub(super) num_syms: u32,
    /// Where the number stands.
    pub(super) num_syms_at: usize,
    pub(super) records: Range<usize>,
    pub(super) markers: Range<usize>,
    pub(super) marker_width: Width,
    /// `None` where both schemes read the same.
    pub(super) lengths: Option<Lengths>,
    /// The order of names, where it may lie between the markers and the token table.
    pub(super) seqs: Option<usize>,
}

/// An array that looks like markers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Markers {
    at: usize,
    count: usize,
    width: Width,
    /// What lies between them and the token table: nothing, or the order of names.
    seqs: bool,
}

/// Finds the names that belong to a token table.
pub(super) fn find(bytes: &[u8], tokens: &Tokens) -> Option<Names> {
    let numbers = Bytes { bytes, endian: tokens.endian };
    let spelling = Spelling::new(&tokens.strings(bytes));
    let direct =
        [Width::Bits32, Width::Bits64].into_iter().filter_map(|width| before(&numbers, tokens, width));
    let apart = apart(&numbers, tokens.table.start);
    let mut tries = MOST_TRIES;
    direct
        .chain(apart)
        .take(MOST_TRIES)
        .find_map(|markers| with(&numbers, tokens, &spelling, markers, &mut tries))
}

/// Markers that end where the token table begins.
fn before(numbers: &Bytes<'_>, tokens: &Tokens, width: Width) -> Option<Markers> {
    let mut at = tokens.table.start;
    // Padding; more than one marker is zero in no table.
    while tokens.table.start - at < MOST_PADDING && numbers.u32(at.checked_sub(4)?)? == 0 {
        at -= 4;
    }
    // A marker of 8 bytes ends with zeros.
    if width == Width::Bits64 {
        at = align_up(at, 8)?;
    }
    let mut next: Option<u64> = None;
    let mut count = 0;
    loop {
        at = at.checked_sub(width.bytes())?;
        let marker = numbers.word(at, width)?;
        if next.is_some_and(|next| !next.checked_sub(marker).is_some_and(|step| STRIDE_BYTES.contains(&step)))
        {
            return None;
        }
        (next, count) = (Some(marker), count + 1);
        if marker == 0 {
            return Some(Markers { at, count, width, seqs: false });
        }
    }
}

/// Markers with room for the order of names between them and the token table, nearest first.
fn apart<'a>(numbers: &'a Bytes<'a>, end: usize) -> impl Iterator<Item = Markers> {
    let farthest = end.saturating_sub(FARTHEST_MARKERS).next_multiple_of(4);
    let marker = |at| numbers.u32(at).map(u64::from);
    let starts = (farthest..end.saturating_sub(8)).step_by(4).rev().filter(move |&at| {
        marker(at) == Some(0) && marker(at + 4).is_some_and(|second| STRIDE_BYTES.contains(&second))
    });
    starts.flat_map(move |at| counts(end - at).map(move |count| (at, count))).filter_map(
        move |(at, count)| {
            let ends = (0..count).map(|number| marker(at + 4 * number).unwrap_or(0));
            let steps = ends.clone().zip(ends.skip(1)).map(|(marker, next)| next.checked_sub(marker));
            let mut rising = steps.map(|step| step.is_some_and(|step| STRIDE_BYTES.contains(&step)));
            rising.all(|rises| rises).then_some(Markers { at, count, width: Width::Bits32, seqs: true })
        },
    )
}

/// How many markers can stand at this distance from the end of the order of names.
fn counts(distance: usize) -> impl Iterator<Item = usize> {
    // 4 bytes a marker and 3 a symbol, of which the last marker has 1 to 256.
    let fewest = distance.saturating_sub(2 * MOST_PADDING).div_ceil(4 + 3 * STRIDE).max(2);
    let most = (distance + 3 * STRIDE - 3) / (4 + 3 * STRIDE);
    fewest..=most
}

/// The names before some markers.
fn with(
    numbers: &Bytes<'_>,
    tokens: &Tokens,
    spelling: &Spelling,
    markers: Markers,
    tries: &mut usize,
) -> Option<Names> {
    let Markers { at, count, width, seqs } = markers;
    let last = usize::try_from(numbers.word(at + (count - 1) * width.bytes(), width)?).ok()?;
    // At least one record follows the last marker, and at most as many as a marker leads to.
    let most_bytes = usize::try_from(*STRIDE_BYTES.end()).ok()? + MOST_PADDING;
    let nearest = at.checked_sub(last + 2)? & !3;
    let farthest = at.saturating_sub(last + most_bytes).next_multiple_of(4);
    for start in (farthest..=nearest).rev().step_by(4) {
        let Some((num_syms, num_syms_at)) = number_before(numbers, start, markers) else { continue };
        let seqs_at = if seqs { seqs_between(numbers, tokens, markers, num_syms) } else { None };
        if seqs && seqs_at.is_none() {
            continue;
        }
        *tries = tries.checked_sub(1)?;
        let records = Records { numbers: *numbers, start, num_syms, markers_at: at, marker_width: width };
        if let Some((end, lengths)) = records.walk(spelling) {
            return Some(Names {
                num_syms,
                num_syms_at,
                records: start..end,
                markers: at..at + count * width.bytes(),
                marker_width: width,
                lengths,
                seqs: seqs_at,
            });
        }
    }
    None
}

/// The number of symbols, and its place, if it stands before the names and asks for so many markers.
fn number_before(numbers: &Bytes<'_>, names: usize, markers: Markers) -> Option<(u32, usize)> {
    let number = |at: usize| {
        let number = numbers.u32(at)?;
        ((number as usize).div_ceil(STRIDE) == markers.count).then_some(number)
    };
    if let Some(number) = number(names.checked_sub(4)?) {
        // Before 4.20 the number is as wide as a pointer, as the markers are.
        let wide = markers.width == Width::Bits64 && numbers.endian == Endian::Big;
        return Some((number, if wide { names.checked_sub(8)? } else { names - 4 }));
    }
    let at = names.checked_sub(8)?;
    number(at).filter(|_| numbers.is_padding(at + 4, names)).map(|number| (number, at))
}

/// Where the order of names begins that just fits between the markers and the token table.
fn seqs_between(numbers: &Bytes<'_>, tokens: &Tokens, markers: Markers, num_syms: u32) -> Option<usize> {
    let end_of_markers = markers.at + markers.count * markers.width.bytes();
    [4, 8].into_iter().find_map(|alignment| {
        let at = align_up(end_of_markers, alignment)?;
        let end = at.checked_add((num_syms as usize).checked_mul(3)?)?;
        let fits = align_up(end, alignment)? == tokens.table.start;
        (fits && numbers.is_padding(end_of_markers, at) && numbers.is_padding(end, tokens.table.start))
            .then_some(at)
    })
}
