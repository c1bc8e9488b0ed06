//! `Debug` of structures with more than five fields.

/// Writes a structure field by field, as a derived `Debug` does: for more than five fields that one calls a function
/// of the library which asserts, and so may panic.
macro_rules! debug_fields {
    ($this:ident, $f:ident, $name:literal: $($field:ident)*) => {
        $f.debug_struct($name)$(.field(stringify!($field), &$this.$field))*.finish()
    };
}
pub(crate) use debug_fields;
