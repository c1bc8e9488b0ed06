//! A name as text.

use core::fmt;

use super::utf8::Utf8Writer;
use crate::name::Name;
use crate::table::Layout;

impl<L: Layout> fmt::Debug for Name<'_, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        crate::debug::text(f, "Name", self)
    }
}

/// UTF-8, with U+FFFD for what is not.
impl<L: Layout> fmt::Display for Name<'_, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = Utf8Writer::new(f);
        text.name(self.clone())?;
        text.finish()
    }
}
