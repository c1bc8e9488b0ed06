//! An address by name where it has one.

use core::fmt;

use super::location::{self, Form};
use crate::backtrace::{Frame, FrameKind};
use crate::query::Location;
use crate::table::{Layout, Table};

/// An address as its location, or as `0xaddress` where no symbol holds it: Linux's `sprint_symbol`.
pub struct Described<'t, L> {
    address: u64,
    location: Option<Location<'t, L>>,
    pub(super) form: Form<'t>,
}

impl<L: Layout> Table<L> {
    /// Text for an exact PC: [`lookup`](Self::lookup), or the number. Steps: those of the lookup, the name's
    /// when written.
    #[must_use]
    pub fn describe(&self, pc: u64) -> Described<'_, L> {
        Described { address: pc, location: self.lookup(pc), form: Form::default() }
    }

    /// Text for a return address: [`lookup_return_address`](Self::lookup_return_address), or the number.
    /// Steps: as [`describe`](Self::describe).
    #[must_use]
    pub fn describe_return_address(&self, ra: u64) -> Described<'_, L> {
        Described { address: ra, location: self.lookup_return_address(ra), form: Form::default() }
    }

    /// Text for a frame of a backtrace: an exact PC or a return address, as its kind says. Steps: as
    /// [`describe`](Self::describe).
    #[must_use]
    pub fn describe_frame(&self, frame: &Frame) -> Described<'_, L> {
        match frame.kind {
            FrameKind::Exact => self.describe(frame.address),
            FrameKind::Return | FrameKind::Uncertain => self.describe_return_address(frame.address),
        }
    }
}

impl<'t, L> Described<'t, L> {
    /// Only the name, and the module: Linux's `sprint_symbol_no_offset`.
    #[must_use]
    pub fn without_offset(mut self) -> Self {
        self.form.without_offset = true;
        self
    }

    /// With a module's build id behind its name, as ` [module 3b1f…]`: Linux's `sprint_symbol_build_id`. The
    /// caller knows the build ids of its modules.
    #[must_use]
    pub fn with_build_id(mut self, build_id: &'t [u8]) -> Self {
        self.form.build_id = Some(build_id);
        self
    }

    /// The address that was asked for.
    #[must_use]
    pub fn address(&self) -> u64 {
        self.address
    }

    /// Where it lies; `None` where no symbol holds it.
    #[must_use]
    pub fn location(&self) -> Option<&Location<'t, L>> {
        self.location.as_ref()
    }
}

impl<L: Layout> fmt::Display for Described<'_, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.location {
            Some(location) => location::write(f, location, self.form),
            None => location::write_address(f, self.address),
        }
    }
}

impl<L: Layout> fmt::Debug for Described<'_, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        crate::debug::text(f, "Described", self)
    }
}
