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

/// `address name`, a line.
pub(crate) fn address_and_name(out: &mut impl Write, address: u64, name: &[u8]) -> io::Result<()> {
    write!(out, "{address:016x} ")?;
    out.write_all(name)?;
    out.write_all(b"\n")
}

/// The same of a symbol.
pub(crate) fn address_and_symbol<L: Layout>(out: &mut impl Write, symbol: &Symbol<'_, L>) -> io::Result<()> {
    write!(out, "{:016x} ", symbol.address())?;
    name(out, symbol)?;
    out.write_all(b"\n")
}

/// The line of /proc/kallsyms.
pub(crate) fn listing<L: Layout>(
    out: &mut impl Write,
    place: &Symbol<'_, L>,
    digits: usize,
) -> io::Result<()> {
    symbol(out, place, digits)?;
    module(out, b"\t[", place)?;
    out.write_all(b"\n")
}

/// `name+0xoffset/0xsize [module]`, without what is not known or there is none of.
pub(crate) fn location<L: Layout>(out: &mut impl Write, location: &Location<'_, L>) -> io::Result<()> {
    name(out, &location.symbol())?;
    write!(out, "+{:#x}", location.offset())?;
    if let Some(size) = location.size() {
        write!(out, "/{size:#x}")?;
    }
    module(out, b" [", &location.symbol())
}

/// The symbol's module in brackets, if it has one.
fn module<L: Layout>(out: &mut impl Write, open: &[u8], symbol: &Symbol<'_, L>) -> io::Result<()> {
    let Some(module) = symbol.module() else { return Ok(()) };
    out.write_all(open)?;
    out.write_all(module)?;
    out.write_all(b"]")
}

fn name<L: Layout>(out: &mut impl Write, symbol: &Symbol<'_, L>) -> io::Result<()> {
    symbol.name().fragments().try_for_each(|fragment| out.write_all(fragment))
}
