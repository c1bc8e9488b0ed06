//! References: those that go round in circles, lead nowhere or to the wrong kind, and components of tags.

use kallsyms_core::btf::{Btf, Endian, Error, Kind, TypeId};
use kallsyms_host_tests::btf::record::{Record, kind};
use kallsyms_host_tests::btf::{BtfWriter, samples};

use crate::faults::BOTH;

/// What the second check says of the same types in either byte order; the first finds nothing.
fn checked(records: &[Record]) -> Result<(), Error> {
    let [little, big] = BOTH.map(|endian| {
        let bytes = samples::of(endian, records).bytes();
        Btf::parse(&bytes).expect("the structure is sound").check_references()
    });
    assert_eq!(little, big);
    assert!(little.err().is_none_or(|error| !error.to_string().is_empty()));
    little
}

fn resolved(records: &[Record], id: u32) -> (Option<u32>, Option<u64>) {
    let bytes = samples::of(Endian::Little, records).bytes();
    let btf = Btf::parse(&bytes).expect("the structure is sound");
    (btf.resolve(TypeId(id)).map(|found| found.id().0), btf.size_of(TypeId(id)))
}

#[test]
fn a_typedef_of_itself_ends() {
    let of_itself = [Record::int("int", 4), Record::new(kind::TYPEDEF, "self", 2)];
    assert_eq!(checked(&of_itself), Err(Error::TooDeep { id: TypeId(2), offset: 24 + 16 }));
    assert_eq!(resolved(&of_itself, 2), (None, None));
    // Circles of several, of every kind that is followed.
    for kinds in [
        &[kind::TYPEDEF, kind::CONST][..],
        &[kind::VOLATILE, kind::RESTRICT, kind::TYPE_TAG],
        &[kind::CONST],
        &[kind::TYPEDEF; 40],
    ] {
        let circle = kinds
            .iter()
            .zip(2..)
            .map(|(&kind, next)| Record::new(kind, "", if next > kinds.len() as u32 { 1 } else { next }));
        let circle: Vec<Record> = circle.collect();
        assert_eq!(checked(&circle), Err(Error::TooDeep { id: TypeId(1), offset: 24 }));
        assert_eq!(resolved(&circle, 1), (None, None));
    }
    let arrays = [Record::array(2, 2, 2), Record::array(1, 1, 2)];
    assert_eq!(checked(&arrays), Err(Error::TooDeep { id: TypeId(1), offset: 24 }));
    assert_eq!(resolved(&arrays, 1), (Some(1), None));
    let mixed = [Record::array(2, 2, 1), Record::new(kind::TYPEDEF, "t", 1)];
    assert_eq!(checked(&mixed), Err(Error::TooDeep { id: TypeId(1), offset: 24 }));
    assert_eq!(resolved(&mixed, 2), (Some(1), None));
    // What is no typedef ends a circle, and what only tags is not part of any.
    let var = [Record::var("var", 1, 0), Record::decl_tag("tag", 2, -1)];
    assert_eq!(resolved(&var, 1), (Some(1), None));
    assert_eq!(resolved(&var, 2), (Some(2), None));
}

/// So many typedefs are followed, and the second check agrees with the question.
#[test]
fn as_deep_as_32() {
    for depth in 0..40_u32 {
        let mut records = vec![Record::int("int", 4)];
        for below in 1..=depth {
            records.push(Record::new([kind::TYPEDEF, kind::CONST][below as usize % 2], "", below));
        }
        let (found, size) = resolved(&records, depth + 1);
        assert_eq!(found.is_some(), checked(&records).is_ok(), "{depth} typedefs");
        assert_eq!(size.is_some(), found.is_some(), "{depth} typedefs");
        // Typedefs and what is behind them are 32 types at most, as they are for libbpf.
        assert_eq!(
            (found, size),
            if depth < 32 { (Some(1), Some(4)) } else { (None, None) },
            "{depth} typedefs"
        );
    }
}

/// `struct self { struct self *next; }`, and what C does not allow: neither is endless, as members are not followed.
#[test]
fn a_struct_that_refers_to_itself_is_legal() {
    let list = [Record::new(kind::STRUCT, "self", 8).member("next", 2, 0), Record::new(kind::PTR, "", 1)];
    assert_eq!(
        (checked(&list), resolved(&list, 1), resolved(&list, 2)),
        (Ok(()), (Some(1), Some(8)), (Some(2), Some(8)))
    );
    let inside = [Record::new(kind::STRUCT, "self", 8).member("self", 1, 0)];
    assert_eq!((checked(&inside), resolved(&inside, 1)), (Ok(()), (Some(1), Some(8))));
    let pointer = [Record::new(kind::PTR, "", 1)];
    assert_eq!((checked(&pointer), resolved(&pointer, 1)), (Ok(()), (Some(1), Some(8))));
    let proto = [Record::new(kind::FUNC_PROTO, "", 1).param("self", 1)];
    assert_eq!((checked(&proto), resolved(&proto, 1)), (Ok(()), (Some(1), None)));
}

/// Every place of a reference, in a file of one type of every kind.
#[test]
fn references_that_lead_nowhere() {
    let records = samples::every_kind();
    assert_eq!(checked(&records), Ok(()));
    let writer = samples::of(Endian::Little, &records);
    for (id, words) in [
        (2, &[2][..]),
        (3, &[3, 4]),
        (4, &[4, 7, 10]),
        (5, &[4, 7]),
        (8, &[2]),
        (9, &[2]),
        (10, &[2]),
        (11, &[2]),
        (12, &[2]),
        (13, &[2, 4, 6]),
        (14, &[2]),
        (15, &[3]),
        (17, &[2]),
        (18, &[2]),
    ] {
        for &word in words {
            for found in [20, 21, u32::MAX] {
                for endian in BOTH {
                    let bytes = samples::of(endian, &records).with_word(id, word, found).bytes();
                    let offset = 24 + writer.offset(id) as usize + word * 4;
                    let btf = Btf::parse(&bytes).expect("the structure is sound");
                    let expected = Error::NoSuchType { id: TypeId(id), offset, found: TypeId(found) };
                    assert_eq!(btf.check_references(), Err(expected), "word {word} of type {id}");
                }
            }
        }
    }
}

#[test]
fn references_to_the_wrong_kind() {
    for (id, word, target, found) in [
        (12, 2, 1, Kind::Int),
        (12, 2, 0, Kind::Void),
        (15, 3, 4, Kind::Struct),
        (15, 3, 0, Kind::Void),
        (17, 2, 1, Kind::Int),
        (17, 2, 0, Kind::Void),
        (17, 2, 6, Kind::Enum),
    ] {
        for endian in BOTH {
            let writer = samples::of(endian, &samples::every_kind()).with_word(id, word, target);
            let (offset, bytes) = (24 + writer.offset(id) as usize + word * 4, writer.bytes());
            let btf = Btf::parse(&bytes).expect("the structure is sound");
            let expected = Error::WrongKind { id: TypeId(id), offset, target: TypeId(target), found };
            assert_eq!(btf.check_references(), Err(expected), "type {id}");
        }
    }
}

/// Every kind of reference to every kind of type.
#[test]
fn references_to_what_cannot_stand_there() {
    let targets = [
        Record::int("int", 4),
        Record::new(kind::STRUCT, "s", 4).member("a", 1, 0),
        Record::new(kind::FUNC_PROTO, "", 0),
        Record::func("f", 3, 1),
        Record::var("v", 1, 1),
        Record::new(kind::DATASEC, "d", 4).variable(5, 0, 4),
        Record::decl_tag("t", 2, -1),
    ];
    let place = 24 + samples::of(Endian::Little, &targets).type_len() as usize;
    let kinds = [
        Kind::Void,
        Kind::Int,
        Kind::Struct,
        Kind::FuncProto,
        Kind::Func,
        Kind::Var,
        Kind::DataSec,
        Kind::DeclTag,
    ];
    let (values, behind_names) = (1..3, 0..4);
    type Reference = (usize, fn(u32) -> Record, std::ops::Range<u32>);
    let references: [Reference; 13] = [
        (8, |id| Record::new(kind::PTR, "", id), behind_names.clone()),
        (8, |id| Record::new(kind::TYPEDEF, "n", id), behind_names.clone()),
        (8, |id| Record::new(kind::CONST, "", id), behind_names.clone()),
        (8, |id| Record::new(kind::VOLATILE, "", id), behind_names.clone()),
        (8, |id| Record::new(kind::RESTRICT, "", id), behind_names.clone()),
        (8, |id| Record::new(kind::TYPE_TAG, "n", id), behind_names.clone()),
        (8, |id| Record::var("n", id, 1), behind_names.clone()),
        (8, |id| Record::new(kind::FUNC_PROTO, "", id), behind_names.clone()),
        (16, |id| Record::new(kind::FUNC_PROTO, "", 0).param("n", id), behind_names),
        (16, |id| Record::new(kind::STRUCT, "n", 4).member("m", id, 0), values.clone()),
        (16, |id| Record::new(kind::UNION, "n", 4).member("m", id, 0), values.clone()),
        (12, |id| Record::array(id, 1, 1), values.clone()),
        (16, |id| Record::array(1, id, 1), values),
    ];
    for (at, record, fits) in references {
        for (target, found) in (0..).zip(kinds) {
            let mut records = targets.to_vec();
            records.push(record(target));
            let expected = match fits.contains(&target) {
                true => Ok(()),
                false => {
                    Err(Error::WrongKind { id: TypeId(8), offset: place + at, target: TypeId(target), found })
                }
            };
            assert_eq!(checked(&records), expected, "{records:?}");
        }
    }
}

#[test]
fn components_that_are_not_there() {
    let base = [
        Record::int("int", 4),
        Record::new(kind::STRUCT, "s", 8).member("a", 1, 0).member("b", 1, 32),
        Record::new(kind::UNION, "u", 4).member("a", 1, 0),
        Record::new(kind::FUNC_PROTO, "", 1).param("a", 1).param("b", 1).param("c", 1),
        Record::func("f", 4, 1),
        Record::var("v", 1, 1),
        Record::new(kind::TYPEDEF, "t", 2),
        Record::new(kind::STRUCT, "none", 0),
    ];
    let offset = 24 + samples::of(Endian::Little, &base).type_len() as usize + 12;
    for (target, count) in [(2, 2), (3, 1), (5, 3), (6, 0), (7, 0), (8, 0)] {
        let with = |component| {
            let mut records = base.to_vec();
            records.push(Record::decl_tag("tag", target, component));
            checked(&records)
        };
        assert_eq!(with(-1), Ok(()));
        for component in 0..count {
            assert_eq!(with(component), Ok(()), "component {component} of type {target}");
        }
        for found in [count, count + 1, i32::MAX, i32::MIN, -2] {
            let count = count as u32;
            assert_eq!(with(found), Err(Error::Component { id: TypeId(9), offset, found, count }));
        }
    }
}

/// Of the base too; its own are not looked at again.
#[test]
fn references_of_a_split() {
    let base_writer = samples::of(Endian::Little, &samples::every_kind()).with_word(2, 2, 99);
    let base = base_writer.bytes();
    let base = Btf::parse(&base).expect("the structure is sound");
    assert!(base.check_references().is_err());
    let mut writer = BtfWriter::over(&base_writer);
    writer.push(&Record::decl_tag("tag", 4, 2));
    writer.push(&Record::new(kind::TYPEDEF, "t", 1));
    let bytes = writer.bytes();
    assert_eq!(Btf::split(&base, &bytes).expect("is sound").check_references(), Ok(()));
    for (word, error) in [
        (22, Error::NoSuchType { id: TypeId(21), offset: 24 + 16 + 8, found: TypeId(22) }),
        (21, Error::TooDeep { id: TypeId(21), offset: 24 + 16 }),
    ] {
        let bytes = writer.clone().with_word(21, 2, word).bytes();
        assert_eq!(Btf::split(&base, &bytes).expect("is sound").check_references(), Err(error));
    }
    let bytes = writer.clone().with_word(20, 3, 3).bytes();
    let expected = Error::Component { id: TypeId(20), offset: 24 + 12, found: 3, count: 3 };
    assert_eq!(Btf::split(&base, &bytes).expect("is sound").check_references(), Err(expected));
}

#[test]
fn sizes() {
    let records = samples::every_kind();
    let expected: [Option<u64>; 20] = [
        None,
        Some(4),
        Some(8),
        Some(28),
        Some(32),
        Some(4),
        Some(4),
        None,
        Some(32),
        Some(32),
        Some(32),
        Some(8),
        None,
        None,
        Some(32),
        Some(32),
        Some(4),
        Some(32),
        Some(4),
        Some(8),
    ];
    for (id, size) in (0..).zip(expected) {
        assert_eq!(resolved(&records, id).1, size, "type {id}");
    }
    // 2^32 · 2^31 · 2 does not fit; none of nothing does.
    let arrays = [
        Record::int("int", 4),
        Record::array(1, 1, u32::MAX),
        Record::array(2, 1, u32::MAX),
        Record::array(3, 1, 2),
        Record::array(1, 1, 0),
    ];
    let sizes = [2, 3, 4, 5].map(|id| resolved(&arrays, id).1);
    let whole = u64::from(u32::MAX);
    assert_eq!(sizes, [Some(4 * whole), None, None, Some(0)]);
    // A pointer is as long as a `long`.
    for (name, size, expected) in [
        ("long", 4, 4),
        ("unsigned long", 4, 4),
        ("long unsigned int", 4, 4),
        ("long int", 8, 8),
        ("long long", 4, 8),
        ("int", 4, 8),
        ("long", 2, 8),
    ] {
        let records = [Record::new(kind::PTR, "", 0), Record::int(name, size)];
        assert_eq!(resolved(&records, 1).1, Some(expected), "{name} of {size}");
    }
}
