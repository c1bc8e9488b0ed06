//! Pattern → symbols.

use core::fmt;

use super::{Occurrences, Symbol, Symbols};
use crate::glob::Glob;
use crate::table::{Layout, Table};

impl<L: Layout> Table<L> {
    /// Every symbol whose name matches a pattern, in address order.
    ///
    /// Steps: for a pattern without wildcards those of [`lookup_all`](Self::lookup_all); else one a symbol: a
    /// name is decoded as far as its first code that differs from the literal prefix, a wildcard takes at
    /// most what [`Glob::matches`] says.
    pub fn matching<'t, 'p>(&'t self, glob: Glob<'p>) -> Matching<'t, 'p, L> {
        Matching(match glob.literal() {
            Some(name) => Candidates::Named(self.lookup_all(name)),
            None => Candidates::Walked(self.iter(), glob),
        })
    }
}

/// Symbols whose name matches a pattern: [`Table::matching`].
pub struct Matching<'t, 'p, L: Layout + 't>(Candidates<'t, 'p, L>);

enum Candidates<'t, 'p, L: Layout + 't> {
    Named(Occurrences<'t, L>),
    Walked(Symbols<'t, L>, Glob<'p>),
}

impl<'t, L: Layout> Iterator for Matching<'t, '_, L> {
    type Item = Symbol<'t, L>;

    fn next(&mut self) -> Option<Self::Item> {
        match &mut self.0 {
            Candidates::Named(symbols) => symbols.next(),
            Candidates::Walked(symbols, glob) => {
                symbols.find(|symbol| glob.matches(symbol.name().fragments()))
            }
        }
    }
}

impl<L: Layout> Clone for Matching<'_, '_, L> {
    fn clone(&self) -> Self {
        Self(match &self.0 {
            Candidates::Named(symbols) => Candidates::Named(symbols.clone()),
            Candidates::Walked(symbols, glob) => Candidates::Walked(symbols.clone(), *glob),
        })
    }
}

impl<L: Layout> fmt::Debug for Matching<'_, '_, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}
