//! `kallsyms addr`.

use std::io::{self, BufRead, BufWriter, Write, stdin, stdout};
use std::process::ExitCode;

use anyhow::{Result, bail};
use kallsyms_core::Location;
use kallsyms_core::table::{Layout, Table};
use kallsyms_gen::source::AnyTable;

use crate::address::{Address, hexadecimal};
use crate::cli::{AddrArgs, PlaceArgs};
use crate::{files, print};

pub(crate) fn addr(args: &AddrArgs) -> Result<ExitCode> {
    let source = files::source(&args.source)?;
    let slide = args.place.slide.0;
    match source.table()? {
        AnyTable::Image(table) => addresses(&table.with_slide(slide), args)?,
        AnyTable::Linux(table, _) => addresses(&table.with_slide(slide), args)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn addresses<L: Layout>(table: &Table<L>, args: &AddrArgs) -> Result<()> {
    let mut out = BufWriter::new(stdout().lock());
    for address in &args.addresses {
        match *address {
            Address::Value(address) => print_line(&mut out, table, &args.place, address)?,
            Address::Stdin => from_stdin(&mut out, table, &args.place)?,
        }
    }
    Ok(out.flush()?)
}

/// Answers each line as it comes.
fn from_stdin<L: Layout>(out: &mut impl Write, table: &Table<L>, place: &PlaceArgs) -> Result<()> {
    let mut input = stdin().lock();
    let mut line = Vec::new();
    for number in 1u64.. {
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            break;
        }
        for word in line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()) {
            let Some(address) = str::from_utf8(word).ok().and_then(hexadecimal) else {
                out.flush()?;
                bail!(
                    "stdin: line {number}: expected a hexadecimal address, found `{}`",
                    word.escape_ascii()
                );
            };
            print_line(out, table, place, address)?;
        }
        out.flush()?;
    }
    Ok(())
}

fn print_line<L: Layout>(
    out: &mut impl Write,
    table: &Table<L>,
    place: &PlaceArgs,
    address: u64,
) -> io::Result<()> {
    match locate(table, place, address) {
        Some(location) => print::location(out, &location)?,
        None => write!(out, "{address:#x}")?,
    }
    out.write_all(b"\n")
}

/// The symbol that holds an address, or made the call that returns to it.
fn locate<'t, L: Layout>(table: &'t Table<L>, place: &PlaceArgs, address: u64) -> Option<Location<'t, L>> {
    if place.return_address { table.lookup_return_address(address) } else { table.lookup(address) }
}
