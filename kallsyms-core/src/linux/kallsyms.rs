//! The tables as a [`Layout`]: what its views answer together.

use core::fmt;

use super::addresses::{Addresses, Found};
use super::bounds::Bounds;
use super::error::Error;
use super::format::{Lengths, Tables, Width};
use super::name_ranks::NameRanks;
use super::named::Named;
use super::records::{RecordOffset, Records};
use super::tokens::{Expansion, TokenTable};
use crate::num::{index, wide};
use crate::table::{Extent, Holder, Layout, Spelling, SymbolIndex, Table, Trail, is_absolute_kind};

/// The symbol table of a Linux kernel.
///
/// ```
/// use kallsyms_core::linux::{Encoding, Endian, Kallsyms, NameOrder, Places, Tables, Width};
///
/// // Two symbols, T main and t idle, spelt with tokens of one byte.
/// let letters: Vec<u8> = (0..=255u8).flat_map(|byte| [byte.max(1), 0]).collect();
/// let starts: Vec<u8> = (0..256u16).flat_map(|token| (token * 2).to_le_bytes()).collect();
/// let kallsyms = Kallsyms::new(Tables {
///     num_syms: 2,
///     pointer: Width::Bits64,
///     endian: Endian::Little,
///     encoding: Encoding::UnsignedBase { relative_base: 0xffff_ffff_8100_0000 },
///     lengths: None,
///     names: b"\x05Tmain\x05tidle",
///     places: Places::Markers { bytes: &[0; 4], width: Width::Bits32 },
///     token_table: &letters,
///     token_index: &starts,
///     offsets: &[0, 0, 0, 0, 0x40, 0, 0, 0],
///     seqs_of_names: &[0, 0, 1, 0, 0, 0],
///     name_order: NameOrder::Whole,
/// })?;
/// assert_eq!(kallsyms.describe(0xffff_ffff_8100_001c).to_string(), "main+0x1c/0x40");
/// assert_eq!(kallsyms.lookup_name("idle").map(|symbol| symbol.address()), Some(0xffff_ffff_8100_0040));
/// # Ok::<(), kallsyms_core::linux::Error>(())
/// ```
pub type Kallsyms<'a> = Table<Linux<'a>>;

/// The views of Linux's tables.
#[derive(Clone, Copy)]
pub struct Linux<'a> {
    pub(super) count: u32,
    pointer: Width,
    addresses: Addresses<'a>,
    pub(super) records: Records<'a>,
    pub(super) tokens: TokenTable<'a>,
    pub(super) ranks: Option<NameRanks<'a>>,
    /// Address of the first symbol that is not absolute; 0 where there is none.
    link_base: u64,
    bounds: Option<Bounds>,
}

impl<'a> Table<Linux<'a>> {
    /// Checks the tables as a whole and finds the [`Bounds`] among their symbols.
    ///
    /// Steps: one a symbol for the names, one for the addresses and one for the order of names, a walk to the
    /// first symbol that is not absolute, and up to seven lookups by name. Stack: under 1 KiB.
    ///
    /// # Errors
    ///
    /// [`Error`], one variant a fault. What passes never panics or reads out of bounds, though the order of
    /// names is believed.
    pub fn new(tables: Tables<'a>) -> Result<Self, Error> {
        if tables.num_syms == 0 {
            return Err(Error::NoSymbols);
        }
        let mut table = Self::over(Linux {
            count: tables.num_syms,
            pointer: tables.pointer,
            addresses: Addresses::new(&tables)?,
            records: Records::new(&tables)?,
            tokens: TokenTable::new(tables.token_index, tables.token_table, tables.endian)?,
            ranks: NameRanks::new(&tables)?,
            link_base: 0,
            bounds: None,
        });
        let based = (0..u32::MAX).zip(table.layout.kinds()).find(|&(_, kind)| !is_absolute_kind(kind));
        table.layout.link_base =
            based.and_then(|(symbol, _)| table.layout.address(SymbolIndex(symbol))).unwrap_or(0);
        table.layout.bounds = Bounds::find(|name| {
            let symbol = table.layout.named(name.as_bytes()).next()?;
            table.layout.address(symbol)
        });
        Ok(table)
    }

    /// The addresses that may have a symbol; `None` where the table does not name them.
    #[must_use]
    pub fn bounds(&self) -> Option<Bounds> {
        self.layout.bounds
    }

    /// The same table with other bounds, in link addresses, or with none: then every address at or above the
    /// first symbol may have one.
    #[must_use]
    pub fn with_bounds(mut self, bounds: Option<Bounds>) -> Self {
        self.layout.bounds = bounds;
        self
    }

    /// How the lengths of the names are stored.
    #[must_use]
    pub fn lengths(&self) -> Lengths {
        self.layout.records.lengths()
    }

    /// Bytes that the names take, without what may follow them.
    #[must_use]
    pub fn names_len(&self) -> usize {
        self.layout.records.len()
    }

    /// Bytes that the token table takes, without what may follow it, and its index.
    #[must_use]
    pub fn tokens_len(&self) -> usize {
        self.layout.tokens.len()
    }
}

impl Linux<'_> {
    /// The types of all symbols.
    fn kinds(&self) -> impl Iterator<Item = u8> {
        self.walk().map(|(_, trail)| self.spelled(trail).unwrap_or_default().kind())
    }

    /// Every symbol, and where its record begins.
    pub(super) fn walk(&self) -> impl Iterator<Item = (SymbolIndex, RecordOffset)> {
        let first = self.records.offset(0);
        let trails = core::iter::successors(first, |&trail| self.records.after(trail));
        (0..self.count).map(SymbolIndex).zip(trails)
    }

    #[inline]
    pub(super) fn spelled(&self, trail: RecordOffset) -> Option<Spelling<Expansion<'_>>> {
        let (record, _) = self.records.at(trail)?;
        Some(Spelling { stream: Expansion::new(&self.tokens, record), skip: 1 })
    }

    /// Whether the bounds are known and hold an address.
    fn is_inside(&self, address: u64) -> bool {
        self.bounds.is_some_and(|bounds| bounds.contain(address))
    }

    /// What a symbol answers for, from its start and the next different address.
    fn extent_from(&self, start: u64, next: Option<u64>, asked: u64) -> Extent {
        let size = match next {
            // Between the absolute symbols and the kernel lies nothing that the gate would not let through.
            Some(next) if start < self.link_base && next >= self.link_base && !self.is_inside(asked) => None,
            Some(next) => next.checked_sub(start),
            None => self.bounds.and_then(|bounds| bounds.end_behind(asked).checked_sub(start)),
        };
        let last = match size {
            // The gate alone ends the last symbol.
            _ if next.is_none() && self.bounds.is_some() => u64::MAX,
            Some(size) => start.saturating_add(size.saturating_sub(1)),
            // Memory is mapped by pages, so the last symbol is taken to fill its page.
            None if next.is_none() => start | 0xfff,
            None => start,
        };
        Extent { size, last }
    }
}

impl Layout for Linux<'_> {
    type Stream<'t>
        = Expansion<'t>
    where
        Self: 't;
    type Named<'t>
        = Named<'t>
    where
        Self: 't;

    fn symbol_count(&self) -> u32 {
        self.count
    }

    fn address_digits(&self) -> usize {
        match self.pointer {
            Width::Bits32 => 8,
            Width::Bits64 => 16,
        }
    }

    #[inline]
    fn address(&self, symbol: SymbolIndex) -> Option<u64> {
        self.addresses.get(symbol.0)
    }

    fn trail(&self, symbol: SymbolIndex) -> Option<Trail> {
        self.records.offset(symbol.0)?.trail()
    }

    #[inline]
    fn trail_behind(&self, trail: Trail) -> Option<Trail> {
        self.records.after(trail.into())?.trail()
    }

    #[inline]
    fn spelling(&self, _: SymbolIndex, trail: Trail) -> Option<Spelling<Expansion<'_>>> {
        self.spelled(trail.into())
    }

    #[inline(always)]
    fn holder(&self, address: u64) -> Option<Holder> {
        if !self.may_hold(address) {
            return None;
        }
        let Found { symbol, start, next } = self.addresses.find(address)?;
        Some(Holder { index: SymbolIndex(symbol), start, extent: self.extent_from(start, next, address) })
    }

    fn extent(&self, symbol: SymbolIndex) -> Option<Extent> {
        let start = self.addresses.get(symbol.0)?;
        Some(self.extent_from(start, self.addresses.next_above(symbol.0, start), start))
    }

    fn enclosing(&self, _: SymbolIndex) -> Option<SymbolIndex> {
        None
    }

    fn named<'t>(&'t self, name: &[u8]) -> Named<'t> {
        Named::new(self, name)
    }

    fn pass_pays(&self, names: usize) -> bool {
        let symbols = index(self.count);
        match (&self.ranks, self.records.are_indexed()) {
            // A lookup is half a pass already.
            (None, _) => names > 1,
            (Some(_), true) => names > symbols / 11,
            (Some(_), false) => names > symbols / 36,
        }
    }

    fn may_hold(&self, address: u64) -> bool {
        self.bounds.is_none_or(|bounds| bounds.contain(address))
    }

    fn name_bits(&self, _: SymbolIndex, trail: Trail) -> Option<u64> {
        Some(wide(self.records.record_len(trail.into())?).wrapping_mul(8))
    }

    fn dictionary_len(&self) -> usize {
        self.tokens.len()
    }

    fn module(&self, _: SymbolIndex) -> Option<&[u8]> {
        None
    }
}

impl fmt::Debug for Linux<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Linux")
            .field("symbols", &self.count)
            .field("bounds", &self.bounds)
            .finish_non_exhaustive()
    }
}
