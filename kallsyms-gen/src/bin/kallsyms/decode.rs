//! `kallsyms decode`.

use std::io::{self, BufRead, Read, Write, stdin, stdout};
use std::process::ExitCode;

use anyhow::Result;
use kallsyms_core::Location;
use kallsyms_core::table::{Layout, Table};
use kallsyms_gen::source::AnyTable;

use crate::address::hexadecimal;
use crate::cli::{DecodeArgs, PlaceArgs};
use crate::{files, print};
use kallsyms_gen::select::PADDING;

/// A line is taken in pieces of this, so that a stream without line feeds takes no memory.
const LONGEST_PIECE: u64 = 1 << 16;
/// A word as long as this is none.
const LONGEST_WORD: usize = 1 << 17;

pub(crate) fn decode(args: &DecodeArgs) -> Result<ExitCode> {
    let source = files::source(&args.source)?;
    let slide = args.place.slide.0;
    match source.table()? {
        AnyTable::Image(table) => decode_log(&table.with_slide(slide), &args.place)?,
        AnyTable::Linux(table, _) => decode_log(&table.with_slide(slide), &args.place)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn decode_log<L: Layout>(table: &Table<L>, place: &PlaceArgs) -> io::Result<()> {
    let (mut input, mut out) = (stdin().lock(), stdout().lock());
    let (mut line, mut named, mut before) = (Vec::new(), Vec::new(), None);
    while input.by_ref().take(LONGEST_PIECE).read_until(b'\n', &mut line)? > 0 {
        // A piece of a longer line may end within a word, whose rest comes with the next piece.
        let ends = line.len() >= LONGEST_WORD || line.ends_with(b"\n");
        let word = if ends { 0 } else { line.iter().rev().take_while(|&&byte| is_word(byte)).count() };
        let kept = line.split_off(line.len() - word);
        before = name_addresses(&line, before, table, place, &mut named)?;
        out.write_all(&named)?;
        out.flush()?;
        line = kept;
        named.clear();
    }
    name_addresses(&line, before, table, place, &mut named)?;
    out.write_all(&named)
}

/// Copies a piece of the log; behind every address that code of the table holds comes its name.
///
/// `before` is the byte before the piece; returned is the last one of it.
fn name_addresses<L: Layout>(
    piece: &[u8],
    mut before: Option<u8>,
    table: &Table<L>,
    place: &PlaceArgs,
    out: &mut Vec<u8>,
) -> io::Result<Option<u8>> {
    let mut rest = piece;
    while !rest.is_empty() {
        let word = rest.iter().take_while(|&&byte| is_word(byte)).count();
        let (text, after) = rest.split_at(word.max(1));
        out.write_all(text)?;
        // `name+0x10/0x20 <…>` is decoded already.
        if !matches!(before, Some(b'+' | b'/'))
            && !after.starts_with(b" <")
            && let Some(address) = address(text)
        {
            name_address(address, table, place, out)?;
        }
        before = text.last().copied();
        rest = after;
    }
    Ok(before)
}

/// Writes what code an address is in, or returns to.
fn name_address<L: Layout>(
    address: u64,
    table: &Table<L>,
    place: &PlaceArgs,
    out: &mut Vec<u8>,
) -> io::Result<()> {
    let code = |location: &Location<'_, L>| !location.symbol().is_absolute();
    let exact = if place.return_address { None } else { table.lookup(address).filter(code) };
    // At the first byte of a symbol, and where there is none, a call may have been the last instruction
    // before.
    let asks_return = exact.is_none_or(|exact| exact.offset() == 0);
    let returns = if asks_return { table.lookup_return_address(address).filter(code) } else { None };
    // Nothing in the padding before a function calls.
    let returns = returns.filter(|returns| !returns.symbol().name().starts_with(PADDING));
    let mut separator: &[u8] = b" <";
    for location in exact.iter().chain(&returns) {
        out.write_all(separator)?;
        print::location(out, location)?;
        separator = b" or return to ";
    }
    if exact.is_some() || returns.is_some() { out.write_all(b">") } else { Ok(()) }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The value of a word of 8 or 16 hexadecimal digits, or of any number of them after `0x`.
fn address(word: &[u8]) -> Option<u64> {
    let prefixed = word.starts_with(b"0x") || word.starts_with(b"0X");
    (prefixed || matches!(word.len(), 8 | 16)).then(|| hexadecimal(str::from_utf8(word).ok()?)).flatten()
}
