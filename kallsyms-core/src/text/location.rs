//! `name+0xoffset/0xsize [module]`.

use core::fmt;

use super::utf8::Utf8Writer;
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

/// An address that has no symbol.
#[cold]
#[inline(never)]
pub(super) fn write_address(f: &mut fmt::Formatter<'_>, address: u64) -> fmt::Result {
    let mut text = Utf8Writer::new(f);
    text.push(b"0x")?;
    text.digits(address, 1)?;
    text.finish()
}

pub(super) fn write<L: Layout>(
    f: &mut fmt::Formatter<'_>,
    location: &Location<'_, L>,
    form: Form<'_>,
) -> fmt::Result {
    let symbol = location.symbol();
    let alternate = f.alternate();
    let mut text = Utf8Writer::new(f);
    if alternate {
        text.kind(symbol.kind())?;
        text.push(b" ")?;
    }
    text.name_of(&symbol)?;
    if !form.without_offset {
        text.push(b"+0x")?;
        text.digits(location.offset(), 1)?;
        if let Some(size) = location.size() {
            text.push(b"/0x")?;
            text.digits(size, 1)?;
        }
    }
    if let Some(module) = symbol.module() {
        text.push(b" [")?;
        text.push(module)?;
        if let Some(build_id) = form.build_id {
            text.push(b" ")?;
            build_id.iter().try_for_each(|&byte| text.digits(u64::from(byte), 2))?;
        }
        text.push(b"]")?;
    }
    text.finish()
}
