//! `defmt::Format`: numbers travel as numbers, names as text.

use defmt::{Display2Format, Format, Formatter, write};

use super::{Described, Listing};
use crate::image::{Native, Reserved};
use crate::name::Name;
use crate::query::{Location, Symbol};
use crate::table::{Layout, Table};

impl<L: Layout> Format for Name<'_, L> {
    fn format(&self, f: Formatter<'_>) {
        Display2Format(self).format(f);
    }
}

impl<L: Layout> Format for Symbol<'_, L> {
    fn format(&self, f: Formatter<'_>) {
        self.name().format(f);
    }
}

impl<L: Layout> Format for Location<'_, L> {
    fn format(&self, f: Formatter<'_>) {
        match self.size() {
            Some(size) => write!(f, "{}+{=u64:#x}/{=u64:#x}", self.symbol(), self.offset(), size),
            None => write!(f, "{}+{=u64:#x}", self.symbol(), self.offset()),
        }
    }
}

impl<L: Layout> Format for Described<'_, L> {
    fn format(&self, f: Formatter<'_>) {
        match self.location() {
            Some(location) => location.format(f),
            None => write!(f, "{=u64:#x}", self.address()),
        }
    }
}

impl<L: Layout> Format for Listing<'_, L> {
    fn format(&self, f: Formatter<'_>) {
        Display2Format(self).format(f);
    }
}

impl Format for Table<Native<'_>> {
    fn format(&self, f: Formatter<'_>) {
        write!(f, "Image {{ symbols: {=u32}, slide: {=u64:#x} }}", self.len(), self.slide());
    }
}

impl<const N: usize> Format for Reserved<N> {
    fn format(&self, f: Formatter<'_>) {
        write!(f, "Reserved<{=usize}>", N);
    }
}
