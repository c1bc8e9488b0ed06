//! A symbol as text: its name, or its line of `/proc/kallsyms`.

use core::fmt;

use super::Listing;
use crate::query::Symbol;
use crate::table::Layout;

impl<'t, L: Layout> Symbol<'t, L> {
    /// The symbol as a line of `/proc/kallsyms`, without the line feed.
    #[must_use]
    pub fn listing(&self) -> Listing<'t, L> {
        Listing::new(*self, self.table().layout.address_digits())
    }
}

/// The name.
impl<L: Layout> fmt::Display for Symbol<'_, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.name().fmt(f)
    }
}

impl<L: Layout> fmt::Debug for Symbol<'_, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Symbol(")?;
        fmt::Display::fmt(&self.index().0, f)?;
        f.write_str(", ")?;
        fmt::Display::fmt(&self.listing(), f)?;
        f.write_str(")")
    }
}
