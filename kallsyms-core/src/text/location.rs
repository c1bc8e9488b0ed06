//! `name+0xoffset/0xsize`.

use core::fmt;

use crate::query::Location;
use crate::table::Layout;

/// `name+0x1c/0x90`, or `name+0x1c` where the size is not known; the alternate form begins with the type: `t
/// name…`.
impl<L: Layout> fmt::Display for Location<'_, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let symbol = self.symbol();
        if f.alternate() {
            write!(f, "{} ", char::from(symbol.kind()))?;
        }
        write!(f, "{}+{:#x}", symbol.name(), self.offset())?;
        match self.size() {
            Some(size) => write!(f, "/{size:#x}"),
            None => Ok(()),
        }
    }
}
