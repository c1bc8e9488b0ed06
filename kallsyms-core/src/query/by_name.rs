//! Name → symbols.

use core::fmt;

use super::{Symbol, Symbols};
use crate::llvm::stem_len;
use crate::table::{Layout, Table};

impl<L: Layout> Table<L> {
    /// The first symbol of exactly this name in address order.
    ///
    /// Steps: in an image one hash, three places in memory and one compare; in Linux's tables a bisection
    /// over the names, or a walk where the kernel has no order of names. Where names were sorted without
    /// `.llvm.…`, each that differs from this one behind it alone takes a compare more; with an index of the
    /// names, each whose hash was made to be the same. A compare takes at most a piece for each byte of
    /// `name`, and in Linux's tables a step for each token that stands for nothing.
    #[must_use]
    pub fn lookup_name<N: AsRef<[u8]> + ?Sized>(&self, name: &N) -> Option<Symbol<'_, L>> {
        self.lookup_all(name).next()
    }

    /// Every symbol of exactly this name in address order. Steps: those of
    /// [`lookup_name`](Self::lookup_name), then one a symbol; whatever links say, these are no more than the
    /// table has.
    #[must_use]
    pub fn lookup_all<N: AsRef<[u8]> + ?Sized>(&self, name: &N) -> Occurrences<'_, L> {
        Occurrences { table: self, named: self.layout.named(name.as_ref()) }
    }

    /// The first symbol of exactly this name, else the first that differs from it in a trailing
    /// `.llvm.<digits>` alone: LTO adds one to a local symbol that it makes global.
    ///
    /// Steps: those of [`lookup_name`](Self::lookup_name); then, if there is no such name, those of
    /// [`lookup_all_ignoring_llvm`](Self::lookup_all_ignoring_llvm).
    #[must_use]
    pub fn lookup_name_ignoring_llvm<N: AsRef<[u8]> + ?Sized>(&self, name: &N) -> Option<Symbol<'_, L>> {
        self.lookup_name(name).or_else(|| self.lookup_all_ignoring_llvm(name).next())
    }

    /// Every symbol of this name or one that differs from it in a trailing `.llvm.<digits>` alone, in address
    /// order.
    ///
    /// Steps: one a symbol; a name is decoded as far as its first differing code, and to its end where it
    /// starts with `name`.
    pub fn lookup_all_ignoring_llvm<'t, 'n, N: AsRef<[u8]> + ?Sized>(
        &'t self,
        name: &'n N,
    ) -> SameStem<'t, 'n, L> {
        let name = name.as_ref();
        let stem = name.get(..stem_len(name.iter().copied())).unwrap_or_default();
        SameStem { symbols: self.iter(), stem }
    }
}

/// Symbols whose names are equal but for a trailing `.llvm.<digits>`: [`Table::lookup_all_ignoring_llvm`].
pub struct SameStem<'t, 'n, L> {
    symbols: Symbols<'t, L>,
    stem: &'n [u8],
}

impl<'t, L: Layout> Iterator for SameStem<'t, '_, L> {
    type Item = Symbol<'t, L>;

    fn next(&mut self) -> Option<Self::Item> {
        let stem = self.stem;
        self.symbols.find(|symbol| {
            let name = symbol.name();
            !stem.is_empty() && name.starts_with(stem) && name.stem_len() == stem.len()
        })
    }
}

impl<L> Clone for SameStem<'_, '_, L> {
    fn clone(&self) -> Self {
        Self { symbols: self.symbols.clone(), stem: self.stem }
    }
}

impl<L> fmt::Debug for SameStem<'_, '_, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SameStem").field("symbols", &self.symbols).field("stem", &self.stem).finish()
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
