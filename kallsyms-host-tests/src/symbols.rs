//! Random symbols, as hostile as a table allows.

use kallsyms_gen::order;
use kallsyms_gen::sizes::settle;
use kallsyms_gen::symbols::{Candidate, Symbol, Symbols};
use proptest::prelude::*;

/// A symbol of text input: no size, no module.
#[must_use]
pub fn symbol(address: u64, kind: u8, name: impl Into<Vec<u8>>) -> Symbol {
    Symbol { address, kind, name: name.into(), size: None, parent: None, module: None }
}

/// Symbols as text input gives them: sorted stably.
#[must_use]
pub fn sorted(mut list: Vec<Symbol>) -> Symbols {
    list.sort_by_key(|symbol| symbol.address);
    Symbols { list, address_digits: 16, ..Symbols::default() }
}

/// Names: mostly short ones of a small alphabet, so that they repeat and share prefixes; some long, some of
/// any bytes.
pub fn name() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        8 => "(__pfx_)?[a-d_]{1,6}".prop_map(String::into_bytes),
        4 => "[a-z_]{1,40}(\\.llvm\\.[0-9]{1,9}|\\.cold)?".prop_map(String::into_bytes),
        2 => "[ab]{1,2}(\\.llvm\\.[0-9]{1,2}(\\.cold)?)?".prop_map(String::into_bytes),
        2 => proptest::collection::vec(1u8..=255, 1..60),
        1 => proptest::collection::vec(1u8..=255, 60..=5_000),
        1 => "<[A-Z][a-zé漢]{1,30} as core::fmt::Debug>::fmt".prop_map(String::into_bytes),
    ]
}

/// Addresses: close together, so that they repeat; all over; and the two ends.
pub fn address() -> impl Strategy<Value = u64> {
    prop_oneof![
        8 => (0u64..400).prop_map(|step| 0xffff_ffff_8100_0000 + step * 16),
        3 => (0u64..0x4000).prop_map(|step| 0xffff_ffff_8100_0000 + step),
        1 => any::<u64>(),
        1 => Just(0),
        1 => Just(u64::MAX),
        2 => 0u64..0x200,
    ]
}

/// Type characters; below the kernel's range often absolute.
pub fn kind() -> impl Strategy<Value = u8> {
    prop_oneof![6 => Just(b't'), 3 => Just(b'T'), 1 => Just(b'A'), 1 => Just(b'a'), 1 => 33u8..=126]
}

/// Whole tables of text symbols, in table order.
pub fn table(len: impl Into<proptest::collection::SizeRange>) -> impl Strategy<Value = Symbols> {
    let one = (address(), kind(), name(), proptest::option::weighted(0.2, 0u32..3));
    proptest::collection::vec(one, len).prop_map(|list| {
        let list = list
            .into_iter()
            .map(|(address, kind, name, module)| Symbol { module, ..symbol(address, kind, name) })
            .collect();
        let modules = vec![b"xfs".to_vec(), b"bpf".to_vec(), b"__builtin__ftrace".to_vec()];
        Symbols { modules, ..sorted(list) }
    })
}

/// Symbols of an ELF: they overlap, stand in one another, leave gaps, some are absolute.
pub fn elf_table() -> impl Strategy<Value = Symbols> {
    let one = (0u64..200, prop_oneof![2 => Just(0), 6 => 0u64..40, 1 => 0u64..400], 0u8..8, name());
    let base = prop_oneof![Just(0u64), Just(0xffff_ffff_8000_0000), Just(u64::MAX - 255)];
    let list = proptest::collection::vec(one, 1..60);
    (list, base, proptest::option::of(0u64..40), any::<bool>()).prop_map(|(list, base, rest, unsized_too)| {
        let candidate = |(start, size, sort, name)| {
            let room = (sort != 7).then_some(256 - start);
            let kind = if room.is_some() { b't' } else { b'a' };
            Candidate { address: base + start, kind, name, size, room }
        };
        let mut candidates: Vec<Candidate> = list.into_iter().map(candidate).collect();
        order::sort(&mut candidates);
        let mut list = settle(candidates);
        let parents: Vec<Option<u32>> = list.iter().map(|symbol| symbol.parent).collect();
        for (index, symbol) in (0u32..).zip(&mut list) {
            if unsized_too && index % 3 == 0 && symbol.parent.is_none() && !parents.contains(&Some(index)) {
                symbol.size = None;
            }
        }
        let last = list.last().expect("at least one").address;
        let covered_last = rest.map(|rest| last.saturating_add(rest));
        Symbols { covered_last, ..sorted(list) }
    })
}
