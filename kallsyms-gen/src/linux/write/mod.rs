//! Symbols into Linux's tables, as the kernel's own generator writes them.

mod addresses;
mod error;
mod names;
mod options;

use kallsyms_core::linux::{Endian, NameOrder};

use super::tables::{Facts, Tables};
use crate::linux::numbers::Numbers;
use crate::symbols::{Symbol, Symbols};

pub use error::WriteError;
pub use options::{Options, PlaceForm};

/// Longest name in bytes: the kernel's `KSYM_NAME_LEN` counts the NUL too.
pub const MAX_NAME: usize = 511;

/// A number of 3 bytes is below this.
const U24: usize = 1 << 24;

/// Writes the tables of the kernel's own symbols; those of modules are left out, as in every kernel.
///
/// Sizes are dropped: the next different address ends a symbol.
///
/// # Errors
///
/// A name or an address does not fit, or there are too many.
pub fn write(symbols: &Symbols, options: &Options) -> Result<Tables, WriteError> {
    let symbols: Vec<&Symbol> = symbols.list.iter().filter(|symbol| symbol.module.is_none()).collect();
    if symbols.is_empty() {
        return Err(WriteError::NoSymbols);
    }
    let num_syms = count(symbols.len(), options.seqs_of_names.is_some())?;
    for (index, symbol) in symbols.iter().enumerate() {
        if symbol.name.len() > MAX_NAME {
            let (name, len) = (printable(symbol), symbol.name.len());
            return Err(WriteError::NameTooLong { index, name, len, most: MAX_NAME });
        }
        if symbol.name.is_empty() {
            return Err(WriteError::EmptyName { index, address: symbol.address });
        }
        if symbol.kind == 0 || symbol.name.contains(&0) {
            return Err(WriteError::Nul { index, name: printable(symbol) });
        }
    }
    let (encoding, offsets) = addresses::encode(&symbols, options)?;
    let names = names::encode(&symbols, options)?;
    let seqs_of_names = options.seqs_of_names.map_or_else(Vec::new, |order| seqs_of_names(&symbols, order));
    Ok(Tables {
        num_syms,
        pointer: options.pointer,
        endian: options.endian,
        encoding,
        lengths: Some(options.lengths),
        names: names.records,
        places: names.places,
        token_table: names.token_table,
        token_index: names.token_index,
        offsets,
        seqs_of_names,
        name_order: options.seqs_of_names.unwrap_or(NameOrder::Whole),
        facts: Facts::default(),
    })
}

/// What of these symbols Linux's tables hold: those of the kernel itself, without sizes.
#[must_use]
pub fn own_symbols(symbols: &Symbols) -> Symbols {
    let own = symbols.list.iter().filter(|symbol| symbol.module.is_none());
    let bare = |symbol: &Symbol| Symbol { size: None, parent: None, ..symbol.clone() };
    Symbols { list: own.map(bare).collect(), address_digits: symbols.address_digits, ..Symbols::default() }
}

/// Number of the symbols; with `seqs_of_names` an index has 3 bytes.
fn count(symbols: usize, seqs_of_names: bool) -> Result<u32, WriteError> {
    let most = if seqs_of_names { U24 } else { u32::MAX as usize };
    let count = u32::try_from(symbols).ok().filter(|_| symbols <= most);
    count.ok_or(WriteError::TooManySymbols { symbols, most })
}

/// Table index by rank of the name; equal names keep the order of the table, which is that of addresses.
fn seqs_of_names(symbols: &[&Symbol], order: NameOrder) -> Vec<u8> {
    let key = |&index: &u32| {
        let name = symbols[index as usize].name.as_slice();
        match order {
            NameOrder::Whole => name,
            NameOrder::WithoutLlvm => without_llvm(name),
        }
    };
    let mut indices: Vec<u32> = (0..symbols.len() as u32).collect();
    indices.sort_by_key(key);
    let mut table = Numbers::new(Endian::Big);
    for index in indices {
        table.push_u24(index);
    }
    table.into_bytes()
}

/// A name up to its first `.llvm.`: where kernels before 6.11 that Clang built with LTO cut it to sort it.
pub(crate) fn without_llvm(name: &[u8]) -> &[u8] {
    const MARK: &[u8] = b".llvm.";
    name.windows(MARK.len()).position(|part| part == MARK).map_or(name, |end| &name[..end])
}

/// The start of a name for a message.
fn printable(symbol: &Symbol) -> String {
    const LONGEST: usize = 60;
    let cut = symbol.name[..symbol.name.len().min(LONGEST)].escape_ascii();
    if symbol.name.len() > LONGEST { format!("{cut}…") } else { cut.to_string() }
}

#[cfg(test)]
#[path = "../write_tests.rs"]
mod tests;
