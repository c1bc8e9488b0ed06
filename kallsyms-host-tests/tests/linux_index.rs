//! The index of Linux's names at its edges, and what its lookups take.

use kallsyms_core::Table;
use kallsyms_core::linux::Endian;
use kallsyms_core::table::Layout;
use kallsyms_gen::linux::write::{Options, PlaceForm, write};
use kallsyms_gen::symbols::Symbols;
use kallsyms_host_tests::stack;
use kallsyms_host_tests::symbols::{sorted, symbol};

/// As the crate's documentation says of a lookup by name.
const STACK: usize = 512;

/// And of building the index.
const BUILDING: usize = 2048;

fn symbols(count: u64, name: impl Fn(u64) -> String) -> Symbols {
    sorted((0..count).map(|at| symbol(0x1000 + 16 * at, b't', name(at).into_bytes())).collect())
}

fn places<L: Layout>(table: &Table<L>, name: &str) -> Vec<u32> {
    table.lookup_all(name).map(|symbol| symbol.index().0).collect()
}

/// Asks a table and the same with an index, markers and offsets, with and without an order of names.
fn on_every_table(symbols: &Symbols, ask: impl Fn(&dyn Fn(&str) -> Vec<u32>)) {
    for places_form in [Options::LINUX_6_12.places, PlaceForm::Offsets(Endian::Little)] {
        for seqs_of_names in [Options::LINUX_6_12.seqs_of_names, None] {
            let options = Options { places: places_form, seqs_of_names, ..Options::LINUX_6_12 };
            let tables = write(symbols, &options).expect("can be written");
            let kallsyms = tables.kallsyms().expect("sound");
            ask(&|name| places(&kallsyms, name));
            let mut buffer = vec![7; kallsyms.name_index_words()];
            let indexed = kallsyms.with_name_index(&mut buffer).expect("an index");
            ask(&|name| places(&indexed, name));
        }
    }
}

/// All of one bucket, beside which the others are empty.
#[test]
fn one_name_for_all() {
    on_every_table(&symbols(3_000, |_| "__key.0".to_owned()), |ask| {
        assert!(ask("__key.0").into_iter().eq(0..3_000));
        assert_eq!(ask("__key.1"), [0; 0]);
    });
}

/// A run of one name in the order of names longer than what a bisection looks back over, and others around it.
#[test]
fn one_name_for_every_other() {
    let name = |at: u64| if at.is_multiple_of(2) { "same".to_owned() } else { format!("other_{at}") };
    on_every_table(&symbols(1_500, name), |ask| {
        assert!(ask("same").into_iter().eq((0..1_500).step_by(2)));
        for at in [1, 3, 749, 1_499] {
            assert_eq!(ask(&format!("other_{at}")), [at]);
        }
        assert_eq!(ask("other_2"), [0; 0]);
    });
}

/// Around the numbers of symbols at which the index has another group.
#[test]
fn every_number_of_symbols() {
    for count in (1..=33).chain([255, 256, 257, 263, 264, 265]) {
        on_every_table(&symbols(count, |at| format!("n{at}")), |ask| {
            for at in 0..count as u32 {
                assert_eq!(ask(&format!("n{at}")), [at], "{count}");
            }
            assert_eq!(ask(&format!("n{count}")), [0; 0], "{count}");
        });
    }
}

#[test]
fn a_lookup_takes_little_stack() {
    let symbols = symbols(5_000, |at| format!("a_name_that_is_a_little_longer_{at}"));
    let tables = write(&symbols, &Options::LINUX_6_12).expect("can be written");
    let kallsyms = tables.kallsyms().expect("sound");
    let mut buffer = vec![0; kallsyms.name_index_words()];
    let (built, used) = stack::used_by(|| kallsyms.with_name_index(&mut buffer).is_ok());
    println!("{used:>6} bytes of stack: building");
    assert!(built && used <= BUILDING, "building takes {used} bytes");
    let indexed = kallsyms.with_name_index(&mut buffer).expect("an index");
    takes_little("no index", &kallsyms);
    takes_little("index", &indexed);
}

fn takes_little<L: Layout>(what: &str, table: &Table<L>) {
    for (question, expected) in
        [("a_name_that_is_a_little_longer_4321", Some(0x1000 + 16 * 4_321)), ("none", None)]
    {
        let (found, used) = stack::used_by(|| table.lookup_name(question).map(|symbol| symbol.address()));
        println!("{used:>6} bytes of stack: {what}, {question}");
        assert_eq!(found, expected);
        assert!(used <= STACK, "{what}: {question} takes {used} bytes");
    }
    let (found, used) = stack::used_by(|| table.lookup(0x1000 + 16 * 4_321 + 3).map(|found| found.offset()));
    println!("{used:>6} bytes of stack: {what}, address");
    assert_eq!(found, Some(3));
    assert!(used <= STACK, "{what}: an address takes {used} bytes");
}
