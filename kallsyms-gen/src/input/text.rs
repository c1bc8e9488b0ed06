//! Symbols of a text: what `nm`, System.map and /proc/kallsyms have in common.
//!
//! One symbol a line: `ADDRESS TYPE NAME`, with a tab and `[MODULE]` behind it where it has one. Addresses
//! have 8 or 16 hexadecimal digits, all the same number. The name is the rest of the line, so that a
//! demangled one may hold spaces. Lines with blanks for an address are undefined symbols and left out. A text
//! whose first line ends in CR LF may end every line so.

use std::collections::HashMap;

use super::budget::NameBudget;
use super::{Demangling, Input, LeftOut, Options};
use crate::error::{Error, Place};
use crate::symbols::{Symbol, Symbols};
use crate::{demangle, select};
use kallsyms_core::image::layout::MAX_NAME;

/// Longest module name: an image stores its length in a byte.
const MAX_MODULE: usize = 255;

/// The one symbol of the System.map that Debian installs in place of the real one.
const STUB: &[u8] = b"The real System.map is in the ";

/// Reads every line.
pub(super) fn read(bytes: &[u8], options: &Options) -> Result<Input, Error> {
    let mut reader = Reader {
        crlf: first_line_ends_in_cr(bytes),
        symbols: Symbols::default(),
        modules: HashMap::new(),
        budget: NameBudget::of(bytes.len()),
        undefined: 0,
    };
    let body = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    for (number, line) in (1..).zip(body.split(|&byte| byte == b'\n')) {
        reader.take(number, line, options)?;
    }
    let Reader { mut symbols, undefined, .. } = reader;
    let count = symbols.list.len();
    if count == 0 {
        return Err(Error::NoTextSymbols { undefined });
    }
    if u32::try_from(count).is_err() {
        return Err(Error::TooManySymbols { symbols: count });
    }
    if let [only] = symbols.list.as_slice()
        && only.name.starts_with(STUB)
    {
        return Err(Error::SystemMapStub);
    }
    if count > 1 && symbols.list.iter().all(|symbol| symbol.address == 0) {
        return Err(Error::Hidden { symbols: count });
    }
    symbols.list.sort_by_key(|symbol| symbol.address);
    let left_out = if undefined == 0 { LeftOut::Nothing } else { LeftOut::Undefined(undefined) };
    Ok(Input { symbols, left_out })
}

fn first_line_ends_in_cr(bytes: &[u8]) -> bool {
    let mut lines = bytes.split_inclusive(|&byte| byte == b'\n');
    lines.next().is_some_and(|line| line.ends_with(b"\r\n"))
}

struct Reader<'d> {
    crlf: bool,
    symbols: Symbols,
    modules: HashMap<&'d [u8], u32>,
    budget: NameBudget,
    undefined: usize,
}

impl<'d> Reader<'d> {
    fn take(&mut self, number: u64, line: &'d [u8], options: &Options) -> Result<(), Error> {
        let expected = |expected| Error::Line { line: number, expected, found: excerpt(line) };
        let body = if self.crlf { line.strip_suffix(b"\r").unwrap_or(line) } else { line };
        if body.contains(&0) {
            return Err(expected("text without NUL bytes"));
        }
        if is_undefined(body) {
            self.undefined += 1;
            return Ok(());
        }
        let digits = body.iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
        let (address, rest) = body.split_at(digits);
        let [b' ', kind, rest @ ..] = rest else { return Err(expected(LINE)) };
        let (8 | 16) = digits else { return Err(expected("an address of 8 or 16 hexadecimal digits")) };
        let digits = if digits == 8 { 8 } else { 16 };
        if !self.symbols.list.is_empty() && digits != self.symbols.address_digits {
            return Err(expected("an address of as many digits as the lines before have"));
        }
        self.symbols.address_digits = digits;
        if has_sizes(rest) {
            return Err(expected("no sizes: nm without -S"));
        }
        if !kind.is_ascii_alphabetic() && *kind != b'?' {
            return Err(expected("a type letter and a space after the address"));
        }
        let Some(rest) = rest.strip_prefix(b" ") else { return Err(expected(LINE)) };
        let (name, module) = split_module(rest);
        if name.is_empty() {
            return Err(expected("a name after the type letter"));
        }
        if name.len() > MAX_NAME {
            return Err(Error::NameTooLong { place: Place::Line(number), len: name.len() });
        }
        if module.is_some_and(|module| module.len() > MAX_MODULE) {
            return Err(expected("a module name of at most 255 bytes"));
        }
        if options.drop_padding && select::is_padding(name) {
            return Ok(());
        }
        let demangled = match options.demangling {
            Demangling::Always => demangle::demangle(name),
            Demangling::Usual | Demangling::Never => None,
        };
        let name = demangled.map_or_else(|| name.to_vec(), String::into_bytes);
        self.budget.take(name.len(), Place::Line(number))?;
        let module = module.map(|module| self.module(module));
        self.symbols.list.push(Symbol {
            address: address.iter().fold(0, |value, &digit| value << 4 | hex(digit)),
            kind: *kind,
            name,
            size: None,
            parent: None,
            module,
        });
        Ok(())
    }

    fn module(&mut self, name: &'d [u8]) -> u32 {
        *self.modules.entry(name).or_insert_with(|| {
            let number = self.symbols.modules.len();
            self.symbols.modules.push(name.to_vec());
            // There are no more modules than symbols, which are counted in the end.
            u32::try_from(number).unwrap_or(u32::MAX)
        })
    }
}

const LINE: &str = "`ADDRESS TYPE NAME` as nm and /proc/kallsyms print it, or an ELF file";

/// Whether what stands behind the address is a size, as `nm -S` prints it.
fn has_sizes(rest: &[u8]) -> bool {
    let digits = rest.iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
    matches!(digits, 7 | 15) && rest.get(digits) == Some(&b' ')
}

/// A line of `nm` for a symbol that has no address: blanks, the type, the name.
fn is_undefined(line: &[u8]) -> bool {
    let blanks = line.iter().take_while(|&&byte| byte == b' ').count();
    blanks > 8 && matches!(line.get(blanks..), Some([b'U' | b'w' | b'v', b' ', _, ..]))
}

/// The name and the module of the rest of a line.
fn split_module(rest: &[u8]) -> (&[u8], Option<&[u8]>) {
    let Some(start) = rest.iter().rposition(|&byte| byte == b'\t') else { return (rest, None) };
    match rest.split_at_checked(start) {
        Some((name, [_, b'[', module @ .., b']'])) if !module.is_empty() => (name, Some(module)),
        _ => (rest, None),
    }
}

fn hex(digit: u8) -> u64 {
    u64::from(match digit {
        b'0'..=b'9' => digit - b'0',
        _ => (digit | 0x20) - b'a' + 10,
    })
}

/// The start of a line for a message.
fn excerpt(line: &[u8]) -> String {
    const LONGEST: usize = 40;
    let cut = String::from_utf8_lossy(line.get(..LONGEST).unwrap_or(line)).escape_debug().to_string();
    if line.len() > LONGEST { format!("{cut}…") } else { cut }
}

#[cfg(test)]
#[path = "text_tests.rs"]
mod tests;
