//! Questions and files that nobody means well with.

use kallsyms_core::btf::{Btf, Error, Find, HashIndex, Kind, SortedBtf, TypeId};
use kallsyms_host_tests::btf::record::{Record, kind};
use kallsyms_host_tests::btf::{BtfWriter, samples, words};

/// Types whose names are the ends of one string of half a megabyte, the longest one first.
fn ends_of_one_string(types: u32, of: impl Fn(u32) -> Record) -> Vec<u8> {
    let mut writer = BtfWriter::new(words::native());
    let whole = writer.string(&[b'a'; 1 << 19]);
    for number in 0..types {
        writer.push_at(whole + number, &of(number));
    }
    writer.bytes()
}

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

/// 16 GB of names in a megabyte, in each of which words were counted.
#[test]
fn integers_named_by_the_ends_of_one_string() {
    let bytes = ends_of_one_string(32_768, |_| Record::int("", 4));
    let btf = Btf::parse(&bytes).expect("is sound");
    assert_eq!((btf.own_len(), btf.pointer_size()), (32_768, 8));
    // The longest name of a `long`, and one that only begins so.
    for (name, size) in [("unsigned long int", 4), ("unsigned long intt", 8), ("unsigned long int ", 8)] {
        let bytes = samples::of(words::native(), &[Record::int(name, 4)]).bytes();
        assert_eq!(Btf::parse(&bytes).expect("is sound").pointer_size(), size, "{name}");
    }
}

/// 20 GB of names, which need not be measured to see that the types are there.
#[test]
fn members_and_parameters_of_one_long_name() {
    let mut writer = BtfWriter::new(words::native());
    let name = vec![b'a'; 1 << 19];
    let int = writer.push(&Record::int("int", 4));
    let mut record = Record::new(kind::STRUCT, "", 0);
    let mut function = Record::new(kind::FUNC_PROTO, "", 0);
    for _ in 0..20_000 {
        record = record.member("", int, 0);
        function = function.param("", int);
    }
    let at = writer.string(&name);
    let (record, function) = (writer.push(&record.member("", 99, 0)), writer.push(&function.param("", 99)));
    for number in 0..20_000 {
        writer = writer.with_word(record, 3 + 3 * number, at).with_word(function, 3 + 2 * number, at);
    }
    let bytes = writer.bytes();
    let btf = Btf::parse(&bytes).expect("is sound");
    let offset = 24 + 16 + 12 + 20_000 * 12 + 4;
    let fault = Error::NoSuchType { id: TypeId(2), offset, found: TypeId(99) };
    assert_eq!(btf.check_references(), Err(fault));
}

/// 20 GB of text, did a declaration write it all.
#[test]
fn a_declaration_of_one_long_name() {
    let name = vec![b'a'; 1 << 16];
    let mut writer = BtfWriter::new(words::native());
    let int = writer.push(&Record::int("int", 4));
    let mut record = Record::new(kind::STRUCT, "s", 0);
    for _ in 0..1000 {
        record = record.member(&name, int, 0);
    }
    let id = writer.push(&record);
    let bytes = writer.bytes();
    let btf = Btf::parse(&bytes).expect("is sound");
    let text = btf.type_by_id(TypeId(id)).expect("is there").declaration().to_string();
    let member = format!("\tint {}...;\n", "a".repeat(4096));
    assert_eq!(text, format!("struct s {{\n{}}}", member.repeat(1000)));
}

/// 20 GB of names, each of which was hashed twice.
#[test]
fn an_index_of_the_ends_of_one_string() {
    let bytes = ends_of_one_string(40_000, |_| Record::new(kind::STRUCT, "", 0));
    let mut room = vec![0; 40_000];
    let btf = Btf::parse_with_offsets(&bytes, &mut room).expect("is sound");
    let mut words = vec![0; HashIndex::words(&btf)];
    let index = HashIndex::build(btf, &mut words).expect("there is room");
    let name = vec![b'a'; 1 << 19];
    assert_eq!(index.find_id(&name, Kind::Struct), Some(TypeId(1)));
    assert_eq!(index.find_id(&name[39_999..], Kind::Struct), Some(TypeId(40_000)));
    assert_eq!(index.find_id(&name[40_000..], Kind::Struct), None);
    assert_eq!(index.find_id(&name[39_999..], Kind::Union), None);
}
