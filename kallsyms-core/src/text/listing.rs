//! A line of `/proc/kallsyms`.

use core::fmt;

use crate::lossy::Lossy;
use crate::query::Symbol;
use crate::table::Layout;

/// A symbol as `/proc/kallsyms` lists it: address, type, name, and the module behind a tab.
pub struct Listing<'t, L> {
    symbol: Symbol<'t, L>,
    digits: usize,
}

impl<'t, L> Listing<'t, L> {
    pub(crate) fn new(symbol: Symbol<'t, L>, digits: usize) -> Self {
        Self { symbol, digits }
    }
}

impl<L: Layout> fmt::Display for Listing<'_, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { symbol, digits } = self;
        // A width that is an argument would bring in a panic for widths above 65,535.
        match digits {
            8 => write!(f, "{:08x}", symbol.address())?,
            _ => write!(f, "{:016x}", symbol.address())?,
        }
        write!(f, " {} {}", char::from(symbol.kind()), symbol.name())?;
        if let Some(module) = symbol.module() {
            write!(f, "\t[{}]", Lossy(module))?;
        }
        Ok(())
    }
}

impl<L: Layout> fmt::Debug for Listing<'_, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Listing({self})")
    }
}
