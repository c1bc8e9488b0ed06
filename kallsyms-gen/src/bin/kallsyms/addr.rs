//! `kallsyms addr`.

use std::io::{self, BufRead, BufWriter, Write, stdin, stdout};
use std::process::ExitCode;

use anyhow::{Result, bail};
use kallsyms_core::{Image, Location};

use crate::address::{Address, hexadecimal};
use crate::cli::{AddrArgs, PlaceArgs};
use crate::{files, print};

pub(crate) fn addr(args: &AddrArgs) -> Result<ExitCode> {
    let source = files::source(&args.source)?;
    let image = source.image()?.with_slide(args.place.slide.0);
    let mut out = BufWriter::new(stdout().lock());
    for address in &args.addresses {
        match *address {
            Address::Value(address) => print_line(&mut out, &image, &args.place, address)?,
            Address::Stdin => from_stdin(&mut out, &image, &args.place)?,
        }
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// Answers each line as it comes.
fn from_stdin(out: &mut impl Write, image: &Image<'_>, place: &PlaceArgs) -> Result<()> {
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
            print_line(out, image, place, address)?;
        }
        out.flush()?;
    }
    Ok(())
}

fn print_line(out: &mut impl Write, image: &Image<'_>, place: &PlaceArgs, address: u64) -> io::Result<()> {
    match locate(image, place, address) {
        Some(location) => print::location(out, &location)?,
        None => write!(out, "{address:#x}")?,
    }
    out.write_all(b"\n")
}

/// The symbol that holds an address, or made the call that returns to it.
fn locate<'t, 'a>(
    image: &'t Image<'a>,
    place: &PlaceArgs,
    address: u64,
) -> Option<Location<'t, kallsyms_core::image::Native<'a>>> {
    if place.return_address { image.lookup_return_address(address) } else { image.lookup(address) }
}
