//! An image as the second reader has it.

use kallsyms_core::Image;
use kallsyms_gen::symbols::Symbols;

use crate::oracle::Oracle;
use crate::reference::Reader;

/// The second reader finds the symbols, by name and address, and the runtime agrees with it.
///
/// # Panics
///
/// Where it does not.
pub fn check_image(bytes: &[u8], symbols: &Symbols, others: &[Vec<u8>]) {
    let reader = Reader::new(bytes).expect("is as the page says");
    check_symbols(&reader, symbols);
    check_names(&reader, symbols, others);
    check_addresses(&reader, &Image::parse(bytes).expect("parses"), symbols);
}

fn check_symbols(reader: &Reader, symbols: &Symbols) {
    let (oracle, list) = (Oracle::new(symbols, 0), &symbols.list);
    assert_eq!(reader.symbols().len(), list.len());
    for (index, (found, expected)) in reader.symbols().iter().zip(list).enumerate() {
        assert_eq!((found.address, found.kind), (expected.address, expected.kind), "symbol {index}");
        assert_eq!(found.name, expected.name, "symbol {index}");
        assert_eq!(found.size, oracle.size(index), "symbol {index}");
        let module = expected.module.map(|module| symbols.modules[module as usize].clone());
        assert_eq!(found.module, module, "symbol {index}");
        let same = |later: &usize| list[*later].name == expected.name;
        let next = (index + 1..list.len()).find(same).map(|later| later as u32);
        assert_eq!(found.link, next, "symbol {index}");
    }
}

fn check_names(reader: &Reader, symbols: &Symbols, others: &[Vec<u8>]) {
    let first = |name: &[u8]| symbols.list.iter().position(|symbol| symbol.name == name);
    for symbol in &symbols.list {
        let longer = [&symbol.name[..], b"_"].concat();
        for name in [&symbol.name, &symbol.name[1..], &longer] {
            assert_eq!(reader.first_of_name(name), first(name).map(|index| index as u32));
        }
    }
    for name in others {
        assert_eq!(reader.first_of_name(name), first(name).map(|index| index as u32));
    }
}

fn check_addresses(reader: &Reader, image: &Image<'_>, symbols: &Symbols) {
    for pc in around(symbols) {
        assert_eq!(reader.lookup(pc), answer(image, pc), "pc {pc:#x}");
    }
}

/// The starts and ends of all symbols and of the pages they start in, and the addresses beside them.
pub fn around(symbols: &Symbols) -> impl Iterator<Item = u64> {
    let edges = symbols.list.iter().flat_map(|symbol| {
        let start = symbol.address;
        [start, start.wrapping_add(symbol.size.unwrap_or(0)), start | 0xfff]
    });
    edges.flat_map(|at| [at.wrapping_sub(1), at, at.wrapping_add(1)])
}

/// The symbol of an address and the distance from its start.
#[must_use]
pub fn answer(image: &Image<'_>, pc: u64) -> Option<(u32, u64)> {
    image.lookup(pc).map(|found| (found.symbol().index().0, found.offset()))
}
