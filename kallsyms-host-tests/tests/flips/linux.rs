//! Linux's tables.

use kallsyms_core::linux::{Endian, Kallsyms};
use kallsyms_gen::input::{self, Options as InputOptions};
use kallsyms_gen::linux::folder;
use kallsyms_gen::linux::write::{Options, PlaceForm, own_symbols, write};
use kallsyms_gen::symbols::Symbols;
use kallsyms_host_tests::data;
use kallsyms_host_tests::properties::linux::{RawTables, check_tables};
use kallsyms_host_tests::random::Random;

use crate::{bits, count, flip, real_symbols};

/// Symbols of the tables that are damaged.
const SYMBOLS: usize = 40;

/// With markers and with offsets, addresses from a base and from their own place.
fn written(symbols: &Symbols) -> [RawTables; 3] {
    let offsets = Options { places: PlaceForm::Offsets(Endian::Little), ..Options::LINUX_6_12 };
    [Options::LINUX_6_12, Options::LINUX_7_0, offsets]
        .map(|options| write(&own_symbols(symbols), &options).expect("fit for the tables").into())
}

#[test]
fn flipped_tables_of_real_symbols() {
    damage(&mut written(&real_symbols(SYMBOLS)), count());
}

/// Of a distribution's kernel, where there is one: a part of its symbols, and single flips in all of its tables.
#[test]
fn flipped_tables_of_a_kernel() {
    let Some(path) = data::folder("flipped_tables_of_a_kernel", "linux-6.12.107") else { return };
    let tables = folder::read(&path).expect("a folder of tables");
    let mut symbols = input::read_tables(&tables, &InputOptions::default()).expect("symbols").symbols;
    let first = symbols.list.len() / 2;
    symbols.list = symbols.list.split_off(first);
    symbols.list.truncate(SYMBOLS);
    damage(&mut written(&symbols), count());
}

/// Flips bits of one part, or of several.
fn damage(all: &mut [RawTables], count: usize) {
    let mut random = Random::new(0x9e37_79b9_7f4a_7c15);
    let forms = all.len();
    let mut accepted = 0;
    for number in 0..count {
        let raw = &mut all[number % forms];
        let mut flipped = Vec::new();
        for _ in 0..1 + random.below(8) / 6 {
            let part = random.below(6);
            let bytes = &mut *raw.parts_mut()[part];
            let bits = bits(&mut random, bytes.len());
            flip(bytes, &bits);
            flipped.push((part, bits));
        }
        accepted += usize::from(Kallsyms::new(raw.view()).is_ok());
        check_tables(raw, &mut random);
        for (part, bits) in flipped {
            flip(raw.parts_mut()[part], &bits);
        }
    }
    assert!(accepted > count / 10, "{accepted} accepted: the damage hits nothing that matters");
}

/// Each table at every length.
#[test]
fn every_length_of_every_table() {
    let mut random = Random::new(7);
    for raw in written(&real_symbols(SYMBOLS)) {
        for part in 0..6 {
            let mut short = raw.clone();
            while let Some(byte) = short.parts_mut()[part].pop() {
                let _ = byte;
                check_tables(&short, &mut random);
            }
        }
    }
}
