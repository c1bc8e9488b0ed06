//! The image as a [`Layout`]: what its views answer together.

use core::fmt;

use super::addresses::Addresses;
use super::codes::{Codes, PackedCodes};
use super::layout::{BLOCK_SYMBOLS, Header, SectionKind, flags};
use super::modules::Modules;
use super::name_index::NameIndex;
use super::sections::Sections;
use super::sizes::{Known, Sizes};
use super::tokens::Tokens;
use crate::error::Error;
use crate::name::Name;
use crate::table::{Extent, GROUP, Holder, Layout, Spelling, SymbolIndex, Trail};

/// The views of an image.
#[derive(Clone, Copy)]
pub struct Native<'a> {
    sections: Sections<'a>,
    pub(super) addresses: Addresses<'a>,
    pub(super) tokens: Tokens<'a>,
    pub(super) name_index: NameIndex<'a>,
    pub(super) sizes: Option<Sizes<'a>>,
    pub(super) modules: Modules<'a>,
    // Copies of what a lookup needs of the header, whose cache line it need not touch.
    covered_last: u64,
    end_known: bool,
    leading_absolute: u32,
    code_bits: u8,
    link_bytes: u8,
    prefix_len: u8,
}

impl<'a> Native<'a> {
    pub(super) fn read(bytes: &'a [u8]) -> Result<Self, Error> {
        let sections = Sections::read(bytes)?;
        let header = sections.header;
        let section = |kind| sections.bytes(kind);
        let ragged = |kind, entry_len| Sections::length(kind, section(kind).len(), entry_len);
        let tokens = section(SectionKind::Tokens);
        let tokens = if header.flags.get() & flags::NESTED_TOKENS == 0 {
            Tokens::flat(tokens, section(SectionKind::TokenBytes))
        } else {
            Tokens::nested(tokens)
        };
        let gaps = section(SectionKind::Gaps);
        let sizes = Sizes::new(gaps, section(SectionKind::SizeExceptions))
            .ok_or(ragged(SectionKind::SizeExceptions, 16))?;
        Ok(Self {
            sections,
            addresses: Addresses::new(
                header,
                section(SectionKind::Blocks),
                section(SectionKind::Hints),
                section(SectionKind::Records),
            )
            .ok_or(ragged(SectionKind::Hints, 2))?,
            tokens: tokens.ok_or(ragged(SectionKind::Tokens, 4))?,
            name_index: NameIndex::new(
                header,
                sections.hash_id,
                section(SectionKind::Pilots),
                section(SectionKind::Index),
            ),
            sizes: (!gaps.is_empty()).then_some(sizes),
            modules: Modules::new(section(SectionKind::ModuleRuns), section(SectionKind::ModuleNames))
                .ok_or(ragged(SectionKind::ModuleRuns, 8))?,
            covered_last: header.covered_last.get(),
            end_known: header.flags.get() & flags::END_KNOWN != 0,
            leading_absolute: header.leading_absolute.get(),
            code_bits: header.code_bits,
            link_bytes: header.link_bytes,
            prefix_len: header.prefix_len,
        })
    }

    pub(super) fn header(&self) -> &'a Header {
        self.sections.header
    }

    pub(super) fn image(&self) -> &'a [u8] {
        self.sections.image
    }

    pub(super) fn section(&self, kind: SectionKind) -> &'a [u8] {
        self.sections.bytes(kind)
    }

    pub(super) fn is_leading(&self, symbol: SymbolIndex) -> bool {
        symbol.0 < self.leading_absolute
    }

    /// Codes of a symbol's type and name, and whether they are those of the symbol before with the prefix.
    #[inline]
    pub(super) fn codes(&self, symbol: SymbolIndex) -> Option<(Codes<'_>, bool)> {
        let (block, place) = self.addresses.open_at(symbol)?;
        let mut run = block.record.code_run(place)?;
        let refers = run.count == 0;
        if refers {
            run = block.record.code_run(place.checked_sub(1)?)?;
        }
        let packed = block.record.codes(self.link_bytes)?;
        let packed = PackedCodes::new(packed, self.code_bits, run.first, run.count);
        Some((Codes::new(&self.tokens, packed), refers))
    }

    /// Type and name of a symbol.
    #[inline]
    pub(super) fn spelled(&self, symbol: SymbolIndex) -> Option<Spelling<Codes<'_>>> {
        let (stream, refers) = self.codes(symbol)?;
        let skip = if refers { usize::from(self.prefix_len).wrapping_add(1) } else { 1 };
        Some(Spelling { stream, skip })
    }

    /// Whether this is the name of a symbol.
    #[inline]
    fn is_named(&self, symbol: SymbolIndex, name: &[u8]) -> bool {
        self.spelled(symbol).is_some_and(|spelling| Name::<Self>::new(spelling) == *name)
    }

    /// The next symbol of the same name.
    pub(super) fn link(&self, symbol: SymbolIndex) -> Option<SymbolIndex> {
        let (block, place) = self.addresses.open_at(symbol)?;
        block.record.link(place, self.link_bytes).map(SymbolIndex)
    }

    /// A symbol, and those that its links lead to.
    pub(super) fn chain(&self, symbol: SymbolIndex) -> Named<'_> {
        Named { native: self, at: Next::Symbol(symbol) }
    }

    /// Bytes from a symbol's start to where it would end without gaps, if that is known.
    pub(super) fn distance(&self, symbol: SymbolIndex) -> Option<u64> {
        let start = self.addresses.address(symbol)?;
        self.distance_from(symbol, start, self.addresses.next_above(start))
    }

    #[inline]
    fn distance_from(&self, symbol: SymbolIndex, start: u64, next: Option<u64>) -> Option<u64> {
        match next {
            // Between the absolute symbols and the kernel lies nothing.
            Some(next) if self.is_leading(symbol) && next >= self.addresses.link_base => None,
            Some(next) => next.checked_sub(start),
            None if self.end_known => {
                self.covered_last.checked_sub(start).and_then(|size| size.checked_add(1))
            }
            None => None,
        }
    }

    /// What a symbol answers for, from its start and the next different address.
    #[inline]
    fn extent_from(&self, symbol: SymbolIndex, start: u64, next: Option<u64>) -> Extent {
        let distance = self.distance_from(symbol, start, next);
        let size = match self.sizes.map(|sizes| sizes.known(symbol)) {
            Some(Known::Size(size)) => Some(size),
            Some(Known::Gap(gap)) => distance.map(|distance| distance.saturating_sub(u64::from(gap))),
            None => distance,
        };
        let last = match size {
            Some(size) => start.saturating_add(size.saturating_sub(1)),
            None if next.is_none() => self.covered_last.max(start),
            None => start,
        };
        Extent { size, last }
    }
}

impl Layout for Native<'_> {
    type Stream<'t>
        = Codes<'t>
    where
        Self: 't;
    type Named<'t>
        = Named<'t>
    where
        Self: 't;

    fn symbol_count(&self) -> u32 {
        self.addresses.symbol_count
    }

    fn address_digits(&self) -> usize {
        usize::from(self.header().address_digits)
    }

    fn address(&self, symbol: SymbolIndex) -> Option<u64> {
        self.addresses.address(symbol)
    }

    // A block is found by arithmetic.
    fn trail(&self, _: SymbolIndex) -> Option<Trail> {
        Trail::to(0)
    }

    fn trail_behind(&self, trail: Trail) -> Option<Trail> {
        Some(trail)
    }

    #[inline]
    fn spelling(&self, symbol: SymbolIndex, _: Trail) -> Option<Spelling<Codes<'_>>> {
        self.spelled(symbol)
    }

    #[inline(always)]
    fn holder(&self, address: u64) -> Option<Holder> {
        let (index, start, next) = self.addresses.find(address)?;
        Some(Holder { index, start, extent: self.extent_from(index, start, next) })
    }

    fn extent(&self, symbol: SymbolIndex) -> Option<Extent> {
        let start = self.addresses.address(symbol)?;
        Some(self.extent_from(symbol, start, self.addresses.next_above(start)))
    }

    fn enclosing(&self, symbol: SymbolIndex) -> Option<SymbolIndex> {
        self.sizes?.parent(symbol)
    }

    #[inline]
    fn named<'t>(&'t self, name: &[u8]) -> Named<'t> {
        let first = self.name_index.candidate(name).filter(|&symbol| self.is_named(symbol, name));
        Named { native: self, at: first.map_or(Next::End, Next::Symbol) }
    }

    /// In stages, so that the places in memory that each name needs are waited for together.
    fn first_of_each(&self, names: &[&[u8]; GROUP]) -> [Option<SymbolIndex>; GROUP] {
        let (mut hashes, mut slots, mut found) = ([0; GROUP], [None; GROUP], [None; GROUP]);
        for (hash, name) in hashes.iter_mut().zip(names) {
            *hash = self.name_index.hash(name);
        }
        for (slot, &hash) in slots.iter_mut().zip(&hashes) {
            *slot = self.name_index.slot(hash);
        }
        for ((found, &hash), &slot) in found.iter_mut().zip(&hashes).zip(&slots) {
            *found = slot.and_then(|slot| self.name_index.entry(slot, hash));
        }
        for symbol in found.iter().flatten() {
            // Has the record on its way when it is compared below.
            let stored = self.addresses.stored(symbol.0 / BLOCK_SYMBOLS);
            core::hint::black_box(stored.and_then(|(_, at)| self.addresses.record(at)));
        }
        for (found, name) in found.iter_mut().zip(names) {
            *found = found.filter(|&symbol| self.is_named(symbol, name));
        }
        found
    }

    // A lookup is two cache misses, a pass is one decoded name a symbol.
    fn pass_pays(&self, _: usize) -> bool {
        false
    }

    fn may_hold(&self, _: u64) -> bool {
        true
    }

    fn name_bits(&self, symbol: SymbolIndex, _: Trail) -> Option<u64> {
        match self.codes(symbol)? {
            (_, true) => Some(0),
            (codes, false) => {
                Some(u64::from(codes.packed().remaining()).wrapping_mul(u64::from(self.code_bits)))
            }
        }
    }

    fn dictionary_len(&self) -> usize {
        let section = |kind| self.section(kind).len();
        section(SectionKind::Tokens).saturating_add(section(SectionKind::TokenBytes))
    }

    fn module(&self, symbol: SymbolIndex) -> Option<&[u8]> {
        self.modules.of(symbol)
    }
}

/// The symbols of one name: the first by the index, the others by links.
#[derive(Debug, Clone)]
pub struct Named<'t> {
    native: &'t Native<'t>,
    at: Next,
}

/// Where the next symbol of a name comes from.
#[derive(Debug, Clone, Copy)]
enum Next {
    Symbol(SymbolIndex),
    After(SymbolIndex),
    End,
}

impl Iterator for Named<'_> {
    type Item = SymbolIndex;

    #[inline]
    fn next(&mut self) -> Option<SymbolIndex> {
        let symbol = match self.at {
            Next::Symbol(symbol) => Some(symbol),
            // Links rise; a damaged one must not lead in a circle.
            Next::After(symbol) => self.native.link(symbol).filter(|&link| link > symbol),
            Next::End => None,
        };
        self.at = symbol.map_or(Next::End, Next::After);
        symbol
    }
}

impl fmt::Debug for Native<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Native").field("header", self.header()).finish_non_exhaustive()
    }
}
