//! One type, and what it is made of.

use core::fmt;

use zerocopy::FromBytes;

use super::btf::{Btf, Record, Records};
use super::format::{Info, RawArray, RawType, Word};
use super::kind::Kind;
use super::lists::{Enumerators, Members, Params, Variables};
use super::strings;
use super::type_id::TypeId;

/// A type of a [`Btf`].
#[derive(Clone, Copy)]
pub struct Type<'b> {
    btf: &'b Btf<'b>,
    id: u32,
    offset: u32,
    head: &'b RawType,
    rest: &'b [u8],
}

/// What a type is, with what belongs to its kind; a [`TypeId`] is the type that it refers to.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Shape<'b> {
    /// `void`.
    Void,
    /// An integer.
    Int(Int),
    /// A pointer to this type.
    Pointer(TypeId),
    /// An array.
    Array(Array),
    /// A struct.
    Struct(Members<'b>),
    /// A union.
    Union(Members<'b>),
    /// An enum, of 32 or 64 bits.
    Enum(Enumerators<'b>),
    /// A declaration without definition.
    Forward {
        /// Of a union, else of a struct.
        union: bool,
    },
    /// Another name of this type.
    Typedef(TypeId),
    /// `volatile`, of this type.
    Volatile(TypeId),
    /// `const`, of this type.
    Const(TypeId),
    /// `restrict`, of this type.
    Restrict(TypeId),
    /// A function.
    Func {
        /// Its parameters and result.
        proto: TypeId,
        /// 0 static, 1 global, 2 extern.
        linkage: u32,
    },
    /// Parameters and result of a function.
    FuncProto {
        /// The result.
        result: TypeId,
        /// The parameters.
        params: Params<'b>,
    },
    /// A variable.
    Var {
        /// Its type.
        type_id: TypeId,
        /// 0 static, 1 global, 2 extern.
        linkage: u32,
    },
    /// A section of variables.
    DataSec(Variables<'b>),
    /// A floating point number.
    Float {
        /// Bytes.
        size: u32,
    },
    /// A tag on a declaration.
    DeclTag {
        /// What is tagged.
        target: TypeId,
        /// Which member or parameter of it, from 0; -1 is the whole.
        component: i32,
    },
    /// A tag on this type.
    TypeTag(TypeId),
    /// Of a later kind; [`Type::record`] has its bytes.
    Other(Kind),
}

/// An integer.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Int {
    /// Bytes.
    pub size: u32,
    /// Bits that count.
    pub bits: u8,
    /// Bits that they are above the lowest; 0 but in old BTF.
    pub bit_offset: u8,
    /// Has a sign.
    pub signed: bool,
    /// Is a character.
    pub char: bool,
    /// Is a truth value.
    pub bool: bool,
}

impl core::fmt::Debug for Int {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        crate::debug::debug_fields!(self, f, "Int": size bits bit_offset signed char bool)
    }
}

/// An array.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Array {
    /// Type of an element.
    pub element: TypeId,
    /// Type of an index.
    pub index: TypeId,
    /// How many elements.
    pub len: u32,
}

static VOID: [u8; size_of::<RawType>()] = [0; size_of::<RawType>()];

impl<'b> Type<'b> {
    #[inline(always)]
    pub(super) fn new(btf: &'b Btf<'b>, record: Record<'b>) -> Self {
        let Record { number, offset, head, rest } = record;
        Self { btf, id: btf.start_id.wrapping_add(number), offset, head, rest }
    }

    /// Type 0.
    pub(super) fn void(btf: &'b Btf<'b>) -> Self {
        let head = zerocopy::transmute_ref!(&VOID);
        Self { btf, id: 0, offset: 0, head, rest: &[] }
    }

    /// Its number.
    #[must_use]
    pub const fn id(&self) -> TypeId {
        TypeId(self.id)
    }

    /// Which of the own types of its BTF it is.
    pub(super) const fn number(&self) -> u32 {
        self.id.wrapping_sub(self.btf.start_id)
    }

    /// The BTF that it is in: a base, or the one that was asked.
    #[must_use]
    pub const fn btf(&self) -> &'b Btf<'b> {
        self.btf
    }

    /// Its kind.
    #[must_use]
    #[inline]
    pub fn kind(&self) -> Kind {
        Kind::from_number(self.info().kind())
    }

    /// Its name; empty where it has none. Steps: one for 8 bytes.
    #[must_use]
    pub fn name(&self) -> &'b [u8] {
        strings::string(self.name_tail())
    }

    /// Its name up to the end of the strings.
    #[inline(always)]
    pub(super) fn name_tail(&self) -> &'b [u8] {
        self.btf.tail(self.name_off()).unwrap_or_default()
    }

    /// Offset of its name among the strings.
    #[must_use]
    #[inline]
    pub const fn name_off(&self) -> u32 {
        self.head.name_off.get(self.btf.endian)
    }

    /// How many elements it has: members, values, parameters, variables.
    #[must_use]
    pub const fn vlen(&self) -> u32 {
        self.info().vlen()
    }

    /// The flag of its kind: bit fields in a struct, signed values in an enum, a union's declaration.
    #[must_use]
    pub const fn kflag(&self) -> bool {
        self.info().kflag()
    }

    /// The word that is its bytes or the type that it refers to, by its kind.
    #[must_use]
    pub const fn size_or_type(&self) -> u32 {
        self.head.size_or_type.get(self.btf.endian)
    }

    /// Where its record begins: bytes from the start of the type section.
    #[must_use]
    pub const fn offset(&self) -> u32 {
        self.offset
    }

    /// Its record, head and elements; none of `void`.
    #[must_use]
    pub fn record(&self) -> &'b [u8] {
        let start = crate::num::index(self.offset);
        let len = if self.id == 0 { 0 } else { size_of::<RawType>().wrapping_add(self.rest.len()) };
        self.btf.records.get(start..start.wrapping_add(len)).unwrap_or_default()
    }

    /// What it is made of.
    #[must_use]
    pub fn shape(&self) -> Shape<'b> {
        let reference = TypeId(self.size_or_type());
        let endian = self.btf.endian;
        match self.kind() {
            Kind::Void => Shape::Void,
            Kind::Int => Shape::Int(self.int()),
            Kind::Pointer => Shape::Pointer(reference),
            Kind::Array => match RawArray::read_from_prefix(self.rest) {
                Ok((array, _)) => Shape::Array(Array {
                    element: TypeId(array.element.get(endian)),
                    index: TypeId(array.index.get(endian)),
                    len: array.len.get(endian),
                }),
                Err(_) => Shape::Other(Kind::Array),
            },
            Kind::Struct => Shape::Struct(Members::new(self)),
            Kind::Union => Shape::Union(Members::new(self)),
            Kind::Enum | Kind::Enum64 => Shape::Enum(Enumerators::new(self)),
            Kind::Forward => Shape::Forward { union: self.kflag() },
            Kind::Typedef => Shape::Typedef(reference),
            Kind::Volatile => Shape::Volatile(reference),
            Kind::Const => Shape::Const(reference),
            Kind::Restrict => Shape::Restrict(reference),
            Kind::Func => Shape::Func { proto: reference, linkage: self.vlen() },
            Kind::FuncProto => Shape::FuncProto { result: reference, params: Params::new(self) },
            Kind::Var => Shape::Var { type_id: reference, linkage: self.word() },
            Kind::DataSec => Shape::DataSec(Variables::new(self)),
            Kind::Float => Shape::Float { size: self.size_or_type() },
            Kind::DeclTag => Shape::DeclTag { target: reference, component: self.word().cast_signed() },
            Kind::TypeTag => Shape::TypeTag(reference),
            other @ Kind::Other(_) => Shape::Other(other),
        }
    }

    /// What follows the head.
    pub(super) const fn rest(&self) -> &'b [u8] {
        self.rest
    }

    const fn info(&self) -> Info {
        Info(self.head.info.get(self.btf.endian))
    }

    /// The word behind the head: an array's element, for one.
    pub(super) fn word(&self) -> u32 {
        Word::read_from_prefix(self.rest).map_or(0, |(word, _)| word.get(self.btf.endian))
    }

    fn int(&self) -> Int {
        let [bits, _, bit_offset, encoding] = self.word().to_le_bytes();
        let has = |bit: u8| encoding & bit != 0;
        Int { size: self.size_or_type(), bits, bit_offset, signed: has(1), char: has(2), bool: has(4) }
    }
}

impl fmt::Debug for Type<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Type").field("id", &self.id).field("kind", &self.kind()).finish_non_exhaustive()
    }
}

/// The same number of the same bytes.
impl PartialEq for Type<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id && core::ptr::eq(self.head, other.head)
    }
}

impl Eq for Type<'_> {}

/// The own types of a [`Btf`], in the order of their numbers: [`Btf::types`].
#[derive(Clone, Copy)]
pub struct Types<'b>(Records<'b>);

impl<'b> Types<'b> {
    pub(super) const fn new(btf: &'b Btf<'b>) -> Self {
        Self(btf.own_types())
    }
}

impl<'b> Iterator for Types<'b> {
    type Item = Type<'b>;

    #[inline]
    fn next(&mut self) -> Option<Type<'b>> {
        let record = self.0.next()?;
        Some(Type::new(self.0.btf(), record))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = crate::num::index(self.0.left());
        (left, Some(left))
    }
}

impl ExactSizeIterator for Types<'_> {}

impl fmt::Debug for Types<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Types").field("left", &self.0.left()).finish_non_exhaustive()
    }
}
