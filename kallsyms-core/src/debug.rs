//! `Debug` without the parts of the library that take much stack or may panic.

use core::fmt;

/// Writes a value as `Name(its text)`, without a formatter in a formatter.
#[inline]
pub(crate) fn text(f: &mut fmt::Formatter<'_>, name: &str, value: &impl fmt::Display) -> fmt::Result {
    f.write_str(name)?;
    f.write_str("(")?;
    value.fmt(f)?;
    f.write_str(")")
}

/// Writes a structure field by field, as a derived `Debug` does: for more than five fields that one calls a function
/// of the library which asserts, and so may panic.
macro_rules! debug_fields {
    ($this:ident, $f:ident, $name:literal: $($field:ident)*) => {
        $f.debug_struct($name)$(.field(stringify!($field), &$this.$field))*.finish()
    };
}
pub(crate) use debug_fields;
