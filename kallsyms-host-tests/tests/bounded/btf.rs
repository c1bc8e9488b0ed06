//! BTF: circles, and lists as long as they can be.

use kallsyms_core::btf::{Btf, Shape, TypeId};
use kallsyms_host_tests::btf::record::{Record, kind};
use kallsyms_host_tests::btf::{BtfWriter, samples, words};

/// Types that are followed, one behind the other.
const LONGEST: u32 = 32;

#[test]
fn the_longest_chain_of_typedefs() {
    let mut writer = BtfWriter::new(words::native());
    let mut id = writer.push(&Record::int("int", 4));
    for number in 1..=LONGEST + 1 {
        id = writer.push(&Record::new(kind::TYPEDEF, format!("level_{number}"), id));
    }
    let bytes = writer.bytes();
    let btf = Btf::parse(&bytes).expect("is sound");
    let resolved = |level: u32| btf.resolve(TypeId(1 + level)).map(|found| found.id());
    assert_eq!((resolved(LONGEST - 1), resolved(LONGEST)), (Some(TypeId(1)), None));
    assert_eq!((btf.size_of(TypeId(LONGEST)), btf.size_of(TypeId(1 + LONGEST))), (Some(4), None));
}

#[test]
fn circles() {
    for records in [
        vec![Record::new(kind::TYPEDEF, "own", 1)],
        vec![Record::new(kind::TYPEDEF, "a", 2), Record::new(kind::CONST, "", 1)],
        vec![Record::array(1, 1, 7)],
        vec![Record::new(kind::STRUCT, "s", 4).member("", 1, 0)],
    ] {
        let bytes = samples::of(words::native(), &records).bytes();
        let btf = Btf::parse(&bytes).expect("is sound");
        let found = btf.type_by_id(TypeId(1)).expect("is there");
        let _ = (btf.resolve(TypeId(1)), found.size());
        assert!(found.member("x").is_none());
        assert!(found.declaration().to_string().len() < 4_096, "{}", found.declaration());
    }
}

/// All 65,535 members that a struct can have, each a struct of none.
#[test]
fn the_longest_list() {
    let mut writer = BtfWriter::new(words::native());
    let inner = writer.push(&Record::new(kind::STRUCT, "", 0));
    let mut record = Record::new(kind::STRUCT, "s", 4);
    for _ in 0..0xffff {
        record = record.member("", inner, 0);
    }
    let id = writer.push(&record);
    let bytes = writer.bytes();
    let btf = Btf::parse(&bytes).expect("is sound");
    let found = btf.type_by_id(TypeId(id)).expect("is there");
    let Shape::Struct(members) = found.shape() else { panic!("a struct") };
    assert_eq!(members.count(), 0xffff);
    assert!(found.member("x").is_none(), "looks at 65,536 members and no more");
}
