//! `kallsyms_seqs_of_names`: the symbols in the order of their names.

use super::error::{Error, Part};
use super::format::{NameOrder, Tables};
use super::numbers::Numbers;
use crate::endian::Endian;
use crate::num::low32;
use crate::table::SymbolIndex;

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
        for (rank, found) in (0..).zip(seqs.iter()) {
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
}
