//! One BTF of a chain, with the way in which its own names are found.

use super::btf::Btf;
use super::hash_index::{self, HashIndex};
use super::kind::Kind;
use super::linear;
use super::sorted::{self, SortedBtf};
use super::type_id::TypeId;
use super::types::Type;

/// A BTF as it is searched, by itself or as the base of a split: what [`Btf::split`] takes.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Layer<'a> {
    /// From its first type to its last.
    Linear(&'a Btf<'a>),
    /// By bisection.
    Sorted(&'a SortedBtf<'a>),
    /// By hash.
    Indexed(&'a HashIndex<'a>),
}

impl<'a> Layer<'a> {
    /// The BTF.
    #[must_use]
    #[inline(always)]
    pub const fn btf(&self) -> &'a Btf<'a> {
        match self {
            Self::Linear(btf) => btf,
            Self::Sorted(sorted) => sorted.btf(),
            Self::Indexed(index) => index.btf(),
        }
    }

    /// The first own type of this name, which is not empty, and kind.
    #[inline(always)]
    pub(super) fn find_own(&self, name: &[u8], kind: Kind) -> Option<Type<'a>> {
        match self {
            Self::Linear(btf) => linear::find(btf, name, kind),
            _ => self.own(self.find_number(name, kind)?),
        }
    }

    /// Its number, which spares what it takes to find the type of a number.
    #[inline(always)]
    pub(super) fn find_own_id(&self, name: &[u8], kind: Kind) -> Option<TypeId> {
        Some(TypeId(self.btf().start_id.wrapping_add(self.find_number(name, kind)?)))
    }

    /// Its number, counted from the first own type.
    #[inline(always)]
    fn find_number(&self, name: &[u8], kind: Kind) -> Option<u32> {
        match self {
            Self::Linear(btf) => linear::find(btf, name, kind).map(|found| found.number()),
            Self::Sorted(sorted) => sorted.find_number(name, kind),
            Self::Indexed(index) => index.find_number(name, kind),
        }
    }

    fn own(&self, number: u32) -> Option<Type<'a>> {
        let btf = self.btf();
        Some(Type::new(btf, btf.record(number)?))
    }

    /// Every own type of this name, in the order of their numbers.
    pub(super) fn all_own<'n>(&self, name: &'n [u8]) -> Own<'a, 'n> {
        match self {
            // None of the others has an order of what has no name.
            Self::Linear(btf) => Own::Linear(linear::Named::new(btf, name)),
            _ if name.is_empty() => Own::Linear(linear::Named::new(self.btf(), name)),
            Self::Sorted(sorted) => Own::Sorted(sorted.named(name)),
            Self::Indexed(index) => Own::Indexed(index.named(name)),
        }
    }
}

impl<'a> From<&'a Btf<'a>> for Layer<'a> {
    fn from(btf: &'a Btf<'a>) -> Self {
        Self::Linear(btf)
    }
}

impl<'a> From<&'a SortedBtf<'a>> for Layer<'a> {
    fn from(sorted: &'a SortedBtf<'a>) -> Self {
        Self::Sorted(sorted)
    }
}

impl<'a> From<&'a HashIndex<'a>> for Layer<'a> {
    fn from(index: &'a HashIndex<'a>) -> Self {
        Self::Indexed(index)
    }
}

/// Own types of one name.
#[derive(Debug, Clone)]
pub(super) enum Own<'a, 'n> {
    Linear(linear::Named<'a, 'n>),
    Sorted(sorted::Named<'a, 'n>),
    Indexed(hash_index::Named<'a, 'n>),
}

impl<'a> Iterator for Own<'a, '_> {
    type Item = Type<'a>;

    fn next(&mut self) -> Option<Type<'a>> {
        match self {
            Self::Linear(types) => types.next(),
            Self::Sorted(types) => types.next(),
            Self::Indexed(types) => types.next(),
        }
    }
}
