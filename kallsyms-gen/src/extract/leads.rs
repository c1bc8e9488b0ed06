//! What leads to the records of the names: arrays that rise from zero, in front of the token table.

use std::ops::RangeInclusive;

use kallsyms_core::linux::{Endian, Width};

use super::bytes::Bytes;
use super::tokens::MOST_PADDING;

/// Symbols a marker.
const STRIDE: usize = 256;
/// Bytes of an entry of `names_offsets`.
const OFFSET_LEN: usize = 3;
/// Fewest and most bytes of a record: a length and one token, two bytes of length and 512 tokens.
const FEWEST_BYTES: u64 = 2;
const MOST_BYTES: u64 = 514;
/// Bytes before the token table that may hold the order of names: 3 for each of 2^24 symbols.
const FARTHEST_MARKERS: usize = 64 << 20;

/// An array that looks as if it led to records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Leads {
    pub(super) at: usize,
    pub(super) count: usize,
    pub(super) form: Form,
    /// What lies between them and the token table: nothing, or the order of names.
    pub(super) seqs: bool,
}

/// What the array is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// `kallsyms_markers`.
    Markers(Width),
    /// `kallsyms_names_offsets`, proposed in their place.
    Offsets(Endian),
}

impl Form {
    /// Symbols an entry.
    pub(super) fn stride(self) -> usize {
        match self {
            Self::Markers(_) => STRIDE,
            Self::Offsets(_) => 1,
        }
    }

    fn entry_len(self) -> usize {
        match self {
            Self::Markers(width) => width.bytes(),
            Self::Offsets(_) => OFFSET_LEN,
        }
    }

    /// How far an entry may be above the one before.
    fn steps(self) -> RangeInclusive<u64> {
        let stride = self.stride() as u64;
        FEWEST_BYTES * stride..=MOST_BYTES * stride
    }

    fn read(self, numbers: &Bytes<'_>, at: usize) -> Option<u64> {
        match self {
            Self::Markers(width) => numbers.word(at, width),
            Self::Offsets(endian) => {
                let &[first, second, third] = numbers.slice(at, OFFSET_LEN)? else { return None };
                Some(u64::from(match endian {
                    Endian::Little => u32::from_le_bytes([first, second, third, 0]),
                    Endian::Big => u32::from_be_bytes([0, first, second, third]),
                }))
            }
        }
    }
}

impl Leads {
    /// Where the array ends.
    pub(super) fn end(&self) -> usize {
        self.at + self.count * self.form.entry_len()
    }

    /// An entry.
    pub(super) fn get(&self, numbers: &Bytes<'_>, index: usize) -> Option<u64> {
        self.form.read(numbers, self.at + index * self.form.entry_len())
    }

    /// Most bytes that the records behind the last entry take.
    pub(super) fn most_behind(&self) -> usize {
        self.form.stride() * MOST_BYTES as usize
    }

    fn rises(&self, numbers: &Bytes<'_>) -> bool {
        let entries = (0..self.count).map(|index| self.get(numbers, index));
        let mut steps = entries.clone().zip(entries.skip(1)).map(|(entry, next)| next?.checked_sub(entry?));
        steps.all(|step| step.is_some_and(|step| self.form.steps().contains(&step)))
    }
}

/// Every array that ends where the token table begins, and those with room for the order of names between
/// them and the table, nearest first.
pub(super) fn find<'a>(numbers: &'a Bytes<'a>, token_table: usize) -> impl Iterator<Item = Leads> {
    let forms = [
        Form::Markers(Width::Bits32),
        Form::Markers(Width::Bits64),
        Form::Offsets(Endian::Little),
        Form::Offsets(Endian::Big),
    ];
    let direct = forms.into_iter().flat_map(move |form| {
        let paddings = (0..MOST_PADDING).step_by(if form.entry_len() == OFFSET_LEN { 1 } else { 4 });
        let ends = paddings.filter_map(move |padding| token_table.checked_sub(padding));
        let padded = ends.filter(move |&end| numbers.is_padding(end, token_table));
        padded.filter_map(move |end| ending_at(numbers, end, form))
    });
    direct.chain(apart(numbers, token_table))
}

/// The array that ends here.
fn ending_at(numbers: &Bytes<'_>, end: usize, form: Form) -> Option<Leads> {
    let (mut at, mut next) = (end, None);
    loop {
        at = at.checked_sub(form.entry_len())?;
        let entry = form.read(numbers, at)?;
        if let Some(next) = next {
            let step = u64::checked_sub(next, entry)?;
            if !form.steps().contains(&step) {
                return None;
            }
            if entry == 0 {
                let count = (end - at) / form.entry_len();
                return Some(Leads { at, count, form, seqs: false });
            }
        }
        next = Some(entry);
    }
}

/// Markers of 4 bytes with room for the order of names.
fn apart<'a>(numbers: &'a Bytes<'a>, end: usize) -> impl Iterator<Item = Leads> {
    let farthest = end.saturating_sub(FARTHEST_MARKERS).next_multiple_of(4);
    let form = Form::Markers(Width::Bits32);
    let starts = (farthest..end.saturating_sub(8)).step_by(4).rev().filter(move |&at| {
        numbers.u32(at) == Some(0)
            && numbers.u32(at + 4).is_some_and(|second| form.steps().contains(&u64::from(second)))
    });
    starts
        .flat_map(move |at| counts(end - at).map(move |count| Leads { at, count, form, seqs: true }))
        .filter(|leads| leads.rises(numbers))
}

/// How many markers can stand at this distance from the end of the order of names.
fn counts(distance: usize) -> impl Iterator<Item = usize> {
    // 4 bytes a marker and 3 a symbol, of which the last marker has 1 to 256.
    let fewest = distance.saturating_sub(2 * MOST_PADDING).div_ceil(4 + 3 * STRIDE).max(2);
    let most = (distance + 3 * STRIDE - 3) / (4 + 3 * STRIDE);
    fewest..=most
}
