//! Names in order: bisection.
//!
//! The order is that of libbpf 1.7 and Linux 7.0: the own types, of every kind, by the bytes of their names, so
//! that those without name come first.

use core::cmp::Ordering;
use core::fmt;

use super::btf::{Btf, Offsets, Record, Records};
use super::kind::Kind;
use super::strings;
use super::type_id::TypeId;
use super::types::Type;
use crate::num::{index, low32, wide};

/// A [`Btf`] whose own types are in the order of their names, which has been looked at.
///
/// It is made faster by [`Btf::with_offsets`]: a search bisects the types whose offsets are kept, and steps
/// over the others.
#[derive(Debug, Clone, Copy)]
pub struct SortedBtf<'a> {
    btf: Btf<'a>,
    /// The first own type with a name, counted from the first.
    first_named: u32,
}

/// A type's name comes before that of the type in front of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Unsorted {
    /// The type.
    pub id: TypeId,
}

impl<'a> Btf<'a> {
    /// Whether its own types are in the order of their names; [`SortedBtf::new`] remembers it.
    #[must_use]
    pub fn is_sorted(&self) -> bool {
        SortedBtf::new(*self).is_ok()
    }
}

impl<'a> SortedBtf<'a> {
    /// Checks the order. Steps: one compare a type.
    ///
    /// # Errors
    ///
    /// The first type that is not in order.
    pub fn new(btf: Btf<'a>) -> Result<Self, Unsorted> {
        let end = btf.own_len;
        let (mut first_named, mut previous_off) = (end, None);
        let mut previous: &[u8] = &[0];
        for record in btf.own_types() {
            let name_off = record.head.name_off.get(btf.endian);
            // Names are often the same string, those of all that have none above all.
            if previous_off != Some(name_off) {
                let tail = btf.tail(name_off).unwrap_or_default();
                if strings::order_of_both(previous, tail) == Ordering::Greater {
                    return Err(Unsorted { id: TypeId(btf.start_id.wrapping_add(record.number)) });
                }
                if first_named == end && tail.first().is_some_and(|&byte| byte != 0) {
                    first_named = record.number;
                }
                (previous, previous_off) = (tail, Some(name_off));
            }
        }
        Ok(Self { btf, first_named })
    }

    /// The BTF.
    #[must_use]
    #[inline(always)]
    pub const fn btf(&self) -> &Btf<'a> {
        &self.btf
    }

    /// The first own type of a name and kind.
    #[inline(always)]
    pub(super) fn find_named(&self, name: &[u8], kind: Kind) -> Option<Type<'_>> {
        self.named(name).find(|found| found.kind() == kind)
    }

    /// The own types of a name.
    #[inline(always)]
    pub(super) fn named<'n>(&self, name: &'n [u8]) -> Named<'_, 'n> {
        let records = self.leftmost(name);
        Named { btf: &self.btf, records, name }
    }

    /// The records from the first on whose name is not below this one.
    #[inline(always)]
    fn leftmost(&self, name: &[u8]) -> Records<'_> {
        let Offsets { every, shift } = self.btf.offsets;
        // Of those whose offsets are kept, in `low..high` lies the first whose name is not below.
        let mut low = index(self.first_named).div_ceil(1_usize.wrapping_shl(shift));
        let mut high = every.len();
        let first = low;
        while low < high {
            let middle = low.midpoint(high);
            if self.is_below(every.get(middle).copied().unwrap_or_default(), name) {
                low = middle.wrapping_add(1);
            } else {
                high = middle;
            }
        }
        if shift == 0 && !every.is_empty() {
            let number = low32(wide(low));
            return every.get(low).map_or(Records::none(), |&offset| self.btf.records_from(number, offset));
        }
        // It may be among those that are not kept.
        let mut records = match low
            .checked_sub(1)
            .filter(|_| low > first)
            .and_then(|before| Some((before, every.get(before)?)))
        {
            Some((before, &offset)) => self.btf.records_from(low32(wide(before)).wrapping_shl(shift), offset),
            None => self.btf.records_of(self.first_named),
        };
        loop {
            let here = records.clone();
            match records.next() {
                Some(record) if strings::order(self.tail(&record), name) == Ordering::Less => {}
                _ => return here,
            }
        }
    }

    /// Whether the name of the record at an offset is below this one.
    #[inline(always)]
    fn is_below(&self, offset: u32, name: &[u8]) -> bool {
        let tail = self.btf.name_off_at(offset).and_then(|name_off| self.btf.tail(name_off));
        strings::order(tail.unwrap_or_default(), name) == Ordering::Less
    }

    #[inline(always)]
    fn tail(&self, record: &Record<'_>) -> &[u8] {
        self.btf.tail(record.head.name_off.get(self.btf.endian)).unwrap_or_default()
    }
}

impl fmt::Display for Unsorted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the name of type {} comes before that of the type in front of it", self.id)
    }
}

impl core::error::Error for Unsorted {}

/// Own types of one name.
#[derive(Clone)]
pub(super) struct Named<'b, 'n> {
    btf: &'b Btf<'b>,
    records: Records<'b>,
    name: &'n [u8],
}

impl<'b> Iterator for Named<'b, '_> {
    type Item = Type<'b>;

    #[inline(always)]
    fn next(&mut self) -> Option<Type<'b>> {
        let found = Type::new(self.btf, self.records.next()?);
        if strings::is(found.name_tail(), self.name) {
            return Some(found);
        }
        self.records = Records::none();
        None
    }
}

impl fmt::Debug for Named<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Named").field("name", &self.name).finish_non_exhaustive()
    }
}
