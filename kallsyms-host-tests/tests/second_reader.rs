//! Images read a second time, by a reader that knows `docs/format.md` only: both readers, and the input,
//! agree.

use kallsyms_core::Image;
use kallsyms_gen::build::build;
use kallsyms_gen::compress::Profile;
use kallsyms_gen::symbols::{Symbol, Symbols};
use kallsyms_host_tests::fixtures::{image_of, linux_like, sized};
use kallsyms_host_tests::properties::generator::by_reader::{answer, around, check_image};
use kallsyms_host_tests::reference::Reader;
use kallsyms_host_tests::symbols::{elf_table, name, sorted, symbol, table};
use proptest::prelude::*;

fn check(symbols: &Symbols, others: &[Vec<u8>]) {
    for profile in [Profile::Fast, Profile::Compact] {
        let bytes = build(symbols, profile, &mut |_, _| ()).expect("the symbols are fit for a table");
        check_image(&bytes, symbols, others);
    }
}

/// As 32-bit listings have it: addresses below 4 GiB, and the hash for 32-bit targets.
fn short(mut symbols: Symbols) -> Symbols {
    symbols.list.iter_mut().for_each(|symbol| symbol.address &= 0xffff_ffff);
    Symbols { address_digits: 8, ..sorted_again(symbols) }
}

fn sorted_again(symbols: Symbols) -> Symbols {
    Symbols { modules: symbols.modules, ..sorted(symbols.list) }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_tables(symbols in table(1..120), others in proptest::collection::vec(name(), 0..20)) {
        check(&symbols, &others);
        check(&short(symbols), &others);
    }

    #[test]
    fn moved_kernels(symbols in prop_oneof![table(1..60), elf_table()], slide in prop_oneof![Just(0x1e0_0000), 1..=u64::MAX]) {
        let bytes = image_of(&symbols);
        let reader = Reader::new(&bytes).expect("is as the page says");
        let image = Image::parse(&bytes).expect("parses").with_slide(slide);
        for pc in around(&symbols).flat_map(|pc| [pc, pc.wrapping_add(slide)]) {
            assert_eq!(reader.lookup_moved(pc, slide), answer(&image, pc), "pc {pc:#x}");
        }
    }

    #[test]
    fn tables_with_a_known_end(mut symbols in table(1..40), rest in 0u64..0x2000) {
        let last = symbols.list.last().expect("at least one").address;
        symbols.covered_last = Some(last.saturating_add(rest));
        check(&symbols, &[]);
    }

    #[test]
    fn block_edges(symbols in prop_oneof![table(1), table(15), table(16), table(17), table(33)]) {
        check(&symbols, &[]);
    }

    #[test]
    fn random_sizes(symbols in elf_table()) {
        check(&symbols, &[]);
    }
}

#[test]
fn the_fixtures() {
    for symbols in [linux_like(), sized(), short(linux_like())] {
        check(&symbols, &[b"nothing".to_vec(), Vec::new(), vec![b'x'; 3_000]]);
    }
}

/// More than two blocks of leading absolute symbols, the third one mixed.
#[test]
fn many_leading_absolute_symbols() {
    let leading = (0..40).map(|number| symbol(number * 0x10, b'A', format!("a{number}")));
    let text = (0..40).map(|number| symbol(0x1_0000 + number * 0x40, b't', format!("t{number}")));
    let symbols = sorted(leading.chain(text).collect());
    check(&symbols, &[]);
    let mut sized = symbols;
    sized.list.iter_mut().for_each(|symbol| symbol.size = Some(8));
    check(&sized, &[]);
    for last in [39, 79] {
        sized.list[last].size = None;
        check(&sized, &[]);
    }
}

/// Links across blocks.
#[test]
fn one_name_for_everything() {
    check(&sorted((0..429).map(|number| symbol(0x1000 + number * 8, b't', *b"__func__.0")).collect()), &[]);
}

/// 64-bit block bases, and deltas of every size.
#[test]
fn wide_spans() {
    let wide = (0..100u64).map(|number| symbol(number << 57 | number, b'T', format!("s{number}")));
    check(&sorted(wide.collect()), &[]);
    let growing = (0..64u64).map(|number| symbol(0x1000 + (1 << number), b'T', format!("s{number}")));
    check(&sorted(growing.collect()), &[]);
}

/// Only absolute symbols: none of them leads.
#[test]
fn nothing_but_absolute_symbols() {
    let list: Vec<Symbol> =
        (1..40).map(|number| symbol(number * 0x100, b'A', format!("a{number}"))).collect();
    check(&sorted(list), &[]);
}

/// 2^64 bytes are no size; the address belongs to the symbol nevertheless.
#[test]
fn the_whole_address_space() {
    let symbols = Symbols { covered_last: Some(u64::MAX), ..sorted(vec![symbol(0, b'T', *b"all")]) };
    check(&symbols, &[]);
    let mut alias = symbols;
    alias.list.push(Symbol { size: Some(u64::MAX), ..symbol(0, b'T', *b"nearly all") });
    check(&alias, &[]);
}

/// Bytes behind the image do not belong to it; a changed byte anywhere in it is found.
#[test]
fn damage_is_refused() {
    let mut bytes = image_of(&linux_like());
    let len = bytes.len();
    for at in 0..len {
        bytes[at] ^= 0x10;
        assert!(Reader::new(&bytes).is_err(), "byte {at}");
        bytes[at] ^= 0x10;
    }
    bytes.extend([0xaa; 100]);
    assert_eq!(Reader::new(&bytes).expect("is whole").symbols().len(), linux_like().list.len());
}
