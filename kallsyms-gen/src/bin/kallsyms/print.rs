//! Symbols and locations as bytes: a name that is not UTF-8 comes out as it went in.

use std::io::{self, Write};

use kallsyms_core::table::Layout;
use kallsyms_core::{Location, Symbol};

/// `address type name`, the address with this many digits at least.
pub(crate) fn symbol<L: Layout>(
    out: &mut impl Write,
    symbol: &Symbol<'_, L>,
    digits: usize,
) -> io::Result<()> {
    write!(out, "{:0digits$x} {} ", symbol.address(), char::from(symbol.kind()))?;
    name(out, symbol)
}

/// The line of /proc/kallsyms.
pub(crate) fn listing<L: Layout>(
    out: &mut impl Write,
    place: &Symbol<'_, L>,
    digits: usize,
) -> io::Result<()> {
    symbol(out, place, digits)?;
    if let Some(module) = place.module() {
        out.write_all(b"\t[")?;
        out.write_all(module)?;
        out.write_all(b"]")?;
    }
    out.write_all(b"\n")
}

/// `name+0xoffset/0xsize`, or without the size where it is not known.
pub(crate) fn location<L: Layout>(out: &mut impl Write, location: &Location<'_, L>) -> io::Result<()> {
    name(out, &location.symbol())?;
    write!(out, "+{:#x}", location.offset())?;
    match location.size() {
        Some(size) => write!(out, "/{size:#x}"),
        None => Ok(()),
    }
}

fn name<L: Layout>(out: &mut impl Write, symbol: &Symbol<'_, L>) -> io::Result<()> {
    symbol.name().fragments().try_for_each(|fragment| out.write_all(fragment))
}
