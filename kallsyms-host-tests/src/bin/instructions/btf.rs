//! The questions about types.

use kallsyms_core::btf::{Btf, Find, HashIndex, Kind, SortedBtf};
use kallsyms_core::linux::Endian;
use kallsyms_gen::symbols::Symbols;
use kallsyms_host_tests::asked::{Asked, ONE_BY_ONE};
use kallsyms_host_tests::btf::record::{Record, kind};
use kallsyms_host_tests::btf::samples;

use crate::each::each;
use crate::label::label;

/// Types of the file: structures, in the order of their names.
const TYPES: usize = 8_000;

/// A linear search of one goes through them all.
const LINEAR: usize = 20;

/// Counts the three ways to find a type.
pub(crate) fn count(symbols: &Symbols, asked: &Asked) {
    let mut names: Vec<&[u8]> = symbols.list.iter().map(|symbol| symbol.name.as_slice()).collect();
    names.sort_unstable();
    names.dedup();
    // From all over the alphabet.
    let step = names.len() / TYPES;
    let names: Vec<&[u8]> = names.into_iter().step_by(step).take(TYPES).collect();
    let records: Vec<Record> = names.iter().map(|name| Record::new(kind::STRUCT, name, 8)).collect();
    let bytes = samples::of(Endian::Little, &records).bytes();
    let mut offsets = vec![0; TYPES];
    let btf = Btf::parse_with_offsets(&bytes, &mut offsets).expect("BTF");
    let hits: Vec<&[u8]> = (0..ONE_BY_ONE).map(|number| names[number * 7_919 % names.len()]).collect();
    let of = |way: &str, btf: &dyn Fn(&[u8]) -> bool, count: usize| {
        assert!(hits.iter().take(LINEAR).all(|name| btf(name)), "{way} finds them");
        each(&label(way, "hit", count), &hits[..count], |name| btf(name));
        each(&label(way, "miss", count), &asked.misses[..count], |name| btf(name.as_bytes()));
    };
    of("btf-linear", &|name| btf.find_id(name, Kind::Struct).is_some(), LINEAR);
    let sorted = SortedBtf::new(btf).expect("it is sorted");
    of("btf-sorted", &|name| sorted.find_id(name, Kind::Struct).is_some(), ONE_BY_ONE);
    let mut words = vec![0; HashIndex::words(&btf)];
    let index = HashIndex::build(btf, &mut words).expect("an index");
    of("btf-hash", &|name| index.find_id(name, Kind::Struct).is_some(), ONE_BY_ONE);
}
