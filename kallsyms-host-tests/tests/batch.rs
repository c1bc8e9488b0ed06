//! Names → addresses in one call: every way, on every kind of table, gives the oracle's answers.

use kallsyms_core::image::hash::{HashId, hash_name};
use kallsyms_core::linux::Endian;
use kallsyms_core::query::Way;
use kallsyms_core::table::Layout;
use kallsyms_core::{Image, Symbol, Table};
use kallsyms_gen::build::build;
use kallsyms_gen::compress::Profile;
use kallsyms_gen::linux::write::{Options, PlaceForm, write};
use kallsyms_gen::symbols::Symbols;
use kallsyms_host_tests::oracle::Oracle;
use kallsyms_host_tests::symbols::{name, sorted, symbol};
use proptest::prelude::*;

const WAYS: [Way; 2] = [Way::Lookups, Way::Pass];

/// What is asked of a table of any layout.
trait Check {
    fn check<L: Layout>(&self, what: &str, table: &Table<L>);
}

fn on_every_table(symbols: &Symbols, check: &impl Check) {
    for profile in [Profile::Fast, Profile::Compact] {
        let image = build(symbols, profile, &mut |_, _| ()).expect("builds");
        check.check("image", &Image::parse(&image).expect("parses"));
    }
    on_linux_tables(symbols, check);
}

fn on_linux_tables(symbols: &Symbols, check: &impl Check) {
    let usual = Options::default();
    for (what, options) in [
        ("markers", usual),
        ("offsets", Options { places: PlaceForm::Offsets(Endian::Big), ..usual }),
        ("no order of names", Options { seqs_of_names: None, ..usual }),
    ] {
        let tables = write(symbols, &options).expect("can be written");
        let kallsyms = tables.kallsyms().expect("sound");
        check.check(what, &kallsyms);
        let mut buffer = vec![0; kallsyms.name_index_words()];
        let indexed = kallsyms.with_name_index(&mut buffer).expect("an index");
        check.check(&format!("{what}, indexed"), &indexed);
    }
}

/// Names in any order, some more than once, some of no symbol.
struct Resolve<'a> {
    symbols: &'a Symbols,
    names: Vec<Vec<u8>>,
    /// Which symbols are acceptable, by their place.
    acceptable: fn(u32) -> bool,
}

impl Resolve<'_> {
    fn expected(&self) -> Vec<Option<u64>> {
        let oracle = Oracle::new(self.symbols, 0);
        let address = |at: u32| self.symbols.list[at as usize].address;
        let first = |name: &Vec<u8>| oracle.by_name(name).into_iter().find(|&at| (self.acceptable)(at));
        self.names.iter().map(|name| first(name).map(address)).collect()
    }
}

impl Check for Resolve<'_> {
    fn check<L: Layout>(&self, what: &str, table: &Table<L>) {
        let expected = self.expected();
        let found = expected.iter().flatten().count();
        let accept = |symbol: Symbol<'_, L>| (self.acceptable)(symbol.index().0);
        // Whatever was in the slots before is no answer.
        let mut out = vec![Some(7); self.names.len()];
        assert_eq!(table.resolve_with(&self.names, &mut out, accept), found, "{what}");
        assert_eq!(out, expected, "{what}");
        for way in WAYS {
            out.fill(None);
            assert_eq!(table.resolve_by(way, &self.names, &mut out, accept), found, "{what} {way:?}");
            assert_eq!(out, expected, "{what} {way:?}");
            // A name alone takes the same answer.
            for (name, expected) in self.names.iter().zip(&expected) {
                let mut one = [None];
                table.resolve_by(way, &[name], &mut one, accept);
                assert_eq!(one[0], *expected, "{what} {way:?}");
            }
        }
        self.check_missing(what, table, &expected);
    }
}

impl Resolve<'_> {
    /// What a table before this one has found stays.
    fn check_missing<L: Layout>(&self, what: &str, table: &Table<L>, expected: &[Option<u64>]) {
        let accept = |symbol: Symbol<'_, L>| (self.acceptable)(symbol.index().0);
        for way in WAYS {
            let before = |at: usize| (at % 3 == 1).then_some(at as u64);
            let mut out: Vec<Option<u64>> = (0..self.names.len()).map(before).collect();
            let found = table.resolve_by(way, &self.names, &mut out, accept);
            let expected: Vec<_> =
                expected.iter().enumerate().map(|(at, found)| before(at).or(*found)).collect();
            assert_eq!(out, expected, "{what} {way:?}");
            assert_eq!(found, out.iter().flatten().count());
        }
    }
}

fn kernel_symbols() -> impl Strategy<Value = Symbols> {
    let one = (0u64..300, prop_oneof![Just(b't'), Just(b'T'), Just(b'd')], name());
    proptest::collection::vec(one, 1..200).prop_map(|list| {
        let kept = list.into_iter().filter(|(_, _, name)| name.len() <= 200);
        let list: Vec<_> =
            kept.map(|(step, kind, name)| symbol(0xffff_ffff_8100_0000 + step * 8, kind, name)).collect();
        sorted(if list.is_empty() { vec![symbol(0x1000, b'T', *b"one")] } else { list })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_way_gives_the_same_answers(
        symbols in kernel_symbols(),
        picked in proptest::collection::vec((any::<prop::sample::Index>(), any::<bool>(), name()), 0..80),
    ) {
        let of_table = |index: &prop::sample::Index| symbols.list[index.index(symbols.list.len())].name.clone();
        let names: Vec<Vec<u8>> =
            picked.iter().map(|(index, known, other)| if *known { of_table(index) } else { other.clone() }).collect();
        for acceptable in [|_| true, |at| at % 2 == 0, |_| false] {
            on_every_table(&symbols, &Resolve { symbols: &symbols, names: names.clone(), acceptable });
        }
    }
}

/// Where the first symbol of a name is not acceptable the next one is; one that has none keeps no stale
/// answer.
#[test]
fn later_duplicates_are_tried() {
    let list =
        (0..9u64).map(|at| symbol(0x1000 + at * 16, b't', if at % 3 == 0 { "a" } else { "b" })).collect();
    let symbols = sorted(list);
    let names = [&b"a"[..], b"b", b"c", b"a", b""].map(<[u8]>::to_vec).to_vec();
    struct Expect(Vec<Vec<u8>>);
    impl Check for Expect {
        fn check<L: Layout>(&self, what: &str, table: &Table<L>) {
            for way in WAYS {
                let mut out = vec![None; 5];
                let found = table.resolve_by(way, &self.0, &mut out, |symbol| symbol.address() > 0x1010);
                assert_eq!(out, [Some(0x1030), Some(0x1020), None, Some(0x1030), None], "{what} {way:?}");
                assert_eq!(found, 3);
            }
        }
    }
    on_every_table(&symbols, &Expect(names));
}

/// A name that is repeated thousands of times is compared once a symbol, not once a repeat.
#[test]
fn one_name_thousands_of_times() {
    let mut list: Vec<_> = (0..2_000u64).map(|at| symbol(0x1000 + at, b't', *b"__func__.0")).collect();
    list.push(symbol(0x9000, b'T', *b"last"));
    let symbols = sorted(list);
    let mut names = vec![b"__func__.0".to_vec(); 50_000];
    names.push(b"last".to_vec());
    struct Count(Vec<Vec<u8>>);
    impl Check for Count {
        fn check<L: Layout>(&self, what: &str, table: &Table<L>) {
            let (mut out, mut asked) = (vec![None; self.0.len()], 0);
            let found = table.resolve_by(Way::Pass, &self.0, &mut out, |symbol| {
                asked += 1;
                symbol.name() == "last"
            });
            assert_eq!((found, asked, out[50_000]), (1, 2_001, Some(0x9000)), "{what}");
        }
    }
    on_every_table(&symbols, &Count(names));
}

/// Fewer slots than names, and fewer names than slots.
#[test]
fn names_and_slots_may_differ_in_number() {
    struct Few;
    impl Check for Few {
        fn check<L: Layout>(&self, what: &str, table: &Table<L>) {
            let mut one = [Some(1)];
            assert_eq!(table.resolve(&["b", "a"], &mut one), 1, "{what}");
            assert_eq!(one, [Some(0x2000)], "{what}");
            let mut three = [Some(1); 3];
            assert_eq!(table.resolve(&["b", "a"], &mut three), 2, "{what}");
            assert_eq!(three, [Some(0x2000), Some(0x1000), None], "{what}");
            for way in WAYS {
                assert_eq!(table.resolve_by(way, &["b", "a"], &mut [None; 1], |_| true), 1, "{what} {way:?}");
                assert_eq!(table.resolve_by(way, &["b", "a"], &mut [None; 3], |_| true), 2, "{what} {way:?}");
                assert_eq!(table.resolve_by(way, &[""; 0], &mut [None; 3], |_| true), 0, "{what} {way:?}");
                assert_eq!(table.resolve_by(way, &["b"], &mut [], |_| true), 0, "{what} {way:?}");
            }
        }
    }
    on_every_table(&sorted(vec![symbol(0x1000, b't', *b"a"), symbol(0x2000, b't', *b"b")]), &Few);
}

/// Modules after the kernel: each table fills what is still missing.
#[test]
fn further_tables_fill_what_is_missing() {
    let kernel = sorted(vec![symbol(0x1000, b't', *b"both"), symbol(0x1010, b't', *b"kernel")]);
    let module = sorted(vec![symbol(0x9000, b't', *b"both"), symbol(0x9010, b't', *b"module")]);
    let [kernel, module] =
        [kernel, module].map(|symbols| build(&symbols, Profile::Fast, &mut |_, _| ()).expect("builds"));
    let [kernel, module] = [&kernel, &module].map(|bytes| Image::parse(bytes).expect("parses"));
    let names = ["module", "both", "nobody", "kernel"];
    let mut out = [None; 4];
    assert_eq!(kernel.resolve_with(&names, &mut out, |symbol| symbol.address() != 0x1000), 1);
    assert_eq!(module.resolve_missing(&names, &mut out, |_| true), 3);
    assert_eq!(out, [Some(0x9010), Some(0x9000), None, Some(0x1010)]);
}

/// A damaged table may have a record of nothing but a type; no name finds it.
#[test]
fn the_empty_name_is_none_by_both_ways() {
    let mut tables = write(&sorted(vec![symbol(0x1000, b't', *b"x")]), &Options::default()).expect("tables");
    tables.names = vec![1, b't'];
    let kallsyms = tables.kallsyms().expect("a type is enough");
    for way in WAYS {
        let mut out = [None; 2];
        assert_eq!(kallsyms.resolve_by(way, &["", ""], &mut out, |_| true), 0, "{way:?}");
        assert_eq!(out, [None; 2]);
    }
}

/// Names that were made to have one hash are looked up instead of walked along for every symbol.
#[test]
fn names_of_one_hash_are_found_too() {
    const SEED: u64 = 0x2d35_8dcc_aa6c_78a5;
    const BODY: u64 = 0x8bb8_4b93_962e_acc9;
    // The second group of bytes cancels what the first one makes of the hash's state.
    let colliding = |number: u64| {
        let first = 0x2121_2121_2121_2121 + number;
        let product = u128::from(first ^ SEED) * u128::from(BODY);
        let second = product as u64 ^ (product >> 64) as u64;
        [first.to_le_bytes(), second.to_le_bytes()].concat()
    };
    let names: Vec<Vec<u8>> = (0..400).map(colliding).filter(|name| !name.contains(&0)).collect();
    let hash = hash_name(HashId::Folded, 0, &names[0]);
    assert!(names.len() > 300 && names.iter().all(|name| hash_name(HashId::Folded, 0, name) == hash));
    let list = names.iter().zip(0u64..).map(|(name, at)| symbol(0x1000 + at * 16, b't', name.clone()));
    let symbols = sorted(list.collect());
    on_linux_tables(&symbols, &Resolve { symbols: &symbols, names, acceptable: |at| at % 2 == 0 });
}

/// Answers are addresses where the kernel runs.
#[test]
fn a_slide_moves_the_answers() {
    let symbols = sorted(vec![symbol(0x10, b'A', *b"percpu"), symbol(0x1000, b't', *b"code")]);
    let tables = write(&symbols, &Options::default()).expect("can be written");
    let moved = tables.kallsyms().expect("sound").with_slide(0x20_0000);
    for way in WAYS {
        let mut out = [None; 2];
        moved.resolve_by(way, &["code", "percpu"], &mut out, |_| true);
        assert_eq!(out, [Some(0x20_1000), Some(0x10)], "{way:?}");
    }
    let image = build(&symbols, Profile::Fast, &mut |_, _| ()).expect("builds");
    let moved = Image::parse(&image).expect("parses").with_slide(0x20_0000);
    let mut out = [None; 2];
    moved.resolve(&["code", "percpu"], &mut out);
    assert_eq!(out, [Some(0x20_1000), Some(0x10)]);
}
