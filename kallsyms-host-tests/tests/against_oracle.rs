//! Random tables: every question gets the oracle's answer.

use kallsyms_gen::build::build;
use kallsyms_gen::compress::Profile;
use kallsyms_gen::symbols::Symbols;
use kallsyms_host_tests::properties::generator::by_oracle;
use kallsyms_host_tests::symbols::{elf_table, name, sorted, symbol, table};
use proptest::prelude::*;

const PROFILES: [Profile; 2] = [Profile::Fast, Profile::Compact];

fn image_of(symbols: &Symbols, profile: Profile) -> Vec<u8> {
    build(symbols, profile, &mut |_, _| ()).expect("the symbols are fit for a table")
}

fn check(symbols: &Symbols, profile: Profile, slide: u64, others: &[Vec<u8>]) {
    by_oracle::check(&image_of(symbols, profile), symbols, slide, others);
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
