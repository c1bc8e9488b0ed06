//! Linux's tables at random and damaged, against a slow reader: an error, or what the bytes say; never a
//! panic.

mod compare;
mod generate;
mod random;
mod raw;
mod slow;

use kallsyms_core::linux::{Error, Kallsyms};

use compare::compare;
use random::Random;
use raw::RawTables;

#[test]
fn random_tables() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for _ in 0..150 {
        let mut raw = generate::tables(&mut random);
        let Random(seed) = random;
        let kallsyms = Kallsyms::new(raw.view()).unwrap_or_else(|error| panic!("{seed:#x} {error} {raw:?}"));
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
    let mut random = Random(0x1e37_79b9_7f4a_7c15);
    let mut passed = 0;
    for _ in 0..2_000 {
        let mut raw = generate::tables(&mut random);
        if random.one_in(3) {
            raw.lengths = None;
        }
        for _ in 0..1 + random.number() % 4 {
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
    let table = match random.number() % 9 {
        0 | 1 => &mut raw.names,
        2 => match &mut raw.markers {
            Some((markers, _)) => markers,
            None => &mut raw.name_offsets.0,
        },
        3 => &mut raw.token_table,
        4 => &mut raw.token_index,
        5 => &mut raw.offsets,
        6 | 7 => &mut raw.seqs_of_names,
        _ => {
            raw.num_syms = raw.num_syms.wrapping_add((random.number() % 5) as u32).wrapping_sub(2);
            return;
        }
    };
    if table.is_empty() {
        return;
    }
    let at = random.below(table.len());
    match random.number() % 6 {
        0 => table[at] = 0,
        1 => table[at] = 0x80,
        2 => table[at] ^= 1 << (random.number() % 8),
        3 => {
            table.remove(at);
        }
        4 => table.insert(at, random.number() as u8),
        _ => table.truncate(at),
    }
}
