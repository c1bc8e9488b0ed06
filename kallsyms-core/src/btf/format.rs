//! The bytes of BTF: header, records, what follows them. Source: the kernel's `uapi/linux/btf.h`, as of 2026.

use static_assertions::const_assert_eq;
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use super::kind::Kind;
use crate::endian::Endian;
use crate::num::{index, wide};

/// Types, or the definition of one through others, are followed so deep.
pub(super) const MAX_DEPTH: u32 = 32;

/// A number of 32 bits at any alignment.
#[derive(Debug, Clone, Copy, Default, FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned)]
#[repr(transparent)]
pub(super) struct Word([u8; 4]);

impl Word {
    #[inline(always)]
    pub(super) const fn new(value: u32, endian: Endian) -> Self {
        Self(match endian {
            Endian::Little => value.to_le_bytes(),
            Endian::Big => value.to_be_bytes(),
        })
    }

    #[inline(always)]
    pub(super) const fn get(self, endian: Endian) -> u32 {
        match endian {
            Endian::Little => u32::from_le_bytes(self.0),
            Endian::Big => u32::from_be_bytes(self.0),
        }
    }

    #[inline(always)]
    pub(super) const fn get_signed(self, endian: Endian) -> i32 {
        self.get(endian).cast_signed()
    }
}

/// The head of a type's record.
#[derive(Debug, Clone, Copy, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct RawType {
    pub(super) name_off: Word,
    pub(super) info: Word,
    pub(super) size_or_type: Word,
}

/// A member of a struct or union.
#[derive(Debug, Clone, Copy, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct RawMember {
    pub(super) name_off: Word,
    pub(super) type_id: Word,
    pub(super) offset: Word,
}

/// A value of an enum.
#[derive(Debug, Clone, Copy, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct RawEnumerator {
    pub(super) name_off: Word,
    pub(super) value: Word,
}

/// A value of an enum of 64 bits.
#[derive(Debug, Clone, Copy, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct RawEnumerator64 {
    pub(super) name_off: Word,
    pub(super) low: Word,
    pub(super) high: Word,
}

/// A parameter of a function.
#[derive(Debug, Clone, Copy, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct RawParam {
    pub(super) name_off: Word,
    pub(super) type_id: Word,
}

/// What follows the head of an array.
#[derive(Debug, Clone, Copy, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct RawArray {
    pub(super) element: Word,
    pub(super) index: Word,
    pub(super) len: Word,
}

/// A variable of a section.
#[derive(Debug, Clone, Copy, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct RawVariable {
    pub(super) type_id: Word,
    pub(super) offset: Word,
    pub(super) size: Word,
}

/// How long the records of one kind are: an entry of the layout section.
#[derive(Debug, Clone, Copy, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct RawLayout {
    /// Bytes behind the head, once.
    pub(super) info_size: u8,
    /// Bytes of each element.
    pub(super) element_size: u8,
    pub(super) flags: [u8; 2],
}

const_assert_eq!(size_of::<RawType>(), 12);

/// The `info` word: since 2026 `vlen` has 24 bits and `kind` seven; the bits were zero before.
#[derive(Debug, Clone, Copy)]
pub(super) struct Info(pub(super) u32);

impl Info {
    /// How many elements follow.
    #[inline(always)]
    pub(super) const fn vlen(self) -> u32 {
        self.0 & 0x00ff_ffff
    }

    /// Number of the kind.
    #[inline(always)]
    pub(super) const fn kind(self) -> u8 {
        let [_, _, _, high] = self.0.to_le_bytes();
        high & 0x7f
    }

    #[inline(always)]
    pub(super) const fn kflag(self) -> bool {
        self.0 >> 31 != 0
    }
}

/// Bytes behind the head, and bytes of each element, of the kinds that are known.
const TRAILERS: [(u8, u8); 20] = [
    (0, 0),  // void has no record
    (4, 0),  // INT
    (0, 0),  // PTR
    (12, 0), // ARRAY
    (0, 12), // STRUCT
    (0, 12), // UNION
    (0, 8),  // ENUM
    (0, 0),  // FWD
    (0, 0),  // TYPEDEF
    (0, 0),  // VOLATILE
    (0, 0),  // CONST
    (0, 0),  // RESTRICT
    (0, 0),  // FUNC
    (0, 8),  // FUNC_PROTO
    (4, 0),  // VAR
    (0, 12), // DATASEC
    (0, 0),  // FLOAT
    (4, 0),  // DECL_TAG
    (0, 0),  // TYPE_TAG
    (0, 12), // ENUM64
];

/// Bytes behind the head and of each element; `None` for a kind that neither this reader nor the layout
/// section knows.
#[inline(always)]
pub(super) fn trailer(kind: u8, layout: &[RawLayout]) -> Option<(u8, u8)> {
    let kind = usize::from(kind);
    match TRAILERS.get(kind) {
        Some(_) if kind == 0 => None,
        Some(&known) => Some(known),
        None => layout.get(kind).map(|entry| (entry.info_size, entry.element_size)),
    }
}

/// Bytes of a whole record.
#[inline(always)]
pub(super) fn record_len((info, element): (u8, u8), vlen: u32) -> u64 {
    // At most 12 + 255 + 2^24 · 255.
    let elements = u64::from(element).wrapping_mul(u64::from(vlen));
    wide(size_of::<RawType>()).wrapping_add(u64::from(info)).wrapping_add(elements)
}

/// Whether the elements of a kind begin with the offset of a name.
#[inline(always)]
pub(super) const fn has_named_elements(kind: Kind) -> bool {
    matches!(kind, Kind::Struct | Kind::Union | Kind::Enum | Kind::FuncProto | Kind::Enum64)
}

/// A slice's bytes from an offset on.
#[inline(always)]
pub(super) fn from(bytes: &[u8], offset: u32) -> Option<&[u8]> {
    bytes.get(index(offset)..)
}

/// Copies as much as there is of both.
pub(super) fn copy<T: Copy>(from: &[T], to: &mut [T]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to = *from;
    }
}
