//! BTF whose structure has been checked.

use core::fmt;
use core::iter::successors;

use super::format::{Info, RawLayout, RawType, from, record_len, trailer};
use super::kind::Kind;
use super::layer::Layer;
use super::offsets::{Keeper, Offsets};
use super::strings;
use super::type_id::TypeId;
use super::types::{Type, Types};
use crate::endian::Endian;
use crate::num::{index, low32, wide};
use zerocopy::FromBytes;

/// BTF: the types of a kernel or module and their names, read in place.
///
/// [`Btf::parse`] and [`Btf::split`] are the doors. Stack: 512 bytes at most for any call that says nothing
/// else.
#[derive(Clone, Copy)]
pub struct Btf<'a> {
    pub(super) bytes: &'a [u8],
    /// The type section.
    pub(super) records: &'a [u8],
    /// Where it begins.
    pub(super) records_at: usize,
    /// The string section.
    pub(super) strings: &'a [u8],
    /// Offset of the first string: that behind the base's last.
    pub(super) strings_start: u32,
    pub(super) layout: &'a [RawLayout],
    pub(super) endian: Endian,
    pub(super) pointer_size: u8,
    /// How many bases there are.
    pub(super) depth: u32,
    pub(super) start_id: u32,
    pub(super) own_len: u32,
    pub(super) named_len: u32,
    pub(super) base: Option<Layer<'a>>,
    pub(super) offsets: Offsets<'a>,
}

impl<'a> Btf<'a> {
    /// Finds types by number through offsets that are kept in `room`;
    /// [`parse_with_offsets`](Self::parse_with_offsets) does it while it parses.
    ///
    /// With as many words as [`own_len`](Self::own_len) every type's offset is kept; with fewer every 2nd,
    /// 4th, 8th and so on, and as many records are stepped over; with none a search begins at the first type.
    /// Steps: one a type.
    #[must_use]
    pub fn with_offsets(self, room: &'a mut [u32]) -> Self {
        let mut keeper = Keeper::new(room);
        self.own_types().for_each(|record| keeper.keep(record.number, record.offset));
        Self { offsets: keeper.finish(), ..self }
    }

    /// The bytes that it was made from.
    #[must_use]
    pub const fn as_bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Byte order of its numbers.
    #[must_use]
    pub const fn endian(&self) -> Endian {
        self.endian
    }

    /// Its first own type: 1, or for a split BTF the one behind the base's last.
    #[must_use]
    pub const fn start_id(&self) -> TypeId {
        TypeId(self.start_id)
    }

    /// The one behind its last type, which is how many there are with those of the base and `void`.
    #[must_use]
    pub const fn end_id(&self) -> TypeId {
        // `parse` has added them.
        TypeId(self.start_id.wrapping_add(self.own_len))
    }

    /// How many types it has itself.
    #[must_use]
    pub const fn own_len(&self) -> u32 {
        self.own_len
    }

    /// How many of these have a name.
    #[must_use]
    pub const fn named_len(&self) -> u32 {
        self.named_len
    }

    /// The BTF whose types and strings it goes on from.
    #[must_use]
    pub fn base(&self) -> Option<&Btf<'a>> {
        self.base.as_ref().map(Layer::btf)
    }

    /// Bytes of a pointer: of a `long`, where there is such an integer, else 8.
    #[must_use]
    pub const fn pointer_size(&self) -> u8 {
        self.pointer_size
    }

    /// Bytes of the type section.
    #[must_use]
    pub const fn types_len(&self) -> usize {
        self.records.len()
    }

    /// Bytes of the string section.
    #[must_use]
    pub const fn strings_len(&self) -> usize {
        self.strings.len()
    }

    /// Its own types in the order of their numbers. Steps: one a type.
    #[must_use]
    pub fn types(&self) -> Types<'_> {
        Types::new(self)
    }

    /// The type of a number, of the base too; 0 is `void`.
    ///
    /// Steps: those that [`with_offsets`](Self::with_offsets) leaves, one a base.
    #[must_use]
    #[inline]
    pub fn type_by_id(&self, id: TypeId) -> Option<Type<'_>> {
        if id == TypeId::VOID {
            return Some(Type::void(self));
        }
        let owner = self.layers().find(|layer| id.0 >= layer.start_id)?;
        let number = id.0.wrapping_sub(owner.start_id);
        let record = owner.record(number)?;
        Some(Type::new(owner, record))
    }

    /// The string at an offset, of the base too; `None` behind the last one. Steps: one for 8 bytes.
    #[must_use]
    pub fn string(&self, offset: u32) -> Option<&'a [u8]> {
        self.tail(offset).filter(|tail| !tail.is_empty()).map(strings::string)
    }

    /// The strings from an offset on.
    #[inline(always)]
    pub(super) fn tail(&self, offset: u32) -> Option<&'a [u8]> {
        if let Some(own) = offset.checked_sub(self.strings_start) {
            return from(self.strings, own);
        }
        self.base_tail(offset)
    }

    /// What holds of the strings from an offset on.
    ///
    /// Without an `Option` of them, whose conditional moves every step of a search would wait for.
    #[inline(always)]
    pub(super) fn name_is(&self, offset: u32, holds: impl FnOnce(&[u8]) -> bool) -> bool {
        let tail = match offset.checked_sub(self.strings_start) {
            Some(own) => match from(self.strings, own) {
                Some(tail) => tail,
                None => return false,
            },
            None => match self.base_tail(offset) {
                Some(tail) => tail,
                None => return false,
            },
        };
        holds(tail)
    }

    #[inline(never)]
    fn base_tail(&self, offset: u32) -> Option<&'a [u8]> {
        let owner = self.layers().find(|layer| offset >= layer.strings_start)?;
        let own = offset.wrapping_sub(owner.strings_start);
        from(owner.strings, own)
    }

    /// It, its base, the base's base and so on.
    #[inline(always)]
    pub(super) fn layers(&self) -> impl Iterator<Item = &Btf<'a>> {
        successors(Some(self), |layer| layer.base())
    }

    /// Where the strings end.
    pub(super) const fn strings_end(&self) -> u32 {
        self.strings_start.wrapping_add(low32(wide(self.strings.len())))
    }

    /// Its own records.
    #[inline(always)]
    pub(super) const fn own_types(&self) -> Records<'_> {
        self.records_from(0, 0)
    }

    /// Their heads.
    #[inline(always)]
    pub(super) const fn heads(&self) -> Heads<'_> {
        Heads(self.own_types())
    }

    /// Those from this one on, which begins here.
    #[inline(always)]
    pub(super) const fn records_from(&self, number: u32, offset: u32) -> Records<'_> {
        Records { btf: self, number, offset }
    }

    /// Those from this one on, counted from the first; none if there is no such type.
    pub(super) fn records_of(&self, number: u32) -> Records<'_> {
        match self.record(number) {
            Some(record) => self.records_from(number, record.offset),
            None => self.no_records(),
        }
    }

    /// None of them.
    pub(super) const fn no_records(&self) -> Records<'_> {
        self.records_from(u32::MAX, u32::MAX)
    }

    /// The head of the record at an offset.
    #[inline(always)]
    pub(super) fn head(&self, offset: u32) -> Option<&'a RawType> {
        Some(RawType::ref_from_prefix(from(self.records, offset)?).ok()?.0)
    }

    /// The record that begins here.
    #[inline(always)]
    pub(super) fn record_at(&self, number: u32, offset: u32) -> Option<Record<'_>> {
        let (head, behind) = RawType::ref_from_prefix(from(self.records, offset)?).ok()?;
        let info = Info(head.info.get(self.endian));
        let len = low32(record_len(trailer(info.kind(), self.layout)?, info.vlen()));
        let rest = behind.get(..index(len).wrapping_sub(size_of::<RawType>()))?;
        Some(Record { number, offset, head, rest })
    }

    /// The record of an own type, counted from the first.
    #[inline(always)]
    pub(super) fn record(&self, number: u32) -> Option<Record<'_>> {
        if number >= self.own_len {
            return None;
        }
        let (before, offset) = self.offsets.before(number);
        let mut records = self.records_from(before, offset);
        if before == number { records.next() } else { records.nth(index(number.wrapping_sub(before))) }
    }
}

impl fmt::Debug for Btf<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Btf")
            .field("start_id", &self.start_id)
            .field("types", &self.own_len)
            .field("named", &self.named_len)
            .field("endian", &self.endian)
            .finish_non_exhaustive()
    }
}

/// A record and where it is.
#[derive(Clone, Copy)]
pub(super) struct Record<'a> {
    /// Which of the own types it is.
    pub(super) number: u32,
    /// Bytes from the start of the type section.
    pub(super) offset: u32,
    pub(super) head: &'a RawType,
    /// What follows the head, up to the end of the record.
    pub(super) rest: &'a [u8],
}

impl Record<'_> {
    /// Bytes that it has.
    #[inline(always)]
    pub(super) fn len(&self) -> u32 {
        low32(wide(size_of::<RawType>().wrapping_add(self.rest.len())))
    }

    #[inline(always)]
    pub(super) fn kind(&self, endian: Endian) -> Kind {
        Kind::from_number(Info(self.head.info.get(endian)).kind())
    }

    #[inline(always)]
    pub(super) fn vlen(&self, endian: Endian) -> u32 {
        Info(self.head.info.get(endian)).vlen()
    }
}

/// Records one after the other.
#[derive(Clone, Copy)]
pub(super) struct Records<'b> {
    btf: &'b Btf<'b>,
    number: u32,
    /// Where it begins, if that is not kept.
    offset: u32,
}

impl<'b> Records<'b> {
    #[inline(always)]
    pub(super) const fn btf(&self) -> &'b Btf<'b> {
        self.btf
    }

    /// How many there are.
    pub(super) const fn left(&self) -> u32 {
        self.btf.own_len.saturating_sub(self.number)
    }
}

/// The heads of records one after the other: no record is measured whose successor is known to begin elsewhere.
#[derive(Clone, Copy)]
pub(super) struct Heads<'b>(Records<'b>);

impl<'b> Heads<'b> {
    #[inline(always)]
    pub(super) const fn btf(&self) -> &'b Btf<'b> {
        self.0.btf
    }
}

impl<'b> Iterator for Heads<'b> {
    type Item = (u32, &'b RawType);

    #[inline(always)]
    fn next(&mut self) -> Option<(u32, &'b RawType)> {
        let Records { btf, number, .. } = self.0;
        match btf.offsets.of(number) {
            Some(offset) => {
                self.0.number = number.wrapping_add(1);
                Some((number, btf.head(offset)?))
            }
            // Either all of them are kept or this one's place is known from the record before.
            None if number < btf.own_len => self.0.next().map(|record| (number, record.head)),
            None => None,
        }
    }
}

impl<'b> Iterator for Records<'b> {
    type Item = Record<'b>;

    #[inline(always)]
    fn next(&mut self) -> Option<Record<'b>> {
        // One that is kept need not wait for the length of the record before it.
        let offset = self.btf.offsets.of(self.number).unwrap_or(self.offset);
        let record = self.btf.record_at(self.number, offset)?;
        self.number = self.number.wrapping_add(1);
        self.offset = offset.wrapping_add(record.len());
        Some(record)
    }
}
