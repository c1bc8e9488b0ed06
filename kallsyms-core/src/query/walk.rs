//! Every symbol, in address order.

use core::fmt;

use super::Symbol;
use crate::table::{Layout, SymbolIndex, Table, Trail};

impl<L: Layout> Table<L> {
    /// Every symbol in address order. Steps: one a symbol; a name is decoded only when it is asked for.
    #[must_use]
    pub fn iter(&self) -> Symbols<'_, L> {
        Symbols { table: self, places: 0..self.len(), trail: self.layout.trail(SymbolIndex(0)) }
    }

    /// Every symbol whose name starts with these bytes, in address order.
    ///
    /// Steps: one a symbol; a name is decoded as far as its first differing code.
    pub fn starting_with<'t, 'p, N: AsRef<[u8]> + ?Sized>(
        &'t self,
        prefix: &'p N,
    ) -> StartingWith<'t, 'p, L> {
        StartingWith { symbols: self.iter(), prefix: prefix.as_ref() }
    }
}

impl<'t, L: Layout> IntoIterator for &'t Table<L> {
    type Item = Symbol<'t, L>;
    type IntoIter = Symbols<'t, L>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// Every symbol: [`Table::iter`].
pub struct Symbols<'t, L> {
    table: &'t Table<L>,
    places: core::ops::Range<u32>,
    /// Of the next symbol.
    trail: Option<Trail>,
}

impl<'t, L: Layout> Iterator for Symbols<'t, L> {
    type Item = Symbol<'t, L>;

    fn next(&mut self) -> Option<Self::Item> {
        let index = SymbolIndex(self.places.next()?);
        let trail = self.trail;
        self.trail = trail.and_then(|trail| self.table.layout.trail_behind(trail));
        Some(Symbol::on_trail(self.table, index, trail))
    }

    fn nth(&mut self, n: usize) -> Option<Self::Item> {
        if n > 0 {
            let passed = u32::try_from(n).unwrap_or(u32::MAX);
            self.places.start = self.places.start.saturating_add(passed).min(self.places.end);
            self.trail = self.table.layout.trail(SymbolIndex(self.places.start));
        }
        self.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.places.size_hint()
    }
}

impl<L: Layout> ExactSizeIterator for Symbols<'_, L> {}

impl<L> Clone for Symbols<'_, L> {
    fn clone(&self) -> Self {
        Self { table: self.table, places: self.places.clone(), trail: self.trail }
    }
}

impl<L> fmt::Debug for Symbols<'_, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Symbols").field(&self.places).finish()
    }
}

/// Symbols that share a prefix: [`Table::starting_with`].
pub struct StartingWith<'t, 'p, L> {
    symbols: Symbols<'t, L>,
    prefix: &'p [u8],
}

impl<'t, L: Layout> Iterator for StartingWith<'t, '_, L> {
    type Item = Symbol<'t, L>;

    fn next(&mut self) -> Option<Self::Item> {
        let prefix = self.prefix;
        self.symbols.find(|symbol| symbol.name().starts_with(prefix))
    }
}

impl<L> Clone for StartingWith<'_, '_, L> {
    fn clone(&self) -> Self {
        Self { symbols: self.symbols.clone(), prefix: self.prefix }
    }
}

impl<L> fmt::Debug for StartingWith<'_, '_, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StartingWith").field("symbols", &self.symbols).field("prefix", &self.prefix).finish()
    }
}
