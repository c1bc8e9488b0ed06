//! Random tables: every question gets the oracle's answer.

use kallsyms_core::image::Native;
use kallsyms_core::{Image, Location};
use kallsyms_gen::build::build;
use kallsyms_gen::compress::Profile;
use kallsyms_gen::symbols::Symbols;
use kallsyms_host_tests::oracle::{Answer, Oracle};
use kallsyms_host_tests::symbols::{elf_table, name, sorted, symbol, table};
use proptest::prelude::*;

const PROFILES: [Profile; 2] = [Profile::Fast, Profile::Compact];

fn image_of(symbols: &Symbols, profile: Profile) -> Vec<u8> {
    build(symbols, profile, &mut |_, _| ()).expect("the symbols are fit for a table")
}

fn answer(location: Option<Location<'_, Native<'_>>>) -> Option<Answer> {
    location.map(|found| (found.symbol().index().0, found.offset(), found.size()))
}

fn check(symbols: &Symbols, profile: Profile, slide: u64, others: &[Vec<u8>]) {
    let bytes = image_of(symbols, profile);
    let image = Image::parse(&bytes).expect("parses").with_slide(slide);
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

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_tables(
        symbols in prop_oneof![2 => table(1..120), 1 => elf_table()],
        slide in prop_oneof![Just(0), Just(0x1e0_0000), any::<u64>()],
        others in proptest::collection::vec(name(), 0..20),
    ) {
        for profile in PROFILES {
            check(&symbols, profile, slide, &others);
        }
    }

    #[test]
    fn block_edges(symbols in prop_oneof![table(1), table(15), table(16), table(17), table(33)]) {
        for profile in PROFILES {
            check(&symbols, profile, 0, &[]);
        }
    }
}

/// One address for everything: the first of the run answers, the run crosses blocks.
#[test]
fn heavy_aliases() {
    let list =
        (0..196).map(|number| symbol(0xffff_ffff_8100_0000, b't', format!("alias_{number}"))).collect();
    check(&sorted(list), Profile::Fast, 0, &[]);
}

/// One name for everything: all are found, in order.
#[test]
fn heavy_duplicates() {
    let list = (0..429u64).map(|number| symbol(0x1000 + number * 8, b't', *b"__func__.0")).collect();
    check(&sorted(list), Profile::Fast, 0, &[b"__func__".to_vec(), b"__func__.01".to_vec()]);
}

/// Spans above 4 GiB take 64-bit block bases.
#[test]
fn wide_spans() {
    let list = (0..100u64).map(|number| symbol(number << 57 | number, b'T', format!("s{number}"))).collect();
    check(&sorted(list), Profile::Fast, 0, &[]);
}
