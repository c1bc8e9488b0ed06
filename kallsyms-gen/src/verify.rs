//! Reopens a table with the runtime and asks it for every symbol, both ways.

use kallsyms_core::table::{Layout, Table};
use kallsyms_core::{Error, Image, SymbolIndex, linux};

use crate::linux::Tables;
use crate::symbols::Symbols;

/// How a table differs from the symbols that it should hold.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Mismatch {
    /// The image is not sound.
    #[error("the image is not sound")]
    Unsound(#[from] Error),
    /// Linux's tables are not sound.
    #[error("Linux's tables are not sound")]
    UnsoundLinux(#[from] linux::Error),
    /// Another number of symbols.
    #[error("the table has {found} symbols, the input {expected}")]
    Count {
        /// Symbols in the table.
        found: usize,
        /// Symbols in the input.
        expected: usize,
    },
    /// The symbol at a place is another one.
    #[error("symbol {index} is `{found}`, not `{expected}`")]
    Symbol {
        /// The place.
        index: usize,
        /// The table's, as a listing.
        found: String,
        /// The input's, as a listing.
        expected: String,
    },
    /// A name does not lead to a symbol of that name.
    #[error("`{name}` leads to {found} of its symbols, not all {expected}")]
    ByName {
        /// The name.
        name: String,
        /// Symbols that the table found in order.
        found: usize,
        /// Symbols that the input has.
        expected: usize,
    },
    /// An address does not lead to the first symbol at it.
    #[error("{address:#x} does not lead to symbol {expected}")]
    ByAddress {
        /// The address.
        address: u64,
        /// The first symbol at it.
        expected: usize,
    },
}

/// Asks the image for every symbol by place, by name and by address.
///
/// # Errors
///
/// The first [`Mismatch`].
pub fn verify(image: &[u8], symbols: &Symbols) -> Result<(), Mismatch> {
    let image = Image::parse(image)?;
    image.verify()?;
    by_place(&image, symbols)?;
    by_name(&image, symbols)?;
    by_address(&image, symbols)
}

/// Asks Linux's tables for every symbol by place, by name (where they have `seqs_of_names`) and by address.
///
/// Addresses that the kernel's own lookup passes over are asked for too.
///
/// # Errors
///
/// The first [`Mismatch`].
pub fn verify_linux(tables: &Tables, symbols: &Symbols) -> Result<(), Mismatch> {
    let kallsyms = tables.kallsyms()?.with_bounds(None);
    by_place(&kallsyms, symbols)?;
    // Without an order of names a lookup is the same walk as above, and one for every name never ends.
    if !tables.seqs_of_names.is_empty() {
        by_name(&kallsyms, symbols)?;
    }
    by_address(&kallsyms, symbols)
}

fn by_place<L: Layout>(table: &Table<L>, symbols: &Symbols) -> Result<(), Mismatch> {
    if table.len() as usize != symbols.list.len() {
        return Err(Mismatch::Count { found: table.len() as usize, expected: symbols.list.len() });
    }
    for (index, (found, expected)) in table.iter().zip(&symbols.list).enumerate() {
        let module = expected.module.map(|module| symbols.modules[module as usize].as_slice());
        // An empty module column says as little as none.
        let module = module.filter(|module| !module.is_empty());
        let same = found.address() == expected.address
            && found.kind() == expected.kind
            && found.name() == *expected.name
            && found.module() == module
            && expected.size.is_none_or(|size| found.size() == Some(size));
        if !same {
            let expected = format!(
                "{:x} {} {} size {:x?} module {:?}",
                expected.address,
                char::from(expected.kind),
                String::from_utf8_lossy(&expected.name),
                expected.size,
                module.map(String::from_utf8_lossy),
            );
            let found = format!("{} size {:x?}", found.listing(), found.size());
            return Err(Mismatch::Symbol { index, found, expected });
        }
    }
    Ok(())
}

fn by_name<L: Layout>(table: &Table<L>, symbols: &Symbols) -> Result<(), Mismatch> {
    let mut places = std::collections::BTreeMap::<&[u8], Vec<u32>>::new();
    for (at, symbol) in (0u32..).zip(&symbols.list) {
        places.entry(&symbol.name).or_default().push(at);
    }
    for (name, expected) in places {
        let (mut found, mut all) = (0, 0);
        for (place, symbol) in table.lookup_all(name).enumerate() {
            found += usize::from(expected.get(place).is_some_and(|&at| symbol.index() == SymbolIndex(at)));
            all += 1;
        }
        if found != expected.len() || all != expected.len() {
            let name = String::from_utf8_lossy(name).into_owned();
            return Err(Mismatch::ByName { name, found, expected: expected.len() });
        }
    }
    Ok(())
}

fn by_address<L: Layout>(table: &Table<L>, symbols: &Symbols) -> Result<(), Mismatch> {
    let mut first = 0;
    for (index, symbol) in symbols.list.iter().enumerate() {
        if symbols.list[first].address != symbol.address {
            first = index;
        }
        let found = table.lookup(symbol.address);
        if found.is_none_or(|found| found.symbol().index().0 as usize != first || found.offset() != 0) {
            return Err(Mismatch::ByAddress { address: symbol.address, expected: first });
        }
    }
    Ok(())
}
