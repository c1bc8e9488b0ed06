//! `object::SymbolMap`: addresses only; of several symbols at one address any.

use std::fmt::Write;

use kallsyms_gen::symbols::Symbols;
use object::{SymbolMap, SymbolMapName};

use super::name_of;
use crate::peer::{Peer, Text};
use crate::question::Question;

pub(super) struct SymbolMapPeer<'s>(SymbolMap<SymbolMapName<'s>>);

impl<'s> SymbolMapPeer<'s> {
    pub(super) fn new(symbols: &'s Symbols) -> Self {
        // A size of 0 reaches to the next one, as that of the last symbol may.
        let (mut behind, mut next) = (0, 0);
        let mut entries: Vec<_> = symbols
            .list
            .iter()
            .rev()
            .map(|symbol| {
                if symbol.address != next {
                    (behind, next) = (next, symbol.address);
                }
                SymbolMapName::new(symbol.address, behind.saturating_sub(symbol.address), name_of(symbol))
            })
            .collect();
        entries.reverse();
        Self(SymbolMap::new(entries))
    }
}

impl Peer for SymbolMapPeer<'_> {
    fn can(&self, question: Question) -> bool {
        use Question::{Address, AddressName, AddressText, Infix, Prefix, Walk};
        matches!(question, Address | AddressName | AddressText | Walk | Prefix | Infix)
    }

    fn any_alias(&self) -> bool {
        true
    }

    fn offset(&self, address: u64) -> Option<u64> {
        self.0.containing(address).map(|symbol| address - symbol.address())
    }

    fn name(&self, address: u64, out: &mut Text) -> Option<u64> {
        let symbol = self.0.containing(address)?;
        out.clear();
        out.push(symbol.name().as_bytes());
        Some(address - symbol.address())
    }

    fn text(&self, address: u64, out: &mut Text) {
        let Some(symbol) = self.0.containing(address) else { return };
        out.clear();
        out.push(symbol.name().as_bytes());
        let _ = write!(out, "+{:#x}/{:#x}", address - symbol.address(), symbol.size());
    }

    fn walk(&self, each: &mut dyn FnMut(&[u8], u64)) {
        self.0.symbols().iter().for_each(|symbol| each(symbol.name().as_bytes(), symbol.address()));
    }
}
