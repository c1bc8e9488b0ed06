//! The number of a type.

use core::fmt;

/// A type's number: 0 is `void`, a split BTF goes on where its base ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct TypeId(pub u32);

impl TypeId {
    /// `void`, which has no record.
    pub const VOID: Self = Self(0);
}

impl fmt::Display for TypeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}
