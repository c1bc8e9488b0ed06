//! Symbols of Linux's own tables.

use super::{Demangling, Input, LeftOut, Options};
use crate::error::Error;
use crate::linux::Tables;
use crate::symbols::{Symbol, Symbols};
use crate::{demangle, select};

/// The symbols in table order. Sizes are not stored: the next different address ends a symbol.
pub(super) fn read(tables: &Tables, options: &Options) -> Result<Input, Error> {
    let kallsyms = tables.kallsyms()?;
    let mut list = Vec::with_capacity(kallsyms.len() as usize);
    for symbol in &kallsyms {
        let name = symbol.name().fragments().collect::<Vec<_>>().concat();
        if options.drop_padding && select::is_padding(&name) {
            continue;
        }
        let demangled = match options.demangling {
            Demangling::Always => demangle::demangle(&name),
            Demangling::Usual | Demangling::Never => None,
        };
        list.push(Symbol {
            address: symbol.address(),
            kind: symbol.kind(),
            name: demangled.map_or(name, String::into_bytes),
            size: None,
            parent: None,
            module: None,
        });
    }
    let address_digits = if kallsyms.address_digits() == 8 { 8 } else { 16 };
    let symbols = Symbols { list, address_digits, ..Symbols::default() };
    Ok(Input { symbols, left_out: LeftOut::Nothing })
}
