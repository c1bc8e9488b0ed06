//! `defmt::Format`: numbers travel as numbers, names as text.

use defmt::{Debug2Format, Display2Format, Format, Formatter, write};

use super::location::Form;
use super::{Described, Listing};
use crate::btf;
use crate::image::hash::NameHasher;
use crate::image::{self, Codes, Expanded, Native, Reserved, layout};
use crate::linux::{self, Linux};
use crate::lossy::Lossy;
use crate::name::{Fragments, Name};
use crate::procfs;
use crate::query::{Location, Matching, Occurrences, SameStem, StartingWith, Symbol, Symbols};
use crate::table::{Extent, Holder, Layout, Spelling, Table};

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
        if let Some(module) = self.symbol().module() {
            write!(f, " [{}]", Display2Format(&Lossy(module)));
        }
    }
}

impl<L: Layout> Format for Described<'_, L> {
    fn format(&self, f: Formatter<'_>) {
        match self.location() {
            Some(location) if self.form == Form::default() => location.format(f),
            Some(_) => Display2Format(self).format(f),
            None => write!(f, "{=u64:#x}", self.address()),
        }
    }
}

impl<L: Layout> Format for Listing<'_, L> {
    fn format(&self, f: Formatter<'_>) {
        Display2Format(self).format(f);
    }
}

impl<L: Layout> Format for Table<L> {
    fn format(&self, f: Formatter<'_>) {
        write!(f, "Table {{ symbols: {=u32}, slide: {=u64:#x} }}", self.len(), self.slide());
    }
}

impl Format for btf::Declaration<'_> {
    fn format(&self, f: Formatter<'_>) {
        Display2Format(self).format(f);
    }
}

/// What has no text of its own travels as its `Debug` form.
macro_rules! as_debug {
    ($([$($generics:tt)*] $type:ty),* $(,)?) => {
        $(impl<$($generics)*> Format for $type {
            fn format(&self, f: Formatter<'_>) {
                Debug2Format(self).format(f);
            }
        })*
    };
}

as_debug! {
    [] layout::Header,
    [] layout::SectionEntry,
    [] layout::Block,
    [] layout::WideBlock,
    [] layout::Token,
    [] layout::NestedToken,
    [] layout::SizeException,
    [] layout::ModuleRun,
    [] layout::RecordHead,
    [] NameHasher,
    [] Codes<'_>,
    [] Expanded<'_>,
    [] Native<'_>,
    [] image::Named<'_>,
    [] Linux<'_>,
    [] linux::Named<'_>,
    [] linux::Indexed<'_>,
    [] linux::NamedByHash<'_>,
    [] linux::Expansion<'_>,
    [] linux::Tables<'_>,
    [] linux::Places<'_>,
    [] linux::Region<'_>,
    [] Extent,
    [] Holder,
    [S: core::fmt::Debug] Spelling<S>,
    [I: core::fmt::Debug] Fragments<I>,
    [L: Layout] Occurrences<'_, L>,
    [L: Layout] Symbols<'_, L>,
    [L: Layout] StartingWith<'_, '_, L>,
    [L: Layout] SameStem<'_, '_, L>,
    [L: Layout] Matching<'_, '_, L>,
    [F: procfs::Format] procfs::Lines<'_, F>,
    [F: procfs::Format] procfs::Stream<'_, F>,
    [] procfs::Matching<'_, '_>,
    [] btf::Btf<'_>,
    [] btf::SortedBtf<'_>,
    [] btf::HashIndex<'_>,
    [] btf::Layer<'_>,
    [] btf::Type<'_>,
    [] btf::Types<'_>,
    [] btf::Shape<'_>,
    [] btf::Members<'_>,
    [] btf::Enumerators<'_>,
    [] btf::Params<'_>,
    [] btf::Variables<'_>,
    [] btf::Named<'_, '_>,
    [] btf::DeclTags<'_, '_>,
    [] btf::Kfuncs<'_>,
    [] btf::Permutation<'_>,
}

impl<const N: usize> Format for Reserved<N> {
    fn format(&self, f: Formatter<'_>) {
        write!(f, "Reserved<{=usize}>", N);
    }
}
