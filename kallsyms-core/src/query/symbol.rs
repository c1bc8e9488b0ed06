//! One symbol of a table.

use crate::name::Name;
use crate::table::{Layout, Spelling, SymbolIndex, Table, Trail, is_absolute_kind};

/// A symbol of a table: a handle of two words, everything else is read when asked for.
pub struct Symbol<'t, L> {
    table: &'t Table<L>,
    index: SymbolIndex,
    /// As far as a walk has told it.
    trail: Option<Trail>,
}

impl<L: Layout> Table<L> {
    /// The symbol at this place; `None` past the end. Steps: one.
    #[must_use]
    pub fn symbol(&self, index: SymbolIndex) -> Option<Symbol<'_, L>> {
        (index.0 < self.len()).then_some(Symbol { table: self, index, trail: None })
    }
}

impl<'t, L: Layout> Symbol<'t, L> {
    /// A symbol whose name has been found already.
    pub(super) fn on_trail(table: &'t Table<L>, index: SymbolIndex, trail: Option<Trail>) -> Self {
        Self { table, index, trail }
    }

    /// Address where the symbol runs: its link address plus the slide, if it is not absolute. Steps: one;
    /// under a slide also those of [`kind`](Self::kind).
    #[must_use]
    pub fn address(&self) -> u64 {
        let link_address = self.link_address();
        if self.table.slide == 0 || self.is_absolute() {
            link_address
        } else {
            self.table.wrapped(link_address.wrapping_add(self.table.slide))
        }
    }

    /// Address before any slide; 0 if the table is damaged.
    #[must_use]
    pub fn link_address(&self) -> u64 {
        self.table.layout.address(self.index).unwrap_or(0)
    }

    /// The nm type character, as `T` or `d`; `?` if the table is damaged. Steps: decodes one code; in Linux's
    /// tables, where no walk has found the name, up to 255 lengths before.
    #[must_use]
    pub fn kind(&self) -> u8 {
        self.spelling().kind()
    }

    /// Whether a slide leaves it where it is: type A or a. Steps: as [`kind`](Self::kind).
    #[must_use]
    pub fn is_absolute(&self) -> bool {
        is_absolute_kind(self.kind())
    }

    /// The name, to stream or compare. Steps: one; nothing is decoded yet.
    #[must_use]
    pub fn name(&self) -> Name<'t, L> {
        Name::new(self.spelling())
    }

    /// Bytes from the start to the end, where they are known. Steps: in an image one pass over 16
    /// symbols; a bisection behind a run of aliases, for an unusual size, and in Linux's tables.
    #[must_use]
    pub fn size(&self) -> Option<u64> {
        self.table.layout.extent(self.index)?.size
    }

    /// Name of the module that the symbol belongs to; `None` for the kernel's own, as all of Linux's tables
    /// are. Steps: a bisection of the modules' runs.
    #[must_use]
    pub fn module(&self) -> Option<&'t [u8]> {
        self.table.layout.module(self.index)
    }

    /// Bits of its type and name in the table.
    pub(super) fn name_bits(&self) -> u64 {
        let layout = &self.table.layout;
        self.found().and_then(|trail| layout.name_bits(self.index, trail)).unwrap_or(0)
    }

    /// Where its name is.
    #[inline]
    fn found(&self) -> Option<Trail> {
        self.trail.or_else(|| self.table.layout.trail(self.index))
    }

    #[inline]
    fn spelling(&self) -> Spelling<L::Stream<'t>> {
        let layout = &self.table.layout;
        self.found().and_then(|trail| layout.spelling(self.index, trail)).unwrap_or_default()
    }

    /// The table that it belongs to.
    pub(crate) fn table(&self) -> &'t Table<L> {
        self.table
    }

    /// Place in the table.
    #[must_use]
    pub fn index(&self) -> SymbolIndex {
        self.index
    }
}

impl<L> Clone for Symbol<'_, L> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<L> Copy for Symbol<'_, L> {}

/// Two handles are equal if they name the same place of the same table.
impl<L> PartialEq for Symbol<'_, L> {
    fn eq(&self, other: &Self) -> bool {
        core::ptr::eq(self.table, other.table) && self.index == other.index
    }
}

impl<L> Eq for Symbol<'_, L> {}

// Two words, and one of a longer-lived table will do for one of a shorter-lived.
#[cfg(target_pointer_width = "64")]
static_assertions::const_assert!(size_of::<Symbol<'static, crate::linux::Linux<'static>>>() == 16);
const _: for<'s> fn(
    Symbol<'static, crate::image::Native<'static>>,
    &'s (),
) -> Symbol<'s, crate::image::Native<'s>> = |symbol, ()| symbol;
