//! What every kind of table can do, and the one type that the queries are written on.

use core::fmt;
use core::num::NonZeroU32;

use crate::num::{low32, widen};
pub use crate::pieces::Pieces;

/// Place of a symbol in a table, in address order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct SymbolIndex(pub u32);

/// Where the name of a symbol is found: what a walk hands from symbol to symbol, so that no name need be
/// searched for.
///
/// Of one type for all layouts, or else a [`Symbol`](crate::Symbol) could not be lent for a shorter time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Trail(NonZeroU32);

impl Trail {
    /// A trail to this offset; `None` for the highest of all numbers.
    pub(crate) const fn to(offset: u32) -> Option<Self> {
        match NonZeroU32::new(offset.wrapping_add(1)) {
            Some(trail) => Some(Self(trail)),
            None => None,
        }
    }

    /// The offset.
    pub(crate) const fn offset(self) -> u32 {
        self.0.get().wrapping_sub(1)
    }
}

/// How a name is stored: a stream of pieces, of which the first bytes do not belong to it.
///
/// The first byte of the stream is the nm type.
#[derive(Debug, Clone, Default)]
pub struct Spelling<S> {
    /// The pieces.
    pub stream: S,
    /// Bytes to drop from its start: the type, and a prefix that this name lacks.
    pub skip: usize,
}

impl<'t, S: Pieces<'t>> Spelling<S> {
    /// The nm type: the first byte of the stream; `?` if the table is damaged.
    pub(crate) fn kind(&self) -> u8 {
        let mut kind = b'?';
        self.stream.all_behind(0, |piece| {
            kind = piece.first().copied().unwrap_or(kind);
            false
        });
        kind
    }
}

/// Whether a symbol of this nm type is absolute, so that no slide moves it: A or a.
#[must_use]
pub const fn is_absolute_kind(kind: u8) -> bool {
    kind.eq_ignore_ascii_case(&b'a')
}

/// The addresses that belong to a symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extent {
    /// Bytes, where they are known.
    pub size: Option<u64>,
    /// Last address (inclusive) that the symbol answers for; its own start at least.
    pub last: u64,
}

/// The first symbol at the highest address that is not above the one asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Holder {
    /// Its place.
    pub index: SymbolIndex,
    /// Its address.
    pub start: u64,
    /// What it answers for; this may end below the address that was asked for.
    pub extent: Extent,
}

/// Names that a batch looks up at a time: enough to overlap their cache misses.
pub const GROUP: usize = 8;

/// What a kind of table can do; the queries of [`Table`] are written once over it.
///
/// Addresses are link addresses. Everything returns `None` for an index outside the table.
pub trait Layout: fmt::Debug {
    /// Pieces of a name, type first.
    type Stream<'t>: Pieces<'t>
    where
        Self: 't;
    /// Symbols of one name in address order.
    type Named<'t>: Iterator<Item = SymbolIndex> + Clone + fmt::Debug
    where
        Self: 't;
    /// Number of symbols.
    fn symbol_count(&self) -> u32;
    /// Hexadecimal digits of an address in a listing.
    fn address_digits(&self) -> usize;
    /// Address of a symbol.
    fn address(&self, index: SymbolIndex) -> Option<u64>;
    /// Where the name of a symbol is found.
    fn trail(&self, index: SymbolIndex) -> Option<Trail>;
    /// The same of the symbol behind.
    fn trail_behind(&self, trail: Trail) -> Option<Trail>;
    /// Type and name of a symbol.
    fn spelling(&self, index: SymbolIndex, trail: Trail) -> Option<Spelling<Self::Stream<'_>>>;
    /// First symbol at the highest address that is not above `address`.
    fn holder(&self, address: u64) -> Option<Holder>;
    /// Addresses that belong to a symbol.
    fn extent(&self, index: SymbolIndex) -> Option<Extent>;
    /// Symbol that answers for addresses past this one's end, if its own end lies further on.
    fn enclosing(&self, index: SymbolIndex) -> Option<SymbolIndex>;
    /// Every symbol of exactly this name.
    fn named<'t>(&'t self, name: &[u8]) -> Self::Named<'t>;
    /// The first symbol of each of these names.
    ///
    /// As [`named`](Self::named) one by one, unless a layout can overlap what they wait for.
    fn first_of_each(&self, names: &[&[u8]; GROUP]) -> [Option<SymbolIndex>; GROUP] {
        let mut firsts = [None; GROUP];
        for (first, name) in firsts.iter_mut().zip(names) {
            *first = self.named(name).next();
        }
        firsts
    }
    /// Whether one pass over the table finds so many names sooner than lookups one by one; as measured.
    fn pass_pays(&self, names: usize) -> bool;
    /// Whether an address may have a symbol at all: the gate of a kernel that has one.
    fn may_hold(&self, address: u64) -> bool;
    /// Bits that the type and name of a symbol take in the table.
    fn name_bits(&self, index: SymbolIndex, trail: Trail) -> Option<u64>;
    /// Bytes of what the names are decoded with.
    fn dictionary_len(&self) -> usize;
    /// Module of a symbol.
    fn module(&self, index: SymbolIndex) -> Option<&[u8]>;
}

/// A symbol table of some layout, moved by a slide: the type that answers every question.
///
/// ```
/// use kallsyms_core::Image;
///
/// static TABLE: &[u8] =
///     include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../kallsyms-host-tests/fixtures/linux_like.img"));
/// let symbols = Image::parse(TABLE)?;
///
/// // Name → address; of several symbols the first, or all of them.
/// assert_eq!(symbols.lookup_name("step_0").map(|symbol| symbol.address()), Some(0xffff_ffff_8100_0050));
/// assert!(symbols.lookup_name("step_00").is_none());
/// assert_eq!(symbols.lookup_all("s_next").count(), 6);
///
/// // Address → name: exact for a fault, the byte before for a return address.
/// let found = symbols.lookup(0xffff_ffff_8100_0052).expect("is in step_0");
/// assert!(found.symbol().name() == "step_0" && found.offset() == 2 && found.size() == Some(0x40));
/// assert_eq!(symbols.describe(0xffff_ffff_8100_0052).to_string(), "step_0+0x2/0x40");
/// assert_eq!(symbols.describe_return_address(0xffff_ffff_8100_0090).to_string(), "step_0+0x40/0x40");
/// assert_eq!(symbols.describe(0x35000).to_string(), "0x35000");
///
/// // Walk, and prefix.
/// assert_eq!(symbols.iter().next().expect("one").listing().to_string(), "0000000000000000 A fixed_percpu_data");
/// assert_eq!(symbols.starting_with("step_1").count(), 11);
///
/// // A kernel that runs elsewhere than it was linked.
/// let moved = symbols.with_slide(0x1e0_0000);
/// assert_eq!(moved.describe(0xffff_ffff_82e0_0052).to_string(), "step_0+0x2/0x40");
/// # Ok::<(), kallsyms_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Table<L> {
    pub(crate) layout: L,
    pub(crate) slide: u64,
}

impl<L: Layout> Table<L> {
    pub(crate) const fn over(layout: L) -> Self {
        Self { layout, slide: 0 }
    }

    /// The same table for a kernel that runs `slide` bytes above its link addresses: modulo 2^64, or 2^32
    /// where an address has 8 digits.
    ///
    /// Absolute symbols (type A or a) stay where they are.
    #[must_use]
    pub fn with_slide(self, slide: u64) -> Self {
        Self { slide, ..self }
    }

    /// The slide.
    #[must_use]
    pub fn slide(&self) -> u64 {
        self.slide
    }

    /// An address in as many bits as the table's have.
    pub(crate) fn wrapped(&self, address: u64) -> u64 {
        if self.address_digits() == 8 { widen(low32(address)) } else { address }
    }

    /// Number of symbols.
    #[must_use]
    pub fn len(&self) -> u32 {
        self.layout.symbol_count()
    }

    /// Whether there is no symbol.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Hexadecimal digits of an address in a listing: 8 or 16.
    #[must_use]
    pub fn address_digits(&self) -> usize {
        self.layout.address_digits()
    }
}
