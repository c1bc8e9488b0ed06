//! Names in order: bisection.
//!
//! The order is that of libbpf 1.7 and Linux 7.0: the own types, of every kind, by the bytes of their names, so
//! that those without name come first.

use core::cmp::Ordering;
use core::fmt;
use core::hint::black_box;

use super::btf::{Btf, Record, Records};
use super::format::Info;
use super::kind::Kind;
use super::offsets::Offsets;
use super::strings::{self, Wanted};
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
    /// Whether its own types are in the order of their names; [`SortedBtf::new`] remembers it. Steps: as
    /// there.
    #[must_use]
    pub fn is_sorted(&self) -> bool {
        SortedBtf::new(*self).is_ok()
    }
}

impl<'a> SortedBtf<'a> {
    /// Checks the order. Steps: one compare a type, of as many bytes as neighbours have in common.
    ///
    /// # Errors
    ///
    /// The first type that is not in order.
    pub fn new(btf: Btf<'a>) -> Result<Self, Unsorted> {
        let end = btf.own_len;
        let (mut first_named, mut previous_off) = (end, None);
        let mut previous: &[u8] = &[0];
        for (number, head) in btf.heads() {
            let name_off = head.name_off.get(btf.endian);
            // Names are often the same string, those of all that have none above all.
            if previous_off != Some(name_off) {
                let tail = btf.tail(name_off).unwrap_or_default();
                if strings::order_of_both(previous, tail) == Ordering::Greater {
                    return Err(Unsorted { id: TypeId(btf.start_id.wrapping_add(number)) });
                }
                if first_named == end && tail.first().is_some_and(|&byte| byte != 0) {
                    first_named = number;
                }
                (previous, previous_off) = (tail, Some(name_off));
            }
        }
        Ok(Self { btf, first_named })
    }

    /// The BTF.
    #[must_use]
    #[inline]
    pub const fn btf(&self) -> &Btf<'a> {
        &self.btf
    }

    /// The first own type of a name and kind, counted from the first.
    #[inline(always)]
    pub(super) fn find_number(&self, name: &[u8], kind: Kind) -> Option<u32> {
        let name = Wanted::new(name);
        let Offsets { every, shift } = self.btf.offsets;
        if shift != 0 || every.is_empty() {
            return self.find_between(&name, kind);
        }
        let low = self.bisect(&name);
        for (number, &offset) in (low32(wide(low))..u32::MAX).zip(every.get(low..)?) {
            let head = self.btf.head(offset)?;
            if !self.btf.name_is(head.name_off.get(self.btf.endian), |tail| name.is(tail)) {
                break;
            }
            if Info(head.info.get(self.btf.endian)).kind() == kind.number() {
                return Some(number);
            }
        }
        None
    }

    /// The same where not every offset is kept, or none.
    #[inline(never)]
    fn find_between(&self, name: &Wanted<'_>, kind: Kind) -> Option<u32> {
        let mut same = self.leftmost(name).take_while(|record| name.is(self.tail(record)));
        same.find(|record| record.kind(self.btf.endian) == kind).map(|record| record.number)
    }

    /// The own types of a name.
    pub(super) fn named<'n>(&self, name: &'n [u8]) -> Named<'_, 'n> {
        let name = Wanted::new(name);
        Named { records: self.leftmost(&name), name }
    }

    /// The records from the first on whose name is not below this one.
    fn leftmost(&self, name: &Wanted<'_>) -> Records<'_> {
        let Offsets { every, shift } = self.btf.offsets;
        // It is behind the last one below it whose offset is kept.
        let below = self.bisect(name).checked_sub(1);
        let number = below.map_or(0, |below| low32(wide(below)).wrapping_shl(shift));
        let mut records = match below.and_then(|below| every.get(below)) {
            Some(&offset) if number >= self.first_named => self.btf.records_from(number, offset),
            _ => self.btf.records_of(self.first_named),
        };
        loop {
            let here = records;
            match records.next() {
                Some(record) if name.is_above(self.tail(&record)) => {}
                _ => return here,
            }
        }
    }

    /// The first type with a name not below this one, of those whose offsets are kept and among these.
    #[inline(never)]
    fn bisect(&self, name: &Wanted<'_>) -> usize {
        let Offsets { every, shift } = self.btf.offsets;
        // Of those with a name.
        let mut low = index(self.first_named).div_ceil(1_usize.wrapping_shl(shift));
        let mut high = every.len();
        let middle = |low: usize, high: usize| low.wrapping_add(high) >> 1;
        let name_off = |at: usize| match every.get(at).and_then(|&offset| self.btf.head(offset)) {
            Some(head) => head.name_off.get(self.btf.endian),
            None => 0,
        };
        let mut here = name_off(middle(low, high));
        while low < high {
            let at = middle(low, high);
            let above = at.wrapping_add(1);
            // Where the two names are of which one comes next is loaded while this one is waited for.
            let (left, right) = black_box((name_off(middle(low, at)), name_off(middle(above, high))));
            if self.btf.name_is(here, |tail| name.is_above(tail)) {
                branch();
                (low, here) = (above, right);
            } else {
                (high, here) = (at, left);
            }
        }
        low
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

/// Keeps the branch that it stands in: a conditional move would wait for the name, where half of the guesses
/// have the next one on its way.
#[cold]
fn branch() {}

/// Own types of one name.
#[derive(Clone)]
pub(super) struct Named<'b, 'n> {
    records: Records<'b>,
    name: Wanted<'n>,
}

impl<'b> Iterator for Named<'b, '_> {
    type Item = Type<'b>;

    #[inline(always)]
    fn next(&mut self) -> Option<Type<'b>> {
        let btf = self.records.btf();
        let found = Type::new(btf, self.records.next()?);
        if self.name.is(found.name_tail()) {
            return Some(found);
        }
        self.records = btf.no_records();
        None
    }
}

impl fmt::Debug for Named<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Named").field("name", &self.name.name()).finish_non_exhaustive()
    }
}
