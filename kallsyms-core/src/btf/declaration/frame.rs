//! What is being written while something inside of it is.

use crate::btf::type_id::TypeId;

/// Something whose elements are written one after the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Frame {
    /// The type that has the elements.
    pub(super) of: TypeId,
    /// Which of them is being written.
    pub(super) index: u32,
    /// How far this one is.
    pub(super) place: Place,
    /// What the elements are.
    pub(super) body: Body,
}

impl Frame {
    pub(super) const fn new(of: TypeId, body: Body) -> Self {
        Self { of, index: 0, place: Place::Before, body }
    }
}

/// What elements are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Body {
    /// One alone: what a typedef, function or variable declares.
    One,
    /// Parameters of a function.
    Params,
    /// Variables of a section.
    Section,
    /// Members of a struct that is packed.
    Packed,
    /// Members of a struct or union with this alignment in bytes: 1, 2, 4 or 8.
    Members(u8),
}

impl Body {
    /// Bytes to which what has these elements is aligned.
    pub(super) const fn align(self) -> u8 {
        match self {
            Self::Members(bytes) => bytes,
            _ => 1,
        }
    }

    /// Whether the elements have lines of their own, and are further to the right.
    pub(super) const fn is_indented(self) -> bool {
        !matches!(self, Self::One | Self::Params)
    }
}

/// How far an element is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// Nothing of it.
    Before,
    /// The definition that it begins with.
    Defined,
    /// All to the left of this link of its chain, the name included.
    Behind(u8),
}
