//! An image as the oracle has it.

use kallsyms_core::image::Native;
use kallsyms_core::{Image, Location};
use kallsyms_gen::symbols::Symbols;

use crate::oracle::{Answer, Oracle};

fn answer(location: Option<Location<'_, Native<'_>>>) -> Option<Answer> {
    location.map(|found| (found.symbol().index().0, found.offset(), found.size()))
}

/// An image of some symbols gives the oracle's answer to every question, about these names too.
///
/// # Panics
///
/// Where it does not.
pub fn check(bytes: &[u8], symbols: &Symbols, slide: u64, others: &[Vec<u8>]) {
    let image = Image::parse(bytes).expect("parses").with_slide(slide);
    let oracle = Oracle::new(symbols, slide);
    check_symbols(&image, symbols, slide);
    for name in symbols.list.iter().map(|symbol| &symbol.name).chain(others) {
        let found: Vec<u32> = image.lookup_all(name).map(|symbol| symbol.index().0).collect();
        assert_eq!(found, oracle.by_name(name), "{:?}", String::from_utf8_lossy(name));
        for prefix in [&name[..1], &name[..name.len().div_ceil(2)], name] {
            let found: Vec<u32> = image.starting_with(prefix).map(|symbol| symbol.index().0).collect();
            assert_eq!(found, oracle.by_prefix(prefix));
        }
    }
    for symbol in &symbols.list {
        for base in [symbol.address, symbol.address.wrapping_add(slide)] {
            for step in [0, 1, 2, 15, 16, 17, 0xfff, 0x1000, u64::MAX, u64::MAX - 1, u64::MAX - 16] {
                let pc = base.wrapping_add(step);
                assert_eq!(answer(image.lookup(pc)), oracle.by_address(pc), "pc {pc:#x}");
                let found = answer(image.lookup_return_address(pc));
                assert_eq!(found, oracle.by_return_address(pc), "return address {pc:#x}");
            }
        }
    }
}

fn check_symbols(image: &Image<'_>, symbols: &Symbols, slide: u64) {
    assert_eq!(image.len() as usize, symbols.list.len());
    for (found, expected) in image.iter().zip(&symbols.list) {
        let name: Vec<u8> = found.name().fragments().flatten().copied().collect();
        assert_eq!(name, expected.name);
        assert_eq!(found.kind(), expected.kind);
        assert_eq!(found.link_address(), expected.address);
        let moved = if matches!(expected.kind, b'A' | b'a') { 0 } else { slide };
        assert_eq!(found.address(), expected.address.wrapping_add(moved));
        let module = expected.module.map(|module| symbols.modules[module as usize].as_slice());
        assert_eq!(found.module(), module);
        assert_eq!(found.name().to_string(), String::from_utf8_lossy(&expected.name));
    }
}
