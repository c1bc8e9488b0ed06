//! The hints, by their definition: section "Addresses".

use super::numbers::number;
use super::sections::{HINTS, Sections, check};

/// Whether each hint is what the bases of the hinted blocks ask for.
pub(super) fn check_hints(sections: &Sections, bases: &[u64]) -> Result<(), String> {
    let first = sections.leading_absolute.div_ceil(16) as usize;
    let hinted = &bases[first.min(bases.len())..];
    let Some(last) = hinted.last() else {
        return check(sections.optional(HINTS).is_none(), "hints without hinted blocks");
    };
    let width = if sections.wide_hints { 4 } else { 2 };
    let count = sections.section(HINTS).len() as u64 / width;
    check(count == (last >> sections.hint_shift) + 2, "number of hints")?;
    (0..count).try_for_each(|j| {
        let below = hinted.iter().filter(|base| **base >> sections.hint_shift < j).count();
        check(number(sections.section(HINTS), j * width, width)? == below as u64, "a hint")
    })
}
