//! The image as a [`Layout`]: what its views answer together.

use core::fmt;

use super::addresses::Addresses;
use super::layout::{Header, SectionKind, flags};
use super::modules::Modules;
use super::name_index::NameIndex;
use super::sections::Sections;
use super::sizes::{Known, Sizes};
use super::tokens::{Codes, Tokens};
use crate::error::Error;
use crate::name::Name;
use crate::table::{Extent, Layout, Spelling, SymbolIndex};

/// The views of an image.
#[derive(Clone, Copy)]
pub struct Native<'a> {
    sections: Sections<'a>,
    pub(super) addresses: Addresses<'a>,
    pub(super) tokens: Tokens<'a>,
    pub(super) name_index: NameIndex<'a>,
    pub(super) sizes: Option<Sizes<'a>>,
    pub(super) modules: Modules<'a>,
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
        symbol.0 < self.header().leading_absolute.get()
    }

    /// Codes of a symbol's type and name, and whether they are those of the symbol before with the prefix.
    pub(super) fn codes(&self, symbol: SymbolIndex) -> Option<(Codes<'a>, bool)> {
        let header = self.header();
        let (block, place) = self.addresses.open_at(symbol)?;
        let mut run = block.record.code_run(place)?;
        let refers = run.count == 0;
        if refers {
            run = block.record.code_run(place.checked_sub(1)?)?;
        }
        let packed = block.record.codes(header.link_bytes)?;
        Some((Codes::new(self.tokens, packed, header.code_bits, run.first, run.count), refers))
    }

    /// The next symbol of the same name.
    pub(super) fn link(&self, symbol: SymbolIndex) -> Option<SymbolIndex> {
        let (block, place) = self.addresses.open_at(symbol)?;
        block.record.link(place, self.header().link_bytes).map(SymbolIndex)
    }

    /// Bytes from a symbol's start to the next different address, or to the known end of the table.
    pub(super) fn distance(&self, symbol: SymbolIndex) -> Option<u64> {
        let start = self.addresses.address(symbol)?;
        match self.addresses.next_above(symbol) {
            // Between the absolute symbols and the kernel lies nothing.
            Some(next) if self.is_leading(symbol) && next >= self.header().link_base.get() => None,
            Some(next) => next.checked_sub(start),
            None if self.header().flags.get() & flags::END_KNOWN == 0 => None,
            None => self.header().covered_last.get().checked_sub(start)?.checked_add(1),
        }
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
        self.header().symbol_count.get()
    }

    fn address_digits(&self) -> usize {
        usize::from(self.header().address_digits)
    }

    fn address(&self, symbol: SymbolIndex) -> Option<u64> {
        self.addresses.address(symbol)
    }

    #[inline]
    fn spelling(&self, symbol: SymbolIndex) -> Option<Spelling<Codes<'_>>> {
        let (stream, refers) = self.codes(symbol)?;
        let skip = if refers { usize::from(self.header().prefix_len).wrapping_add(1) } else { 1 };
        Some(Spelling { stream, skip })
    }

    fn at_or_before(&self, address: u64) -> Option<SymbolIndex> {
        self.addresses.at_or_before(address)
    }

    fn extent(&self, symbol: SymbolIndex) -> Option<Extent> {
        let start = self.addresses.address(symbol)?;
        let distance = self.distance(symbol);
        let size = match self.sizes.map(|sizes| sizes.known(symbol)) {
            Some(Known::Size(size)) => Some(size),
            Some(Known::Gap(gap)) => distance.map(|distance| distance.saturating_sub(u64::from(gap))),
            None => distance,
        };
        let last = match size {
            Some(size) => start.saturating_add(size.saturating_sub(1)),
            None if self.addresses.next_above(symbol).is_none() => {
                self.header().covered_last.get().max(start)
            }
            None => start,
        };
        Some(Extent { size, last })
    }

    fn enclosing(&self, symbol: SymbolIndex) -> Option<SymbolIndex> {
        self.sizes?.parent(symbol)
    }

    fn named<'t>(&'t self, name: &[u8]) -> Named<'t> {
        let first = self.name_index.candidate(name).filter(|&symbol| {
            let name_of = |spelling| Name::<Self>::new(spelling);
            self.spelling(symbol).is_some_and(|spelling| name_of(spelling) == *name)
        });
        Named { native: self, next: first }
    }

    fn module(&self, symbol: SymbolIndex) -> Option<&[u8]> {
        self.modules.of(symbol)
    }
}

/// The symbols of one name: the first by the index, the others by links.
#[derive(Debug, Clone)]
pub struct Named<'t> {
    native: &'t Native<'t>,
    next: Option<SymbolIndex>,
}

impl Iterator for Named<'_> {
    type Item = SymbolIndex;

    fn next(&mut self) -> Option<SymbolIndex> {
        let symbol = self.next?;
        // Links rise; a damaged one must not lead in a circle.
        self.next = self.native.link(symbol).filter(|&link| link > symbol);
        Some(symbol)
    }
}

impl fmt::Debug for Native<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Native").field("header", self.header()).finish_non_exhaustive()
    }
}
