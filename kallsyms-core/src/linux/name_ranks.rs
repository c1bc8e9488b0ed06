//! `kallsyms_seqs_of_names`: the symbols in the order of their names.

use super::error::{Error, Part};
use super::format::{NameOrder, Tables};
use super::numbers::Numbers;
use crate::endian::Endian;
use crate::num::{index, low32, wide};
use crate::table::SymbolIndex;

/// Ranks that are looked at for the start of a run.
const RUN: u32 = 16;

/// Symbols by the rank of their name.
#[derive(Debug, Clone, Copy)]
pub(super) struct NameRanks<'a> {
    seqs: Numbers<'a, 3>,
    pub(super) order: NameOrder,
}

/// Place of a symbol in the order of names: what no [`SymbolIndex`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct NameRank(pub(super) u32);

impl NameRank {
    pub(super) fn behind(self) -> Self {
        Self(self.0.saturating_add(1))
    }
}

impl<'a> NameRanks<'a> {
    /// Checks that each entry is a symbol; `None` for a kernel without the table.
    pub(super) fn new(tables: &Tables<'a>) -> Result<Option<Self>, Error> {
        if tables.seqs_of_names.is_empty() {
            return Ok(None);
        }
        // Highest byte first, whatever the kernel's byte order.
        let seqs = Numbers::new(Part::SeqsOfNames, tables.seqs_of_names, Endian::Big, tables.num_syms)?;
        for (rank, found) in (0..u32::MAX).zip(seqs.iter()) {
            let found = low32(found);
            if found >= tables.num_syms {
                return Err(Error::BadSeq { rank, found });
            }
        }
        Ok(Some(Self { seqs, order: tables.name_order }))
    }

    #[inline]
    pub(super) fn symbol(&self, NameRank(rank): NameRank) -> Option<SymbolIndex> {
        self.seqs.get(rank).map(|symbol| SymbolIndex(low32(symbol)))
    }

    /// A rank in the middle half of a range, of up to 24 the one whose symbol is nearest behind a marker. Steps:
    /// one a rank of them.
    ///
    /// With markers every 256 symbols that is what a compare costs: 127 records for the one in the middle, 10
    /// for the nearest of 24.
    #[inline]
    pub(super) fn near_marker(&self, low: u32, high: u32) -> u32 {
        let middle = low.midpoint(high);
        match high.wrapping_sub(low) {
            48.. => self.nearest::<24>(middle.wrapping_sub(12)),
            16.. => self.nearest::<8>(middle.wrapping_sub(4)),
            6.. => self.nearest::<3>(middle.wrapping_sub(1)),
            _ => middle,
        }
    }

    /// Of so many ranks the one whose symbol is the nearest behind a marker.
    ///
    /// Of a number that is known the compiler makes no branches.
    #[inline(always)]
    fn nearest<const N: usize>(&self, first: u32) -> u32 {
        let symbols = self.seqs.items().get(index(first)..).and_then(|symbols| symbols.first_chunk::<N>());
        let mut nearest = usize::MAX;
        for at in 0..N {
            if let Some(&[.., lowest]) = symbols.and_then(|symbols| symbols.get(at)) {
                nearest = nearest.min(usize::from(lowest) << 8 | at);
            }
        }
        first.wrapping_add(low32(wide(nearest)) & 0xff)
    }

    /// The lowest rank that may have the name of this one: equal names stand in the order of their symbols.
    /// Steps: one a rank, up to [`RUN`]; where a run is longer it is `low`.
    #[inline]
    pub(super) fn start_of_run(&self, low: u32, rank: u32) -> u32 {
        let items = self.seqs.items();
        let ascends = |rank: u32| {
            let at = index(rank);
            at.checked_sub(1).and_then(|before| items.get(before)) < items.get(at)
        };
        let end = rank.saturating_sub(RUN).max(low);
        let start = (end..=rank).rev().find(|&at| at == low || !ascends(at));
        start.unwrap_or(low)
    }
}
