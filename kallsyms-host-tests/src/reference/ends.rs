//! Ends, sizes and parents: section "Sizes".

use super::numbers::{bits, number, number32};
use super::records::Entry;
use super::sections::{EXCEPTIONS, GAPS, Sections, check};

/// What a symbol reaches.
#[derive(Debug, Clone, Copy)]
pub(super) struct End {
    /// The first address behind it; 2^64 is one, too.
    pub(super) behind: u128,
    /// Bytes, where they are known.
    pub(super) size: Option<u64>,
    /// Who answers behind it.
    pub(super) parent: Option<u32>,
}

/// The end of every symbol.
pub(super) fn ends(sections: &Sections, entries: &[Entry]) -> Result<Vec<End>, String> {
    let exceptions = sections.section(EXCEPTIONS);
    let exceptions: Vec<(u32, u32, u64)> = (0..exceptions.len() as u64)
        .step_by(16)
        .map(|at| {
            Ok((number32(exceptions, at)?, number32(exceptions, at + 4)?, number(exceptions, at + 8, 8)?))
        })
        .collect::<Result<_, String>>()?;
    check(exceptions.windows(2).all(|pair| pair[0].0 < pair[1].0), "order of the size exceptions")?;

    let ends = (0..entries.len()).map(|index| {
        let natural = natural(sections, entries, index);
        let Some(gaps) = sections.optional(GAPS) else { return Ok(natural) };
        let gap = bits(gaps, index as u64 * 4, 4)?;
        let exception = exceptions.iter().find(|exception| gap == 15 && exception.0 as usize == index);
        let start = u128::from(entries[index].address);
        Ok(match exception {
            Some(&(_, parent, size)) => End {
                behind: start + u128::from(size),
                size: Some(size),
                parent: (parent != u32::MAX).then_some(parent),
            },
            None => {
                let behind = natural.behind.checked_sub(u128::from(gap)).filter(|behind| *behind >= start);
                let behind = behind.ok_or("a gap that is larger than the distance")?;
                let size = natural.size.map(|_| (behind - start) as u64);
                End { behind, size, parent: None }
            }
        })
    });
    ends.collect()
}

/// The end of a symbol in a table without gaps.
fn natural(sections: &Sections, entries: &[Entry], index: usize) -> End {
    let start = entries[index].address;
    let next = entries[index..].iter().map(|entry| entry.address).find(|address| *address != start);
    let leading = (index as u32) < sections.leading_absolute;
    if leading && next.is_none_or(|next| next >= sections.link_base) {
        return End { behind: u128::from(start) + 1, size: None, parent: None };
    }
    let behind = next.map_or(u128::from(sections.covered_last) + 1, u128::from);
    let size = u64::try_from(behind.saturating_sub(u128::from(start))).ok();
    End { behind, size: size.filter(|_| next.is_some() || sections.end_known), parent: None }
}
