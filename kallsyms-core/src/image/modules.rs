//! Which module a symbol belongs to.

use zerocopy::FromBytes;

use super::layout::ModuleRun;
use crate::num::index;
use crate::table::SymbolIndex;

/// Runs of symbols of one module.
#[derive(Debug, Clone, Copy)]
pub(super) struct Modules<'a> {
    runs: &'a [ModuleRun],
    names: &'a [u8],
}

impl<'a> Modules<'a> {
    pub(super) fn new(runs: &'a [u8], names: &'a [u8]) -> Option<Self> {
        Some(Self { runs: <[ModuleRun]>::ref_from_bytes(runs).ok()?, names })
    }

    /// The module of a symbol. Steps: a bisection of the runs.
    pub(super) fn of(&self, symbol: SymbolIndex) -> Option<&'a [u8]> {
        let after = self.runs.partition_point(|run| run.first.get() <= symbol.0);
        let run = self.runs.get(after.checked_sub(1)?)?;
        self.name(run).filter(|name| !name.is_empty())
    }

    /// The name of a run, empty for no module; `None` if it lies outside the names.
    pub(super) fn name(&self, run: &ModuleRun) -> Option<&'a [u8]> {
        let (&len, rest) = self.names.get(index(run.name.get())..)?.split_first()?;
        rest.get(..usize::from(len))
    }

    /// Every run, in order.
    pub(super) fn runs(&self) -> &'a [ModuleRun] {
        self.runs
    }
}
