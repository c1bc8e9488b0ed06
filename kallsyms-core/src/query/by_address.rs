//! Address → symbol.

use core::fmt;

use super::Symbol;
use crate::table::{Holder, Layout, SymbolIndex, Table};

/// An address as a symbol and a distance from its start.
pub struct Location<'t, L> {
    symbol: Symbol<'t, L>,
    offset: u64,
    size: Option<u64>,
}

/// Which symbols may answer.
#[derive(Clone, Copy)]
enum Eligible {
    All,
    /// Those that a slide moves.
    Moved,
    Absolute,
}

impl Eligible {
    #[inline]
    fn takes<L: Layout>(self, symbol: &Symbol<'_, L>) -> bool {
        match self {
            Self::All => true,
            Self::Moved => !symbol.is_absolute(),
            Self::Absolute => symbol.is_absolute(),
        }
    }
}

impl<L: Layout> Table<L> {
    /// The symbol that holds exactly this address: the question for a fault's or a trap frame's PC.
    ///
    /// Of several symbols at one address the first is meant. `None` in a gap, below the first symbol, and
    /// past the end. Under a slide the symbols that it moves are asked first, then the absolute ones; each
    /// kind passes over the other and reaches to the next link address of either.
    ///
    /// Of Linux's tables only what the kernel's gate lets through has a symbol: `linux::Bounds`.
    ///
    /// Steps: in an image a bisection narrowed by hints, then one pass over 16 symbols; in Linux's tables a
    /// bisection, and another back over aliases; no name is decoded. Behind an inner symbol's end a bisection
    /// for each symbol around it, which are at most as many as an image has exceptions of size; under a slide
    /// one [`Symbol::kind`] more for each alias of the other kind.
    #[must_use]
    pub fn lookup(&self, pc: u64) -> Option<Location<'_, L>> {
        if self.slide == 0 { self.locate(pc, Eligible::All) } else { self.lookup_moved(pc) }
    }

    #[inline(never)]
    fn lookup_moved(&self, pc: u64) -> Option<Location<'_, L>> {
        if self.wrapped(pc) != pc {
            return None;
        }
        let moved = self.locate(self.wrapped(pc.wrapping_sub(self.slide)), Eligible::Moved);
        if moved.is_some() {
            return moved;
        }
        self.locate(pc, Eligible::Absolute)
    }

    /// The symbol that made the call which returns to `ra`: looks up the byte before, reports the offset of
    /// `ra`.
    ///
    /// A call may be the last instruction of its function, so that the return address belongs to the next
    /// one. Steps: as [`lookup`](Self::lookup).
    #[must_use]
    pub fn lookup_return_address(&self, ra: u64) -> Option<Location<'_, L>> {
        let before = self.lookup(ra.checked_sub(1)?)?;
        Some(Location { offset: before.offset.wrapping_add(1), ..before })
    }

    /// The eligible symbol that answers for a link address: of the highest start, else along the enclosing
    /// ones.
    fn locate(&self, address: u64, eligible: Eligible) -> Option<Location<'_, L>> {
        let nearest = self.locate_nearest(address, eligible);
        if nearest.is_some() {
            return nearest;
        }
        // Asked again, which few addresses need: handing it on would cost all others a copy.
        self.locate_around(self.nearest(address)?, address, eligible)
    }

    /// The first symbol of the highest start, if it is the one.
    #[inline(never)]
    fn locate_nearest(&self, address: u64, eligible: Eligible) -> Option<Location<'_, L>> {
        let Holder { index, start, extent } = self.layout.holder(address)?;
        let symbol = self.symbol(index)?;
        let answers = eligible.takes(&symbol) && address <= extent.last;
        answers.then_some(Location { symbol, offset: address.checked_sub(start)?, size: extent.size })
    }

    /// That symbol, whether it is the one or not.
    #[cold]
    #[inline(never)]
    fn nearest(&self, address: u64) -> Option<SymbolIndex> {
        self.layout.holder(address).map(|holder| holder.index)
    }

    /// The same as [`locate`](Self::locate) where that symbol is not the one.
    #[cold]
    #[inline(never)]
    fn locate_around(&self, first: SymbolIndex, address: u64, eligible: Eligible) -> Option<Location<'_, L>> {
        let mut symbol = self.symbol(first)?;
        let mut start = symbol.link_address();
        if !eligible.takes(&symbol)
            && let Some(alias) = self.aliases(symbol, start).find(|alias| eligible.takes(alias))
        {
            symbol = alias;
        }
        let mut extent = self.layout.extent(symbol.index())?;
        while extent.last < address || !eligible.takes(&symbol) {
            symbol = self.symbol(self.layout.enclosing(symbol.index())?)?;
            start = symbol.link_address();
            let further = self.layout.extent(symbol.index())?;
            // Ends rise along a sound chain; a damaged one must not lead in a circle.
            if further.last <= extent.last {
                return None;
            }
            extent = further;
        }
        Some(Location { symbol, offset: address.checked_sub(start)?, size: extent.size })
    }

    /// The symbols behind this one that begin at the same link address, `start`.
    fn aliases<'t>(
        &'t self,
        symbol: Symbol<'t, L>,
        start: u64,
    ) -> impl Iterator<Item = Symbol<'t, L>> + use<'t, L> {
        let behind =
            (symbol.index().0.saturating_add(1)..self.len()).map_while(|at| self.symbol(SymbolIndex(at)));
        behind.take_while(move |alias| alias.link_address() == start)
    }
}

impl<'t, L: Layout> Location<'t, L> {
    /// The symbol.
    #[must_use]
    pub fn symbol(&self) -> Symbol<'t, L> {
        self.symbol
    }

    /// Bytes from the symbol's start to the address that was asked for.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Bytes of the symbol, where they are known.
    #[must_use]
    pub fn size(&self) -> Option<u64> {
        self.size
    }
}

impl<L> Clone for Location<'_, L> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<L> Copy for Location<'_, L> {}

impl<L> PartialEq for Location<'_, L> {
    fn eq(&self, other: &Self) -> bool {
        self.symbol == other.symbol && self.offset == other.offset
    }
}

impl<L> Eq for Location<'_, L> {}

impl<L: Layout> fmt::Debug for Location<'_, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        crate::debug::text(f, "Location", self)
    }
}
