//! A line of `/proc/kallsyms`.

use core::fmt;

use super::utf8::Utf8Writer;
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
        let mut text = Utf8Writer::new(f);
        text.digits(symbol.address(), if *digits == 8 { 8 } else { 16 })?;
        text.push(b" ")?;
        text.kind(symbol.kind())?;
        text.push(b" ")?;
        text.name_of(symbol)?;
        if let Some(module) = symbol.module() {
            text.push(b"\t[")?;
            text.push(module)?;
            text.push(b"]")?;
        }
        text.finish()
    }
}

impl<L: Layout> fmt::Debug for Listing<'_, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        crate::debug::text(f, "Listing", self)
    }
}
