//! An address by name where it has one.

use core::fmt;

use crate::backtrace::{Frame, FrameKind};
use crate::query::Location;
use crate::table::{Layout, Table};

/// An address as its location, or as `0xaddress` where no symbol holds it.
pub struct Described<'t, L: Layout> {
    address: u64,
    location: Option<Location<'t, L>>,
}

impl<L: Layout> Table<L> {
    /// Text for an exact PC: [`lookup`](Self::lookup), or the number. Steps: those of the lookup, the name's
    /// when written.
    #[must_use]
    pub fn describe(&self, pc: u64) -> Described<'_, L> {
        Described { address: pc, location: self.lookup(pc) }
    }

    /// Text for a return address: [`lookup_return_address`](Self::lookup_return_address), or the number.
    /// Steps: as [`describe`](Self::describe).
    #[must_use]
    pub fn describe_return_address(&self, ra: u64) -> Described<'_, L> {
        Described { address: ra, location: self.lookup_return_address(ra) }
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

impl<'t, L: Layout> Described<'t, L> {
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
            Some(location) => location.fmt(f),
            None => write!(f, "{:#x}", self.address),
        }
    }
}

impl<L: Layout> fmt::Debug for Described<'_, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Described({self})")
    }
}
