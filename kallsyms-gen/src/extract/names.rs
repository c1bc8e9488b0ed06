//! From the token table backwards: names, their number, and what leads to them.

use std::ops::Range;

use kallsyms_core::linux::{Endian, Lengths, Width};

use super::bytes::{Bytes, align_up};
use super::leads::{self, Form, Leads};
use super::records::{Records, Spelling};
use super::tokens::{MOST_PADDING, Tokens};

/// Arrays that look as if they led to records, and records that are walked, before the search is given up.
const MOST_TRIES: usize = 64;

/// `kallsyms_num_syms`, `kallsyms_names` and what leads to them, which agree with each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Names {
    pub(super) num_syms: u32,
    /// Where the number stands.
    pub(super) num_syms_at: usize,
    pub(super) records: Range<usize>,
    pub(super) leads: Leads,
    /// `None` where both schemes read the same.
    pub(super) lengths: Option<Lengths>,
    /// The order of names, where it may lie between the markers and the token table.
    pub(super) seqs: Option<usize>,
}

/// Finds the names that belong to a token table.
pub(super) fn find(bytes: &[u8], tokens: &Tokens) -> Option<Names> {
    let numbers = Bytes { bytes, endian: tokens.endian };
    let spelling = Spelling::new(&tokens.strings(bytes));
    let mut tries = MOST_TRIES;
    let mut leads = leads::find(&numbers, tokens.table.start).take(MOST_TRIES);
    leads.find_map(|leads| before(&numbers, tokens, &spelling, leads, &mut tries))
}

/// The names in front of what leads to them.
fn before(
    numbers: &Bytes<'_>,
    tokens: &Tokens,
    spelling: &Spelling,
    leads: Leads,
    tries: &mut usize,
) -> Option<Names> {
    let last = usize::try_from(leads.get(numbers, leads.count.checked_sub(1)?)?).ok()?;
    // At least one record lies behind the last entry.
    let nearest = leads.at.checked_sub(last + 2)? & !3;
    let farthest = leads.at.saturating_sub(last + leads.most_behind() + MOST_PADDING).next_multiple_of(4);
    for start in (farthest..=nearest).rev().step_by(4) {
        let Some((num_syms, num_syms_at)) = number_before(numbers, start, &leads) else { continue };
        let seqs = if leads.seqs { seqs_between(numbers, tokens, &leads, num_syms) } else { None };
        if leads.seqs && seqs.is_none() {
            continue;
        }
        *tries = tries.checked_sub(1)?;
        let records = Records { numbers: *numbers, start, num_syms, leads };
        if let Some((end, lengths)) = records.walk(spelling) {
            return Some(Names { num_syms, num_syms_at, records: start..end, leads, lengths, seqs });
        }
    }
    None
}

/// The number of symbols, and its place, if it stands before the names and asks for so many entries.
fn number_before(numbers: &Bytes<'_>, names: usize, leads: &Leads) -> Option<(u32, usize)> {
    let number = |at: usize| {
        let number = numbers.u32(at)?;
        ((number as usize).div_ceil(leads.form.stride()) == leads.count).then_some(number)
    };
    if let Some(number) = number(names.checked_sub(4)?) {
        // Before 4.20 the number is as wide as a pointer, as the markers are.
        let wide = leads.form == Form::Markers(Width::Bits64) && numbers.endian == Endian::Big;
        return Some((number, if wide { names.checked_sub(8)? } else { names - 4 }));
    }
    let at = names.checked_sub(8)?;
    number(at).filter(|_| numbers.is_padding(at + 4, names)).map(|number| (number, at))
}

/// Where the order of names begins that just fits between the markers and the token table.
fn seqs_between(numbers: &Bytes<'_>, tokens: &Tokens, leads: &Leads, num_syms: u32) -> Option<usize> {
    let end_of_markers = leads.end();
    [4, 8].into_iter().find_map(|alignment| {
        let at = align_up(end_of_markers, alignment)?;
        let end = at.checked_add((num_syms as usize).checked_mul(3)?)?;
        let fits = align_up(end, alignment)? == tokens.table.start;
        (fits && numbers.is_padding(end_of_markers, at) && numbers.is_padding(end, tokens.table.start))
            .then_some(at)
    })
}
