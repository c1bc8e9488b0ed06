//! The tables with an index of their names.

use super::kallsyms::{Kallsyms, Linux};
use super::name_index::{self, Candidates, IndexError, NameIndex};
use super::records::RecordOffset;
use super::tokens::Expansion;
use crate::num::index;
use crate::table::{Extent, Holder, Layout, Spelling, SymbolIndex, Table, Trail};

/// The views of Linux's tables, and an index of the names in a buffer of the caller's:
/// [`Kallsyms::with_name_index`].
#[derive(Debug, Clone, Copy)]
pub struct Indexed<'a> {
    linux: Linux<'a>,
    names: NameIndex<'a>,
}

impl<'a> Table<Linux<'a>> {
    /// Words of a buffer for [`with_name_index`](Self::with_name_index): one a symbol, and at most 15 more.
    #[must_use]
    pub fn name_index_words(&self) -> usize {
        name_index::words(self.len())
    }

    /// The same table with an index of its names, which is built in the first words of a buffer, whatever is
    /// in them: a name is then found by its hash, also where the kernel has no order of names.
    ///
    /// Steps: two walks over the table, each with a hash a name. Then a lookup by name takes a hash, one step
    /// for each entry of its bucket, which are 8 on average and those of the names that were made to have the
    /// same hash, and in tables with markers up to 255 lengths for each of them with the same part of its
    /// hash, which are one in a thousand others.
    ///
    /// # Errors
    ///
    /// [`IndexError::TooShort`] if there are less than [`name_index_words`](Self::name_index_words),
    /// [`IndexError::TooLarge`].
    pub fn with_name_index(self, buffer: &'a mut [u32]) -> Result<Table<Indexed<'a>>, IndexError> {
        let Self { layout: linux, slide } = self;
        let names = NameIndex::build(linux.count, || linux.hashes(), buffer)?;
        Ok(Table { layout: Indexed { linux, names }, slide })
    }
}

impl<'a> Table<Indexed<'a>> {
    /// The table without the index.
    #[must_use]
    pub fn without_name_index(&self) -> Kallsyms<'a> {
        Table { layout: self.layout.linux, slide: self.slide }
    }
}

impl Linux<'_> {
    /// The hash of every name.
    fn hashes(&self) -> impl Iterator<Item = u64> {
        self.walk().map(|(_, at)| self.hash(at))
    }

    #[inline(never)]
    fn hash(&self, at: RecordOffset) -> u64 {
        let mut hasher = name_index::hasher();
        if let Some(name) = self.name(at) {
            name.all(|piece| {
                hasher.write(piece);
                true
            });
        }
        hasher.finish()
    }
}

/// The symbols of one name, in address order. Steps: one an entry of the name's bucket, and a compare for each
/// that has the same part of the hash.
#[derive(Debug, Clone)]
pub struct NamedByHash<'t> {
    linux: &'t Linux<'t>,
    candidates: Candidates<'t>,
    at: At,
}

#[derive(Debug, Clone, Copy)]
enum At {
    End,
    First(SymbolIndex, RecordOffset),
    Behind(RecordOffset),
}

impl Iterator for NamedByHash<'_> {
    type Item = SymbolIndex;

    fn next(&mut self) -> Option<SymbolIndex> {
        match self.at {
            At::End => None,
            At::First(symbol, name) => {
                self.at = At::Behind(name);
                Some(symbol)
            }
            At::Behind(name) => {
                let linux = self.linux;
                self.candidates
                    .find(|symbol| linux.records.offset(symbol.0).is_some_and(|at| linux.same_name(name, at)))
            }
        }
    }
}

impl Layout for Indexed<'_> {
    type Stream<'t>
        = Expansion<'t>
    where
        Self: 't;
    type Named<'t>
        = NamedByHash<'t>
    where
        Self: 't;

    fn symbol_count(&self) -> u32 {
        self.linux.symbol_count()
    }

    fn address_digits(&self) -> usize {
        self.linux.address_digits()
    }

    #[inline]
    fn address(&self, symbol: SymbolIndex) -> Option<u64> {
        self.linux.address(symbol)
    }

    fn trail(&self, symbol: SymbolIndex) -> Option<Trail> {
        self.linux.trail(symbol)
    }

    #[inline]
    fn trail_behind(&self, trail: Trail) -> Option<Trail> {
        self.linux.trail_behind(trail)
    }

    #[inline]
    fn spelling(&self, symbol: SymbolIndex, trail: Trail) -> Option<Spelling<Expansion<'_>>> {
        self.linux.spelling(symbol, trail)
    }

    #[inline(always)]
    fn holder(&self, address: u64) -> Option<Holder> {
        self.linux.holder(address)
    }

    fn extent(&self, symbol: SymbolIndex) -> Option<Extent> {
        self.linux.extent(symbol)
    }

    fn enclosing(&self, symbol: SymbolIndex) -> Option<SymbolIndex> {
        self.linux.enclosing(symbol)
    }

    fn named<'t>(&'t self, name: &[u8]) -> NamedByHash<'t> {
        let linux = &self.linux;
        let mut candidates = self.names.candidates(name);
        let found = candidates.find_map(|symbol| {
            let at = linux.records.offset(symbol.0)?;
            linux.compare(at, name).is_eq().then_some(At::First(symbol, at))
        });
        // No symbol has an empty name, whatever a damaged table says.
        let at = if name.is_empty() { At::End } else { found.unwrap_or(At::End) };
        NamedByHash { linux, candidates, at }
    }

    fn pass_pays(&self, names: usize) -> bool {
        !self.linux.records.are_indexed() && names > index(self.linux.count) / 2
    }

    fn may_hold(&self, address: u64) -> bool {
        self.linux.may_hold(address)
    }

    fn name_bits(&self, symbol: SymbolIndex, trail: Trail) -> Option<u64> {
        self.linux.name_bits(symbol, trail)
    }

    fn dictionary_len(&self) -> usize {
        self.linux.dictionary_len()
    }

    fn module(&self, symbol: SymbolIndex) -> Option<&[u8]> {
        self.linux.module(symbol)
    }
}
