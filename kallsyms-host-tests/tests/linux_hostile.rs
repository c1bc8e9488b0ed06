//! Linux's tables at random and damaged, against a slow reader: an error, or what the bytes say; never a
//! panic.

use kallsyms_core::linux::{Error, Kallsyms};
use kallsyms_host_tests::properties::linux::{self, RawTables, compare};
use kallsyms_host_tests::random::Random;

#[test]
fn random_tables() {
    let mut random = Random::new(0x9e37_79b9_7f4a_7c15);
    for _ in 0..150 {
        let mut raw = linux::tables(&mut random);
        let kallsyms = Kallsyms::new(raw.view()).unwrap_or_else(|error| panic!("{random:?} {error} {raw:?}"));
        compare(&raw, &kallsyms, &mut random, true);
        raw.lengths = None;
        match Kallsyms::new(raw.view()) {
            Ok(kallsyms) => compare(&raw, &kallsyms, &mut random, false),
            Err(error) => assert_eq!(error, Error::AmbiguousLengths),
        }
    }
}

#[test]
fn mutated_tables() {
    let mut random = Random::new(0x1e37_79b9_7f4a_7c15);
    let mut passed = 0;
    for _ in 0..2_000 {
        let mut raw = linux::tables(&mut random);
        if random.one_in(3) {
            raw.lengths = None;
        }
        for _ in 0..1 + random.next() % 4 {
            mutate(&mut raw, &mut random);
        }
        if let Ok(kallsyms) = Kallsyms::new(raw.view()) {
            passed += 1;
            compare(&raw, &kallsyms, &mut random, false);
        }
    }
    assert!(passed > 100, "{passed} of 2,000 opened: the damage hits nothing that matters");
}

/// Damages one place of one table.
fn mutate(raw: &mut RawTables, random: &mut Random) {
    let part = [0, 0, 1, 2, 3, 4, 5, 5].get(random.below(9)).copied();
    let Some(part) = part else {
        raw.num_syms = raw.num_syms.wrapping_add((random.next() % 5) as u32).wrapping_sub(2);
        return;
    };
    let table = &mut *raw.parts_mut()[part];
    if table.is_empty() {
        return;
    }
    let at = random.below(table.len());
    match random.next() % 6 {
        0 => table[at] = 0,
        1 => table[at] = 0x80,
        2 => table[at] ^= 1 << (random.next() % 8),
        3 => {
            table.remove(at);
        }
        4 => table.insert(at, random.next() as u8),
        _ => table.truncate(at),
    }
}
