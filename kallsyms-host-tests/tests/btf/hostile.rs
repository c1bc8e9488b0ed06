//! Questions and files that nobody means well with.

use kallsyms_core::btf::{Btf, Find, HashIndex, Kind, SortedBtf, TypeId};
use kallsyms_host_tests::btf::record::{Record, kind};
use kallsyms_host_tests::btf::{samples, words};

/// A known kind by its number is that kind, whichever way is asked; a kind of more than seven bits is none.
#[test]
fn a_known_kind_by_its_number() {
    let record = |of, name| Record::new(of, name, 0);
    let records = [record(kind::STRUCT, ""), record(kind::STRUCT, "node"), record(kind::TYPEDEF, "node")];
    let later = Record { kind: 72, ..record(kind::STRUCT, "node") };
    let mut writer = samples::of(words::native(), &records).layout(samples::layout(&[(0, 0); 60]));
    writer.push(&later);
    let bytes = writer.bytes();
    let mut room = [0; 4];
    let btf = Btf::parse(&bytes).expect("is sound");
    let kept = Btf::parse_with_offsets(&bytes, &mut room).expect("is sound");
    let mut words = vec![0; HashIndex::words(&btf)];
    let sorted = SortedBtf::new(btf).expect("is sorted");
    let bisected = SortedBtf::new(kept).expect("is sorted");
    let index = HashIndex::build(kept, &mut words).expect("there is room");
    for (name, number, expected) in [
        ("node", 4, Some(2)),
        ("node", 8, Some(3)),
        ("node", 72, Some(4)),
        ("node", 5, None),
        ("node", 128 + 72, None),
        ("node", 128 + 4, None),
        ("node", 128, None),
        ("node", 0, Some(0)),
        ("void", 4, Some(0)),
        ("void", 200, Some(0)),
        ("", 4, Some(1)),
        ("", 0, Some(0)),
        ("", 200, None),
    ] {
        let kind = Kind::Other(number);
        let mut many = [[None; 1]; 4];
        let [a, b, c, d] = &mut many;
        btf.find_many(&[(name, kind)], a);
        sorted.find_many(&[(name, kind)], b);
        bisected.find_many(&[(name, kind)], c);
        index.find_many(&[(name, kind)], d);
        let found = [
            btf.find_id(name, kind),
            sorted.find_id(name, kind),
            bisected.find_id(name, kind),
            index.find_id(name, kind),
        ];
        assert_eq!(found, [expected.map(TypeId); 4], "{name:?} {number}");
        assert_eq!(many, [[expected.map(TypeId)]; 4], "{name:?} {number}");
        let ids = [
            btf.find(name, kind),
            sorted.find_own(name, kind),
            bisected.find(name, kind),
            index.find_own(name, kind),
        ];
        assert_eq!(ids.map(|found| found.map(|found| found.id())), [expected.map(TypeId); 4]);
    }
}
