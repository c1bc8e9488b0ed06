//! `name+0xoffset/0xsize [module]`.

use core::fmt;

use crate::lossy::Lossy;
use crate::query::Location;
use crate::table::Layout;

/// What of a location is written.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Form<'t> {
    pub(super) without_offset: bool,
    pub(super) build_id: Option<&'t [u8]>,
}

/// `name+0x1c/0x90`, or `name+0x1c` where the size is not known, and ` [module]` behind it; the alternate
/// form begins with the type: `t name…`.
impl<L: Layout> fmt::Display for Location<'_, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write(f, self, Form::default())
    }
}

pub(super) fn write<L: Layout>(
    f: &mut fmt::Formatter<'_>,
    location: &Location<'_, L>,
    form: Form<'_>,
) -> fmt::Result {
    let symbol = location.symbol();
    if f.alternate() {
        write!(f, "{} ", char::from(symbol.kind()))?;
    }
    write!(f, "{}", symbol.name())?;
    if !form.without_offset {
        write!(f, "+{:#x}", location.offset())?;
        if let Some(size) = location.size() {
            write!(f, "/{size:#x}")?;
        }
    }
    let Some(module) = symbol.module() else { return Ok(()) };
    write!(f, " [{}", Lossy(module))?;
    if let Some(build_id) = form.build_id {
        f.write_str(" ")?;
        build_id.iter().try_for_each(|byte| write!(f, "{byte:02x}"))?;
    }
    f.write_str("]")
}
