//! Random types in random orders.

use kallsyms_core::btf::{Btf, Endian, SortedBtf};
use kallsyms_host_tests::btf::record::{Record, Role, Word, kind, refers, roles};
use kallsyms_host_tests::btf::{BtfWriter, Decoded};
use proptest::prelude::*;

use crate::{inverse, map, open, oracle, permuted, sorted};

/// What a record is made of: kind, name, number of elements, words.
type Seed = (u8, u8, u8, [u32; 8]);

const NAMES: [&str; 8] = ["", "", "a", "ab", "abcdefgh", "abcdefghi", "b", "\u{e9}"];

/// A record whose references lead to types below `end`.
fn record((of, name, elements, words): Seed, end: u32) -> Record {
    let of = of % kind::ENUM64 + 1;
    let name = NAMES[usize::from(name) % NAMES.len()];
    let (once, each) = roles(of).expect("a known kind");
    let elements = if each.is_empty() { 0 } else { usize::from(elements % 4) };
    let third = if refers(of) { words[0] % end } else { words[0] };
    let all = once.iter().chain(each.iter().cycle().take(each.len() * elements));
    let words = all.zip(words.iter().cycle().skip(1)).map(|(role, &word)| match role {
        Role::Name => Word::Name(NAMES[word as usize % NAMES.len()].into()),
        Role::Type => Word::Type(word % end),
        Role::Plain => Word::Plain(word),
    });
    Record { kflag: name.len() % 2 == 1, vlen: elements as u32, ..Record::new(of, name, third) }.with(words)
}

fn seeds() -> impl Strategy<Value = Vec<Seed>> {
    proptest::collection::vec(any::<Seed>(), 0..40)
}

/// Types with an order of their own.
fn ordered() -> impl Strategy<Value = (Vec<Seed>, Vec<usize>)> {
    seeds().prop_flat_map(|seeds| {
        let order: Vec<usize> = (0..seeds.len()).collect();
        (Just(seeds), Just(order).prop_shuffle())
    })
}

fn push(writer: &mut BtfWriter, seeds: &[Seed]) {
    let end = writer.next_id() + seeds.len() as u32;
    for &seed in seeds {
        writer.push(&record(seed, end));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn any_types_in_any_order((seeds, order) in ordered(), base in seeds(), split: bool, big: bool) {
        let endian = if big { Endian::Big } else { Endian::Little };
        let mut base_writer = BtfWriter::new(endian);
        push(&mut base_writer, &base);
        let base_bytes = base_writer.bytes();
        let base = Btf::parse(&base_bytes).expect("is sound");
        let decoded = split.then(|| Decoded::read(&base_bytes, None).expect("is sound"));
        let mut writer = if split { BtfWriter::over(&base_writer) } else { BtfWriter::new(endian) };
        push(&mut writer, &seeds);
        let bytes = writer.bytes();
        let base = split.then_some(&base);
        let btf = open(base, &bytes);

        let first_id = btf.start_id().0;
        // A base without types is followed by type 1, and has no entry for `void` either way.
        prop_assume!(!split || first_id > 1);
        let id_map = map(first_id, order);
        let out = permuted(&btf, &id_map);
        prop_assert_eq!(&out, &oracle::permuted(&bytes, decoded.as_ref(), &id_map));
        prop_assert_eq!(open(base, &out).check_references().is_ok(), btf.check_references().is_ok());
        prop_assert_eq!(&permuted(&open(base, &out), &inverse(&id_map, first_id)), &bytes);

        let (id_map, out) = sorted(&btf);
        prop_assert_eq!(&id_map, &oracle::order(&bytes, decoded.as_ref()));
        prop_assert_eq!(&out, &oracle::permuted(&bytes, decoded.as_ref(), &id_map));
        prop_assert!(SortedBtf::new(open(base, &out)).is_ok());
        let again = sorted(&open(base, &out));
        prop_assert!(again.0.is_sorted(), "what is sorted stays");
        prop_assert_eq!(again.1, out);
    }
}
