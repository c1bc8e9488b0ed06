//! The slow twin: a plain vector of symbols, searched from one end to the other.

use kallsyms_gen::symbols::{Symbol, Symbols};

/// Answers every question of a table in the plainest way.
#[derive(Debug)]
pub struct Oracle<'a> {
    symbols: &'a Symbols,
    slide: u64,
}

/// An answer to an address: the symbol's place, the offset, and the size where it is known.
pub type Answer = (u32, u64, Option<u64>);

impl<'a> Oracle<'a> {
    /// Over symbols in table order.
    #[must_use]
    pub fn new(symbols: &'a Symbols, slide: u64) -> Self {
        Self { symbols, slide }
    }

    /// Places of every symbol of this name.
    #[must_use]
    pub fn by_name(&self, name: &[u8]) -> Vec<u32> {
        self.places(|symbol| symbol.name == name)
    }

    /// Places of every symbol whose name starts with this.
    #[must_use]
    pub fn by_prefix(&self, prefix: &[u8]) -> Vec<u32> {
        self.places(|symbol| symbol.name.starts_with(prefix))
    }

    /// The symbol that holds an address.
    #[must_use]
    pub fn by_address(&self, pc: u64) -> Option<Answer> {
        if self.slide == 0 {
            return self.holding(pc, |_| true).map(|at| self.answer(at, pc));
        }
        let space = if self.symbols.address_digits == 8 { u64::from(u32::MAX) } else { u64::MAX };
        if pc > space {
            return None;
        }
        let link = pc.wrapping_sub(self.slide) & space;
        self.holding(link, |symbol| !is_absolute(symbol))
            .map(|at| self.answer(at, link))
            .or_else(|| self.holding(pc, is_absolute).map(|at| self.answer(at, pc)))
    }

    /// The symbol that made the call which returns to an address.
    #[must_use]
    pub fn by_return_address(&self, ra: u64) -> Option<Answer> {
        let (symbol, offset, size) = self.by_address(ra.checked_sub(1)?)?;
        Some((symbol, offset + 1, size))
    }

    /// Bytes of a symbol: its own, else to the next different address, else to the end if that is known.
    #[must_use]
    pub fn size(&self, at: usize) -> Option<u64> {
        let list = &self.symbols.list;
        let symbol = &list[at];
        let next = list.iter().map(|other| other.address).find(|address| *address > symbol.address);
        let next = next.filter(|next| !(self.below_base(symbol) && *next >= self.link_base()));
        symbol.size.or(next.map(|next| next - symbol.address)).or_else(|| {
            let last = list.last().is_some_and(|last| last.address == symbol.address);
            let end = self.symbols.covered_last.filter(|_| last)?;
            (end - symbol.address).checked_add(1)
        })
    }

    fn answer(&self, at: usize, address: u64) -> Answer {
        (at as u32, address - self.symbols.list[at].address, self.size(at))
    }

    /// Of the highest start at or below the address the first eligible symbol, else the first; from there
    /// along the parents to an eligible one that reaches so far.
    fn holding(&self, address: u64, eligible: impl Fn(&Symbol) -> bool) -> Option<usize> {
        let list = &self.symbols.list;
        let start = list.iter().map(|symbol| symbol.address).filter(|start| *start <= address).max()?;
        let at_start = |wanted: &dyn Fn(&Symbol) -> bool| {
            list.iter().position(|symbol| symbol.address == start && wanted(symbol))
        };
        let mut at = at_start(&eligible).or_else(|| at_start(&|_| true))?;
        while !(eligible(&list[at]) && self.reaches(at, address)) {
            at = list[at].parent? as usize;
        }
        Some(at)
    }

    /// Whether a symbol answers for an address: its own start always.
    fn reaches(&self, at: usize, address: u64) -> bool {
        let list = &self.symbols.list;
        let offset = address - list[at].address;
        let last = list.last().is_some_and(|last| last.address == list[at].address);
        offset == 0
            || match self.size(at) {
                Some(size) => offset < size,
                None => last && address <= list[at].address | 0xfff,
            }
    }

    fn link_base(&self) -> u64 {
        let list = &self.symbols.list;
        list.iter().filter(|symbol| !is_absolute(symbol)).map(|symbol| symbol.address).min().unwrap_or(0)
    }

    fn below_base(&self, symbol: &Symbol) -> bool {
        symbol.address < self.link_base()
    }

    fn places(&self, wanted: impl Fn(&Symbol) -> bool) -> Vec<u32> {
        (0u32..).zip(&self.symbols.list).filter(|(_, symbol)| wanted(symbol)).map(|(at, _)| at).collect()
    }
}

fn is_absolute(symbol: &Symbol) -> bool {
    matches!(symbol.kind, b'A' | b'a')
}
