//! A whole table checked and measured, as the kernel's `kallsyms_selftest` does.

use core::cmp::Ordering;
use core::fmt;

use super::Symbol;
use crate::num::{index, wide, widen};
use crate::table::{Layout, SymbolIndex, Table};

/// What [`Table::self_test`] measured; times in the ticks of the caller's clock.
#[derive(Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct SelfTest {
    /// Symbols.
    pub symbols: u32,
    /// Symbols that the table's gate leaves to be found by name alone.
    pub beyond_gate: u32,
    /// Bytes of all names and types, expanded.
    pub expanded: u64,
    /// Bytes that they take in the table, with the dictionary.
    pub stored: u64,
    /// Time of a lookup by name.
    pub lookup: Ticks,
    /// Time of a walk that decodes every name.
    pub walk: u64,
}

impl core::fmt::Debug for SelfTest {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        crate::debug::debug_fields!(self, f, "SelfTest": symbols beyond_gate expanded stored lookup walk)
    }
}

/// The shortest, longest and mean time of something done many times.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Ticks {
    /// The shortest.
    pub min: u64,
    /// The longest.
    pub max: u64,
    /// All together.
    pub total: u64,
    /// How many times.
    pub count: u32,
}

/// The first symbol that a table does not find.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Fault {
    /// A name is longer than the buffer that was given.
    NameTooLong {
        /// The symbol.
        symbol: SymbolIndex,
        /// Bytes of its name.
        len: usize,
    },
    /// A symbol's name leads to none, or to a later one first.
    NotFoundByName {
        /// The symbol.
        symbol: SymbolIndex,
        /// What was found.
        found: Option<SymbolIndex>,
    },
    /// Of the symbols of one name a later one comes before an earlier.
    OutOfOrder {
        /// The later one.
        symbol: SymbolIndex,
        /// The one behind it.
        behind: SymbolIndex,
    },
    /// The symbols of all names together are fewer than those of the table.
    SomeNotFound {
        /// Symbols that were found by name.
        found: u32,
        /// Symbols of the table.
        symbols: u32,
    },
    /// The symbols of all names together are more than those of the table.
    FoundTwice {
        /// Symbols of the table.
        symbols: u32,
    },
    /// A symbol's address does not lead to the first symbol there.
    NotFoundByAddress {
        /// The first symbol at that address.
        symbol: SymbolIndex,
        /// Its address.
        address: u64,
        /// What was found.
        found: Option<SymbolIndex>,
    },
}

impl<L: Layout> Table<L> {
    /// Finds every symbol by its name and by its address, and measures.
    ///
    /// Every name has to lead to its first symbol, and on to all others in address order; every address to
    /// the first symbol there. `buffer` takes one name at a time: 512 bytes for those of Linux; the clock may
    /// count anything, as long as it does not go back. A slide changes nothing. Steps: a lookup by name
    /// and one by address a symbol, one more a symbol for those of the names, and a walk.
    ///
    /// # Errors
    ///
    /// The first [`Fault`].
    pub fn self_test(&self, buffer: &mut [u8], mut clock: impl FnMut() -> u64) -> Result<SelfTest, Fault> {
        let (walk, expanded, stored) = self.measured_walk(&mut clock);
        let mut lookup = Ticks { min: u64::MAX, max: 0, total: 0, count: 0 };
        let (mut found, mut beyond_gate) = (0u32, 0u32);
        let mut first_here = SymbolIndex(0);
        for symbol in self {
            let name = copied(&symbol, buffer)?;
            let before = clock();
            let by_name = self.layout.named(name).next();
            lookup.add(clock().wrapping_sub(before));
            // A damaged table may lead from every symbol to all behind it: one more than there are will do.
            let left = self.len().saturating_sub(found).saturating_add(1);
            found = found.saturating_add(self.check_name(symbol.index(), by_name, name, left)?);
            if found > self.len() {
                break;
            }

            let address = symbol.link_address();
            if self.layout.address(first_here) != Some(address) {
                first_here = symbol.index();
            }
            if !self.layout.may_hold(address) {
                beyond_gate = beyond_gate.saturating_add(1);
                continue;
            }
            let by_address = self.layout.holder(address).map(|holder| holder.index);
            if by_address != Some(first_here) {
                return Err(Fault::NotFoundByAddress { symbol: first_here, address, found: by_address });
            }
        }
        let symbols = self.len();
        match found.cmp(&symbols) {
            Ordering::Less => return Err(Fault::SomeNotFound { found, symbols }),
            Ordering::Greater => return Err(Fault::FoundTwice { symbols }),
            Ordering::Equal => {}
        }
        lookup.min = lookup.min.min(lookup.max);
        Ok(SelfTest { symbols, beyond_gate, expanded, stored, lookup, walk })
    }

    /// The time of a walk, the bytes of the names, and those that they take.
    fn measured_walk(&self, clock: &mut impl FnMut() -> u64) -> (u64, u64, u64) {
        let before = clock();
        // The type is a byte of the name's stream.
        let expanded = self
            .iter()
            .fold(0, |sum: u64, symbol| sum.saturating_add(wide(symbol.name().len())).saturating_add(1));
        let walk = clock().wrapping_sub(before);
        let bits = self.iter().fold(0, |sum: u64, symbol| sum.saturating_add(symbol.name_bits()));
        (walk, expanded, bits.div_ceil(8).saturating_add(wide(self.layout.dictionary_len())))
    }

    /// How many symbols have the name, if this is the first of them; stops at `most`.
    fn check_name(
        &self,
        symbol: SymbolIndex,
        found: Option<SymbolIndex>,
        name: &[u8],
        most: u32,
    ) -> Result<u32, Fault> {
        match found {
            Some(first) if first < symbol => Ok(0),
            Some(first) if first == symbol => {
                let (mut behind, mut count) = (None, 0u32);
                for symbol in self.layout.named(name).take(index(most)) {
                    if let Some(before) = behind.filter(|&before| before >= symbol) {
                        return Err(Fault::OutOfOrder { symbol: before, behind: symbol });
                    }
                    behind = Some(symbol);
                    count = count.saturating_add(1);
                }
                Ok(count)
            }
            _ => Err(Fault::NotFoundByName { symbol, found }),
        }
    }
}

fn copied<'b, L: Layout>(symbol: &Symbol<'_, L>, buffer: &'b mut [u8]) -> Result<&'b [u8], Fault> {
    let name = symbol.name();
    let mut len = 0usize;
    for piece in name.fragments() {
        let end = len.saturating_add(piece.len());
        let Some(place) = buffer.get_mut(len..end) else {
            return Err(Fault::NameTooLong { symbol: symbol.index(), len: name.len() });
        };
        place.iter_mut().zip(piece).for_each(|(place, byte)| *place = *byte);
        len = end;
    }
    Ok(buffer.get(..len).unwrap_or_default())
}

impl Ticks {
    fn add(&mut self, ticks: u64) {
        self.min = self.min.min(ticks);
        self.max = self.max.max(ticks);
        self.total = self.total.saturating_add(ticks);
        self.count = self.count.saturating_add(1);
    }

    /// The mean, rounded down; 0 for nothing.
    #[must_use]
    pub const fn mean(&self) -> u64 {
        match self.total.checked_div(widen(self.count)) {
            Some(mean) => mean,
            None => 0,
        }
    }
}

impl SelfTest {
    /// Bytes that the names take, in hundredths of a percent of their expanded bytes; 0 for no names.
    #[must_use]
    pub const fn ratio(&self) -> u64 {
        match self.stored.saturating_mul(10_000).checked_div(self.expanded) {
            Some(ratio) => ratio,
            None => 0,
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::NameTooLong { symbol, len } => {
                write!(f, "the name of symbol {} has {len} bytes, more than the buffer", symbol.0)
            }
            Self::NotFoundByName { symbol, found: Some(found) } => {
                write!(f, "the name of symbol {} leads to symbol {} first", symbol.0, found.0)
            }
            Self::NotFoundByName { symbol, found: None } => {
                write!(f, "symbol {} is not found by its name", symbol.0)
            }
            Self::OutOfOrder { symbol, behind } => {
                write!(f, "symbol {} comes behind symbol {} of the same name", behind.0, symbol.0)
            }
            Self::SomeNotFound { found, symbols } => {
                write!(f, "only {found} of {symbols} symbols are found by name")
            }
            Self::FoundTwice { symbols } => {
                write!(f, "the names of {symbols} symbols lead to more symbols than there are")
            }
            Self::NotFoundByAddress { symbol, address, found: Some(found) } => {
                write!(f, "address {address:#x} of symbol {} leads to symbol {}", symbol.0, found.0)
            }
            Self::NotFoundByAddress { symbol, address, found: None } => {
                write!(f, "symbol {} is not found by its address {address:#x}", symbol.0)
            }
        }
    }
}

impl core::error::Error for Fault {}
