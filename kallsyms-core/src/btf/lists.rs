//! The elements of a type: members, values, parameters, variables.

use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

use super::btf::Btf;
use super::format::{RawEnumerator, RawEnumerator64, RawMember, RawParam, RawVariable, Word};
use super::kind::Kind;
use super::type_id::TypeId;
use super::types::Type;
use crate::num::{index, widen};

/// A member of a struct or union.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Member<'b> {
    /// Its name; empty where it has none.
    pub name: &'b [u8],
    /// Its type.
    pub type_id: TypeId,
    /// Bits from the start of the struct.
    pub bit_offset: u32,
    /// Bits of a bit field, 0 of any other member.
    pub bit_size: u8,
}

/// A value of an enum.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Enumerator<'b> {
    /// Its name.
    pub name: &'b [u8],
    /// Its value, as 64 bits with the sign that the enum has.
    pub value: u64,
}

/// A parameter of a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Param<'b> {
    /// Its name; empty where it has none.
    pub name: &'b [u8],
    /// Its type; the last of a function that takes any more, `...`, is without name and of type 0.
    pub type_id: TypeId,
}

/// A variable of a section.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Variable {
    /// The variable, a type of kind [`Kind::Var`].
    pub type_id: TypeId,
    /// Bytes from the start of the section.
    pub offset: u32,
    /// Bytes that it takes.
    pub size: u32,
}

/// The members of a struct or union, in order.
#[derive(Debug, Clone, Copy)]
pub struct Members<'b> {
    btf: &'b Btf<'b>,
    left: &'b [RawMember],
    bit_fields: bool,
}

/// A [`Member`] without its name, which has to be looked for.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) type_id: TypeId,
    pub(super) bit_offset: u32,
    pub(super) bit_size: u8,
}

/// The values of an enum, in order.
#[derive(Debug, Clone, Copy)]
pub struct Enumerators<'b> {
    btf: &'b Btf<'b>,
    left: Values<'b>,
    signed: bool,
}

#[derive(Debug, Clone, Copy)]
enum Values<'b> {
    Bits32(&'b [RawEnumerator]),
    Bits64(&'b [RawEnumerator64]),
}

/// The parameters of a function, in order.
#[derive(Debug, Clone, Copy)]
pub struct Params<'b> {
    btf: &'b Btf<'b>,
    left: &'b [RawParam],
}

/// The variables of a section, in order.
#[derive(Debug, Clone, Copy)]
pub struct Variables<'b> {
    btf: &'b Btf<'b>,
    left: &'b [RawVariable],
}

/// The elements behind a type's head.
fn elements<'b, T: FromBytes + Immutable + KnownLayout + Unaligned>(of: &Type<'b>) -> &'b [T] {
    match <[T]>::ref_from_prefix_with_elems(of.rest(), index(of.vlen())) {
        Ok((elements, _)) => elements,
        // `parse` has measured the record.
        Err(_) => &[],
    }
}

fn name<'b>(btf: &'b Btf<'b>, name_off: Word) -> &'b [u8] {
    btf.string(name_off.get(btf.endian)).unwrap_or_default()
}

impl<'b> Members<'b> {
    pub(super) fn new(of: &Type<'b>) -> Self {
        Self { btf: of.btf(), left: elements(of), bit_fields: of.kflag() }
    }

    /// The type of each, without looking at names.
    pub(super) fn type_ids(&self) -> impl Iterator<Item = TypeId> {
        let endian = self.btf.endian;
        self.left.iter().map(move |member| TypeId(member.type_id.get(endian)))
    }

    /// Takes the next one without measuring its name: that, and where the name is.
    pub(super) fn next_place(&mut self) -> Option<(Place, u32)> {
        let place = self.place(0)?;
        let (first, left) = self.left.split_first()?;
        self.left = left;
        Some((place, first.name_off.get(self.btf.endian)))
    }

    /// What a member has beside its name.
    pub(super) fn place(&self, at: usize) -> Option<Place> {
        let member = self.left.get(at)?;
        let endian = self.btf.endian;
        let offset = member.offset.get(endian);
        let [_, _, _, high] = offset.to_le_bytes();
        let (bit_offset, bit_size) = if self.bit_fields { (offset & 0x00ff_ffff, high) } else { (offset, 0) };
        Some(Place { type_id: TypeId(member.type_id.get(endian)), bit_offset, bit_size })
    }
}

impl<'b> Iterator for Members<'b> {
    type Item = Member<'b>;

    fn next(&mut self) -> Option<Member<'b>> {
        let (place, name_off) = self.next_place()?;
        let Place { type_id, bit_offset, bit_size } = place;
        let name = self.btf.string(name_off).unwrap_or_default();
        Some(Member { name, type_id, bit_offset, bit_size })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left.len(), Some(self.left.len()))
    }

    fn nth(&mut self, n: usize) -> Option<Member<'b>> {
        self.left = self.left.get(n..).unwrap_or_default();
        self.next()
    }
}

impl<'b> Enumerators<'b> {
    pub(super) fn new(of: &Type<'b>) -> Self {
        let left = match of.kind() {
            Kind::Enum64 => Values::Bits64(elements(of)),
            _ => Values::Bits32(elements(of)),
        };
        Self { btf: of.btf(), left, signed: of.kflag() }
    }

    /// Whether the values have a sign.
    #[must_use]
    pub const fn is_signed(&self) -> bool {
        self.signed
    }
}

impl<'b> Iterator for Enumerators<'b> {
    type Item = Enumerator<'b>;

    fn next(&mut self) -> Option<Enumerator<'b>> {
        let endian = self.btf.endian;
        let (name_off, value) = match &mut self.left {
            Values::Bits32(left) => {
                let (first, behind) = left.split_first()?;
                *left = behind;
                let value = match self.signed {
                    true => i64::from(first.value.get_signed(endian)).cast_unsigned(),
                    false => widen(first.value.get(endian)),
                };
                (first.name_off, value)
            }
            Values::Bits64(left) => {
                let (first, behind) = left.split_first()?;
                *left = behind;
                (first.name_off, widen(first.low.get(endian)) | widen(first.high.get(endian)) << 32)
            }
        };
        Some(Enumerator { name: name(self.btf, name_off), value })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = match self.left {
            Values::Bits32(left) => left.len(),
            Values::Bits64(left) => left.len(),
        };
        (left, Some(left))
    }
}

impl<'b> Params<'b> {
    pub(super) fn new(of: &Type<'b>) -> Self {
        Self { btf: of.btf(), left: elements(of) }
    }

    /// The type of each, without looking at names.
    pub(super) fn type_ids(&self) -> impl Iterator<Item = TypeId> {
        let endian = self.btf.endian;
        self.left.iter().map(move |param| TypeId(param.type_id.get(endian)))
    }
}

impl<'b> Iterator for Params<'b> {
    type Item = Param<'b>;

    fn next(&mut self) -> Option<Param<'b>> {
        let (first, left) = self.left.split_first()?;
        self.left = left;
        let type_id = TypeId(first.type_id.get(self.btf.endian));
        Some(Param { name: name(self.btf, first.name_off), type_id })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left.len(), Some(self.left.len()))
    }

    fn nth(&mut self, n: usize) -> Option<Param<'b>> {
        self.left = self.left.get(n..).unwrap_or_default();
        self.next()
    }
}

impl<'b> Variables<'b> {
    pub(super) fn new(of: &Type<'b>) -> Self {
        Self { btf: of.btf(), left: elements(of) }
    }
}

impl Iterator for Variables<'_> {
    type Item = Variable;

    fn next(&mut self) -> Option<Variable> {
        let (first, left) = self.left.split_first()?;
        self.left = left;
        let endian = self.btf.endian;
        let type_id = TypeId(first.type_id.get(endian));
        Some(Variable { type_id, offset: first.offset.get(endian), size: first.size.get(endian) })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left.len(), Some(self.left.len()))
    }

    fn nth(&mut self, n: usize) -> Option<Variable> {
        self.left = self.left.get(n..).unwrap_or_default();
        self.next()
    }
}

impl ExactSizeIterator for Members<'_> {}
impl ExactSizeIterator for Enumerators<'_> {}
impl ExactSizeIterator for Params<'_> {}
impl ExactSizeIterator for Variables<'_> {}
