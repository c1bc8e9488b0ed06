//! One test a fault.

use kallsyms_core::btf::{Btf, Endian, Permutation, PermuteError, TypeId};
use kallsyms_host_tests::btf::record::{Record, kind};
use kallsyms_host_tests::btf::writer::HEADER;
use kallsyms_host_tests::btf::{BtfWriter, samples};

use crate::room;

/// Three types.
fn three() -> BtfWriter {
    let records = ["c", "b", "a"].map(|name| Record::new(kind::STRUCT, name, 0));
    samples::of(Endian::Little, &records)
}

fn refused(btf: &Btf<'_>, id_map: &[u32]) -> PermuteError {
    Permutation::new(btf, id_map, &mut room(btf)).expect_err("is no permutation")
}

#[test]
fn too_little_room() {
    let bytes = three().bytes();
    let btf = Btf::parse(&bytes).expect("is sound");
    assert_eq!(Permutation::words(&btf), 10);
    for len in 0..10 {
        let expected = PermuteError::RoomTooShort { len, needed: 10 };
        assert_eq!(btf.permutation(&mut vec![0; len]).err(), Some(expected));
        assert_eq!(Permutation::new(&btf, &[0, 1, 2, 3], &mut vec![0; len]).err(), Some(expected));
    }
    assert!(btf.permutation(&mut [0; 11]).is_ok());
    let message = PermuteError::RoomTooShort { len: 9, needed: 10 }.to_string();
    assert_eq!(message, "9 words of room, a permutation of these types takes 10");
}

#[test]
fn maps_that_are_no_bijection() {
    let bytes = three().bytes();
    let btf = Btf::parse(&bytes).expect("is sound");
    let out_of_range =
        |index, found| PermuteError::OutOfRange { index, found, start: TypeId(1), end: TypeId(4) };
    for (id_map, expected) in [
        (&[][..], PermuteError::MapLen { found: 0, needed: 4 }),
        (&[0, 1, 2], PermuteError::MapLen { found: 3, needed: 4 }),
        (&[1, 2, 3], PermuteError::MapLen { found: 3, needed: 4 }),
        (&[0, 1, 2, 3, 4], PermuteError::MapLen { found: 5, needed: 4 }),
        (&[1, 2, 3, 0], PermuteError::VoidMoved { found: 1 }),
        (&[u32::MAX, 1, 2, 3], PermuteError::VoidMoved { found: u32::MAX }),
        (&[0, 1, 0, 3], out_of_range(2, 0)),
        (&[0, 1, 2, 4], out_of_range(3, 4)),
        (&[0, u32::MAX, 2, 4], out_of_range(1, u32::MAX)),
        (&[0, 1, 2, 1], PermuteError::MappedTwice { index: 3, found: 1 }),
        (&[0, 3, 3, 3], PermuteError::MappedTwice { index: 2, found: 3 }),
    ] {
        assert_eq!(refused(&btf, id_map), expected, "{id_map:?}");
    }
    assert_eq!(out_of_range(3, 4).to_string(), "entry 3 of the map is 4, neither 1 nor above it and below 4");
    let message = PermuteError::MappedTwice { index: 3, found: 1 }.to_string();
    assert_eq!(message, "entry 3 of the map is 1, as one before it");
}

/// Of a split BTF there is no entry for `void`, and the numbers of the base are out of range.
#[test]
fn maps_of_a_split() {
    let base_writer = three();
    let base = base_writer.bytes();
    let base = Btf::parse(&base).expect("is sound");
    let mut split = BtfWriter::over(&base_writer);
    split.push(&Record::new(kind::PTR, "", 1));
    split.push(&Record::new(kind::PTR, "", 4));
    let split = split.bytes();
    let split = Btf::split(&base, &split).expect("is sound");
    let out_of_range =
        |index, found| PermuteError::OutOfRange { index, found, start: TypeId(4), end: TypeId(6) };
    for (id_map, expected) in [
        (&[0, 5, 4][..], PermuteError::MapLen { found: 3, needed: 2 }),
        (&[0, 1], out_of_range(0, 0)),
        (&[3, 4], out_of_range(0, 3)),
        (&[4, 6], out_of_range(1, 6)),
        (&[4, 4], PermuteError::MappedTwice { index: 1, found: 4 }),
    ] {
        assert_eq!(refused(&split, id_map), expected, "{id_map:?}");
    }
    assert_eq!(Permutation::new(&split, &[5, 4], &mut room(&split)).expect("is one").id_map(), [5, 4]);
}

#[test]
fn too_few_bytes_for_the_new_file() {
    let bytes = three().bytes();
    let btf = Btf::parse(&bytes).expect("is sound");
    let mut room = room(&btf);
    let permutation = btf.permutation(&mut room).expect("there is room");
    let (len, needed) = (bytes.len() - 1, bytes.len());
    let expected = PermuteError::OutTooShort { len, needed };
    assert_eq!(btf.permute(&permutation, &mut vec![0; len]), Err(expected));
    assert_eq!(btf.permute(&permutation, &mut vec![7; len + 3]).map(<[u8]>::len), Ok(needed));
}

/// A permutation of other types is told from one of these, unless their records begin at the same places.
#[test]
fn the_permutation_of_another_file() {
    let of = |records: &[Record]| samples::of(Endian::Little, records).bytes();
    let (small, large) = (Record::new(kind::STRUCT, "s", 0), Record::int("i", 4));
    let file = of(&[small.clone(), large.clone()]);
    let btf = Btf::parse(&file).expect("is sound");
    for other in [
        of(&[large.clone(), small.clone()]),
        of(std::slice::from_ref(&small)),
        of(&[small.clone(), large.clone(), small.clone()]),
        of(&[]),
    ] {
        let other = Btf::parse(&other).expect("is sound");
        let mut room = room(&other);
        for permutation in [
            other.permutation(&mut room.clone()).expect("there is room"),
            Permutation::new(&other, &(0..other.end_id().0).collect::<Vec<_>>(), &mut room).expect("is one"),
        ] {
            let answer = btf.permute(&permutation, &mut vec![0; file.len()]).map(<[u8]>::len);
            assert_eq!(answer, Err(PermuteError::OtherTypes));
        }
    }
    let alike = of(&[Record::new(kind::UNION, "u", 0), Record::int("a", 2)]);
    let alike = Btf::parse(&alike).expect("is sound");
    let mut room = room(&alike);
    let permutation = alike.permutation(&mut room).expect("there is room");
    assert!(btf.permute(&permutation, &mut vec![0; file.len()]).is_ok());
    let base = Btf::parse(&file).expect("is sound");
    let split = BtfWriter::over(&samples::of(Endian::Little, &[small, large])).bytes();
    let split = Btf::split(&base, &split).expect("is sound");
    let answer = split.permute(&permutation, &mut vec![0; split.as_bytes().len()]).map(<[u8]>::len);
    assert_eq!(answer, Err(PermuteError::OtherTypes));
}

/// A layout section tells how long a record is, not what is in it: such types are sorted, but not followed.
#[test]
fn a_later_kind_is_not_followed() {
    let records = [
        Record::new(kind::STRUCT, "b", 0),
        Record { vlen: 1, ..Record::new(20, "a", 1) }
            .with([kallsyms_host_tests::btf::Word::Bytes(vec![1; 7])]),
    ];
    let bytes =
        samples::of(Endian::Big, &records).layout(samples::layout(&[(3, 4)])).gaps(&[], &[0; 1], &[]).bytes();
    let btf = Btf::parse(&bytes).expect("is sound");
    let mut room = room(&btf);
    let permutation = btf.permutation(&mut room).expect("there is room");
    assert_eq!(permutation.id_map(), [0, 2, 1]);
    let offset = 32 + 12;
    let expected = PermuteError::UnknownKind { id: TypeId(2), offset, found: 20 };
    assert_eq!(btf.permute(&permutation, &mut vec![0; bytes.len()]), Err(expected));
    assert_eq!(
        expected.to_string(),
        "type 2 at 0x2c is of kind 20: where such a type refers to others is not known"
    );
}

/// Every place where a type can refer to one that is not there.
#[test]
fn references_to_nothing() {
    for endian in [Endian::Little, Endian::Big] {
        let (behind, first) = (HEADER as usize + 12, HEADER as usize);
        for (record, offset) in [
            (Record::new(kind::PTR, "", 3), first + 8),
            (Record::array(3, 1, 1), behind),
            (Record::array(1, 3, 1), behind + 4),
            (Record::new(kind::STRUCT, "", 0).member("", 1, 0).member("", 3, 0), behind + 16),
            (Record::new(kind::UNION, "", 0).member("", 3, 0), behind + 4),
            (Record::new(kind::TYPEDEF, "t", 3), first + 8),
            (Record::new(kind::VOLATILE, "", 3), first + 8),
            (Record::new(kind::CONST, "", 3), first + 8),
            (Record::new(kind::RESTRICT, "", 3), first + 8),
            (Record::func("f", 3, 1), first + 8),
            (Record::new(kind::FUNC_PROTO, "", 3).param("", 1), first + 8),
            (Record::new(kind::FUNC_PROTO, "", 1).param("", 1).param("", 3), behind + 12),
            (Record::var("v", 3, 0), first + 8),
            (Record::new(kind::DATASEC, "d", 0).variable(1, 3, 3).variable(3, 0, 0), behind + 12),
            (Record::decl_tag("d", 3, -1), first + 8),
            (Record::new(kind::TYPE_TAG, "t", 3), first + 8),
        ] {
            // Sorted, it comes behind the other.
            let records = [Record { name: b"z".to_vec(), ..record }, Record::new(kind::STRUCT, "a", 0)];
            let bytes = samples::of(endian, &records).bytes();
            let btf = Btf::parse(&bytes).expect("is sound");
            let mut room = room(&btf);
            let permutation = btf.permutation(&mut room).expect("there is room");
            assert_eq!(permutation.id_map(), [0, 2, 1]);
            let expected = PermuteError::NoSuchType { id: TypeId(1), offset, found: TypeId(3) };
            assert_eq!(btf.permute(&permutation, &mut vec![0; bytes.len()]), Err(expected));
        }
    }
}

/// Numbers that only look like references stay: sizes, values, offsets.
#[test]
fn what_is_no_reference_stays() {
    let records = [
        Record::int("z", 2),
        Record::new(kind::ENUM, "y", 1).enumerator("e", 1),
        Record::new(kind::ENUM64, "x", 1).enumerator64("e", 0x0000_0001_0000_0002),
        Record::new(kind::FLOAT, "w", 2),
        // As gcc leaves it.
        Record::new(kind::FWD, "v", 6),
        Record { size_or_type: 9, ..Record::array(1, 1, 1) },
    ];
    let bytes = samples::of(Endian::Little, &records).bytes();
    let btf = Btf::parse(&bytes).expect("is sound");
    let (_, out) = crate::sorted(&btf);
    let new = kallsyms_host_tests::btf::Decoded::read(&out, None).expect("is sound");
    let mut expected: Vec<Record> = records.into_iter().rev().collect();
    expected[0].words[..2].fill(kallsyms_host_tests::btf::Word::Type(6));
    assert_eq!(new.records, expected);
}
