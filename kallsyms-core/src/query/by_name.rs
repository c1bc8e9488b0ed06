//! Name → symbols.

use core::fmt;

use super::Symbol;
use crate::table::{Layout, Table};

impl<L: Layout> Table<L> {
    /// The first symbol of exactly this name in address order. Steps: one hash, three places in memory, one
    /// compare.
    #[must_use]
    pub fn lookup_name<N: AsRef<[u8]> + ?Sized>(&self, name: &N) -> Option<Symbol<'_, L>> {
        self.lookup_all(name).next()
    }

    /// Every symbol of exactly this name in address order. Steps: those of
    /// [`lookup_name`](Self::lookup_name), then one a symbol.
    #[must_use]
    pub fn lookup_all<N: AsRef<[u8]> + ?Sized>(&self, name: &N) -> Occurrences<'_, L> {
        Occurrences { table: self, named: self.layout.named(name.as_ref()) }
    }
}

/// Every symbol of one name: [`Table::lookup_all`].
pub struct Occurrences<'t, L: Layout + 't> {
    table: &'t Table<L>,
    named: L::Named<'t>,
}

impl<'t, L: Layout> Iterator for Occurrences<'t, L> {
    type Item = Symbol<'t, L>;

    fn next(&mut self) -> Option<Self::Item> {
        self.table.symbol(self.named.next()?)
    }
}

impl<'t, L: Layout + 't> Clone for Occurrences<'t, L> {
    fn clone(&self) -> Self {
        Self { table: self.table, named: self.named.clone() }
    }
}

impl<L: Layout> fmt::Debug for Occurrences<'_, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}
