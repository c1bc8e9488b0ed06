//! What questions about BTF cost: no allocation, and little stack.

use std::cell::RefCell;

use kallsyms_core::btf::{Btf, Error, Find, HashIndex, HeaderError, Kind, Permutation, SortedBtf, TypeId};
use kallsyms_host_tests::btf::samples;
use kallsyms_host_tests::btf::sources;
use kallsyms_host_tests::counting_alloc::{CountingAlloc, calls_during};
use kallsyms_host_tests::stack;

#[global_allocator]
static ALLOCATOR: CountingAlloc = CountingAlloc;

/// As the crate's documentation says.
const STACK: usize = 1024;

/// Runs a question and wants a result, no allocation, and no more stack than is told.
fn costs_little(question: &str, ask: impl Fn() -> usize) {
    costs_at_most(STACK, question, ask);
}

fn costs_at_most(bytes: usize, question: &str, ask: impl Fn() -> usize) {
    let (result, calls) = calls_during(&ask);
    assert_eq!(calls, 0, "{question} allocates");
    assert_ne!(result, 0, "{question} did nothing");
    let (_, used) = stack::used_by(&ask);
    println!("{used:>6} bytes of stack: {question}");
    assert!(used <= bytes, "{question} takes {used} bytes of stack");
}

fn questions(what: &str, btf: &impl Find) {
    let names: [(&str, Kind); 40] = std::array::from_fn(|number| match number % 3 {
        0 => ("int", Kind::Int),
        1 => ("no_such_type", Kind::Struct),
        _ => ("", Kind::Pointer),
    });
    costs_little(&format!("{what}: find_id"), || usize::from(btf.find_id("int", Kind::Int).is_some()));
    costs_little(&format!("{what}: find"), || usize::from(btf.find("int", Kind::Int).is_some()));
    costs_little(&format!("{what}: a miss"), || usize::from(btf.find("nothing", Kind::Int).is_none()));
    costs_little(&format!("{what}: find_own"), || 1 + usize::from(btf.find_own("int", Kind::Int).is_some()));
    costs_little(&format!("{what}: find_all"), || btf.find_all("int").count());
    costs_little(&format!("{what}: decl_tags"), || btf.decl_tags("tag").count() + 1);
    costs_little(&format!("{what}: kfuncs"), || btf.kfuncs().count() + 1);
    let out = RefCell::new([None; 40]);
    costs_little(&format!("{what}: find_many"), || btf.find_many(&names, &mut *out.borrow_mut()));
}

fn every_question(bytes: &[u8]) {
    let mut offsets = vec![0; bytes.len() / 12];
    costs_little("parse", || usize::from(Btf::parse(bytes).is_ok()));
    let btf = Btf::parse_with_offsets(bytes, &mut offsets).expect("BTF");
    costs_little("check_references", || usize::from(btf.check_references().is_ok()));
    costs_little("every record by number", || {
        (0..btf.end_id().0.min(1000)).filter(|&id| btf.type_by_id(TypeId(id)).is_some()).count()
    });
    costs_little("sizes", || (0..btf.end_id().0.min(1000)).filter_map(|id| btf.size_of(TypeId(id))).count());
    costs_little("resolve", || {
        (0..btf.end_id().0.min(1000)).filter_map(|id| btf.resolve(TypeId(id))).count()
    });
    costs_little("check of order", || usize::from(btf.is_sorted()) + 1);
    questions("linear", &btf);
    for few in [0, 7] {
        let mut room = vec![0; few];
        let few = Btf::parse_with_offsets(bytes, &mut room).expect("BTF");
        costs_little("a record by number, few offsets", || {
            usize::from(few.type_by_id(TypeId(few.end_id().0 - 1)).is_some())
        });
    }
    let mut words = vec![0; HashIndex::words(&btf)];
    let (built, calls) = calls_during(|| HashIndex::build(btf, &mut words).is_ok());
    assert_eq!((built, calls), (true, 0));
    let (built, used) = stack::used_by(|| HashIndex::build(btf, &mut words).is_ok());
    assert!(built && used <= STACK, "building takes {used} bytes of stack");
    let index = HashIndex::build(btf, &mut words).expect("an index");
    questions("index", &index);
    let sorted = in_order(&btf);
    let mut offsets = vec![0; btf.own_len().try_into().expect("32 bits")];
    let sorted = Btf::parse_with_offsets(&sorted, &mut offsets).expect("BTF");
    costs_little("check of order, to the end", || usize::from(SortedBtf::new(sorted).is_ok()));
    let by_name = SortedBtf::new(sorted).expect("it is sorted");
    questions("sorted", &by_name);
    let few = Btf::parse(sorted.as_bytes()).expect("BTF");
    questions("sorted, no offsets", &SortedBtf::new(few).expect("it is sorted"));
    any_order(&btf);
    // What the formatter takes for a text with a number in it.
    let (_, formatter) = stack::used_by(|| write_to_nothing(Error::BaseTooDeep { found: 33 }));
    costs_at_most(STACK + formatter, "declarations, with the formatter", || {
        btf.types().map(|found| usize::from(write_to_nothing(found.declaration()))).sum()
    });
    let split = empty_split(&btf);
    let split = Btf::split(&index, &split).expect("a split without types");
    questions("split over an index", &split);
}

/// A mapping that somebody else has made.
fn any_order(btf: &Btf<'_>) {
    let last = btf.end_id().0 - 1;
    let id_map: Vec<u32> = std::iter::once(0).chain((1..=last).rev()).collect();
    let room = RefCell::new(vec![0; Permutation::words(btf)]);
    let ext = sources_ext();
    let out = RefCell::new(vec![0; ext.len()]);
    costs_little("another's mapping, and .BTF.ext", || {
        let mut room = room.borrow_mut();
        let permutation = Permutation::new(btf, &id_map, &mut room).expect("a bijection");
        permutation.permute_ext(&ext, &mut out.borrow_mut()).map_or(0, <[u8]>::len)
    });
}

/// A `.BTF.ext` of two functions.
fn sources_ext() -> Vec<u8> {
    let words = [24, 0, 28, 28, 0, 8, 1, 2, 0, 1, 8, 2];
    let magic = [0x9f, 0xeb, 1, 0];
    magic.into_iter().chain(words.into_iter().flat_map(u32::to_le_bytes)).collect()
}

/// The types in the order of their names.
fn in_order(btf: &Btf<'_>) -> Vec<u8> {
    let room = RefCell::new(vec![0; Permutation::words(btf)]);
    let out = RefCell::new(vec![0; btf.as_bytes().len()]);
    costs_little("sorting and rewriting", || {
        let mut room = room.borrow_mut();
        let permutation = btf.permutation(&mut room).expect("room enough");
        btf.permute(&permutation, &mut out.borrow_mut()).map_or(0, <[u8]>::len)
    });
    out.into_inner()
}

/// The least that can be split over a BTF.
fn empty_split(base: &Btf<'_>) -> Vec<u8> {
    let mut bytes = base.as_bytes()[..24].to_vec();
    bytes[8..].fill(0);
    bytes[4..8].copy_from_slice(&base.as_bytes()[4..8]);
    let len = u32::from_le_bytes(bytes[4..8].try_into().expect("4 bytes"));
    bytes.resize(usize::try_from(len).expect("32 bits"), 0);
    bytes
}

#[test]
fn of_every_kind() {
    let writer = samples::of(kallsyms_core::btf::Endian::Little, &samples::every_kind());
    every_question(&writer.bytes());
}

#[test]
fn of_a_kernel() {
    if let Some(kernel) = sources::kernel("of_a_kernel") {
        every_question(&kernel.bytes);
    }
}

#[test]
fn of_faults() {
    costs_little("an error and its text", || {
        let error = Btf::parse(b"\x9f\xeb").expect_err("too short");
        assert_eq!(error, Error::Header(HeaderError::TooShort { len: 2 }));
        usize::from(write_to_nothing(error))
    });
}

fn write_to_nothing(text: impl std::fmt::Display) -> bool {
    struct Nothing;
    impl std::fmt::Write for Nothing {
        fn write_str(&mut self, _: &str) -> std::fmt::Result {
            Ok(())
        }
    }
    std::fmt::write(&mut Nothing, format_args!("{text}")).is_ok()
}
