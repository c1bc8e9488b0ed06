//! Linux's tables of random symbols, in every layout: every question gets the oracle's answer.

use kallsyms_core::glob::Glob;
use kallsyms_core::linux::{Bounds, Span};
use kallsyms_core::table::Layout;
use kallsyms_core::{Location, Table};
use kallsyms_gen::build::build_linux;
use kallsyms_gen::linux::write::Options;
use kallsyms_gen::symbols::{Symbol, Symbols};
use kallsyms_host_tests::linux_symbols::{options, symbols_for};
use kallsyms_host_tests::oracle::{Answer, Oracle};
use kallsyms_host_tests::symbols::name;
use proptest::prelude::*;

/// Around the symbols of a table.
const STEPS: [u64; 11] = [0, 1, 2, 15, 16, 17, 0xfff, 0x1000, u64::MAX, u64::MAX - 1, u64::MAX - 16];

fn answer<L: Layout>(location: Option<Location<'_, L>>) -> Option<Answer> {
    location.map(|found| (found.symbol().index().0, found.offset(), found.size()))
}

fn check(symbols: &Symbols, options: &Options, slide: u64, others: &[Vec<u8>]) {
    let tables = build_linux(symbols, options).expect("the symbols are fit for the tables");
    let kallsyms = tables.kallsyms().expect("sound tables").with_bounds(None);
    let mut buffer = [0; 512];
    kallsyms.self_test(&mut buffer, || 0).expect("every symbol is found");
    is_listed(&kallsyms, symbols);
    answers_by_name(&kallsyms, symbols, others);
    answers_by_address(&kallsyms.with_slide(slide), symbols, slide);
    let mut buffer = vec![u32::MAX; kallsyms.name_index_words()];
    assert!((symbols.list.len() + 8..symbols.list.len() + 16).contains(&buffer.len()));
    let indexed = kallsyms.with_slide(slide).with_name_index(&mut buffer).expect("an index");
    assert_eq!(indexed.slide(), slide);
    answers_by_address(&indexed, symbols, slide);
    let indexed = indexed.with_slide(0);
    indexed.self_test(&mut [0; 512], || 0).expect("every symbol is found");
    is_listed(&indexed, symbols);
    answers_by_name(&indexed, symbols, others);
}

fn is_listed<L: Layout>(kallsyms: &Table<L>, symbols: &Symbols) {
    assert_eq!(kallsyms.len() as usize, symbols.list.len());
    let digits = usize::from(symbols.address_digits);
    assert_eq!(kallsyms.address_digits(), digits);
    for (found, expected) in kallsyms.iter().zip(&symbols.list) {
        let Symbol { address, kind, name, .. } = expected;
        assert_eq!((found.address(), found.kind(), found.module()), (*address, *kind, None));
        assert_eq!(found.name().bytes().collect::<Vec<u8>>(), *name);
        let (kind, name) = (char::from(*kind), String::from_utf8_lossy(name));
        assert_eq!(found.listing().to_string(), format!("{address:0digits$x} {kind} {name}"));
    }
}

fn answers_by_name<L: Layout>(kallsyms: &Table<L>, symbols: &Symbols, others: &[Vec<u8>]) {
    let oracle = Oracle::new(symbols, 0);
    let names: Vec<&Vec<u8>> = symbols.list.iter().map(|symbol| &symbol.name).chain(others).collect();
    for name in &names {
        let found: Vec<u32> = kallsyms.lookup_all(name).map(|symbol| symbol.index().0).collect();
        assert_eq!(found, oracle.by_name(name), "{:?}", String::from_utf8_lossy(name));
        let first = kallsyms.lookup_name(name).map(|symbol| symbol.index().0);
        assert_eq!(first, found.first().copied());
        for prefix in [&name[..1], &name[..name.len().div_ceil(2)], name] {
            let found: Vec<u32> = kallsyms.starting_with(prefix).map(|symbol| symbol.index().0).collect();
            assert_eq!(found, oracle.by_prefix(prefix));
        }
        // `*` alone is special to this matcher; nothing matches `?` but a byte.
        if !name.iter().any(|byte| b"*?".contains(byte)) {
            let pattern = [name, &b"*"[..]].concat();
            let found: Vec<u32> =
                kallsyms.matching(Glob::libbpf(&pattern)).map(|symbol| symbol.index().0).collect();
            assert_eq!(found, oracle.by_prefix(name));
        }
    }
    let mut slots = vec![None; names.len()];
    let found = kallsyms.resolve(&names, &mut slots);
    let address = |name: &Vec<u8>| Some(symbols.list[*oracle.by_name(name).first()? as usize].address);
    let expected: Vec<Option<u64>> = names.iter().map(|name| address(name)).collect();
    assert_eq!(slots, expected);
    assert_eq!(found, expected.iter().flatten().count());
}

fn answers_by_address<L: Layout>(kallsyms: &Table<L>, symbols: &Symbols, slide: u64) {
    let oracle = Oracle::new(symbols, slide);
    for pc in addresses(symbols, slide) {
        assert_eq!(answer(kallsyms.lookup(pc)), oracle.by_address(pc), "pc {pc:#x}");
        let found = answer(kallsyms.lookup_return_address(pc));
        assert_eq!(found, oracle.by_return_address(pc), "return address {pc:#x}");
    }
}

fn addresses(symbols: &Symbols, slide: u64) -> impl Iterator<Item = u64> {
    let bases =
        symbols.list.iter().flat_map(move |Symbol { address, .. }| [*address, address.wrapping_add(slide)]);
    bases.flat_map(|base| STEPS.map(|step| base.wrapping_add(step)))
}

/// The kernel's gate: nothing outside, and inside what `get_symbol_pos` and the ends that it falls back on
/// say.
fn gate_holds(symbols: &Symbols, options: &Options, bounds: Bounds) {
    let tables = build_linux(symbols, options).expect("the symbols are fit for the tables");
    let kallsyms = tables.kallsyms().expect("sound tables").with_bounds(Some(bounds));
    for pc in addresses(symbols, 0) {
        let expected = kernel_answer(symbols, pc, bounds).filter(|_| bounds.contain(pc));
        assert_eq!(answer(kallsyms.lookup(pc)), expected, "pc {pc:#x}");
    }
}

/// The last symbol at or below, back to the first of its aliases; up to the next higher address, else to the
/// end.
fn kernel_answer(symbols: &Symbols, pc: u64, bounds: Bounds) -> Option<Answer> {
    let starts: Vec<u64> = symbols.list.iter().map(|symbol| symbol.address).collect();
    let start = starts.iter().copied().rfind(|start| *start <= pc)?;
    let first = starts.iter().position(|other| *other == start)?;
    let end = if bounds.init_text.contains(pc) { bounds.init_text.end } else { bounds.kernel.end };
    let end = starts.iter().copied().find(|next| *next > start).unwrap_or(end);
    Some((first as u32, pc - start, end.checked_sub(start)))
}

/// A layout and symbols that it can hold.
fn tables(len: std::ops::Range<usize>) -> impl Strategy<Value = (Options, Symbols)> {
    options().prop_flat_map(move |options| (Just(options), symbols_for(options, len.clone())))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_tables(
        (options, symbols) in tables(1..100),
        slide in prop_oneof![2 => Just(0), 1 => Just(0x1e0_0000), 1 => any::<u64>()],
        others in proptest::collection::vec(name(), 0..10),
    ) {
        check(&symbols, &options, slide, &others);
    }

    #[test]
    fn random_gates(
        (options, symbols) in tables(1..60),
        start in any::<proptest::sample::Index>(),
        init in any::<[proptest::sample::Index; 2]>(),
        room in 1u64..0x2000,
    ) {
        let at = |index: proptest::sample::Index| index.get(&symbols.list).address;
        let Some(end) = symbols.list.last().and_then(|last| last.address.checked_add(room)) else {
            return Ok(());
        };
        let [one, other] = init.map(at);
        let init = Span { start: one.min(other), end: one.max(other) };
        let init_text = Span { start: init.start, end: end.max(init.end) };
        gate_holds(&symbols, &options, Bounds { kernel: Span { start: at(start), end }, init, init_text });
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn marker_edges((options, symbols) in tables(250..263)) {
        check(&symbols, &options, 0, &[]);
    }
}
