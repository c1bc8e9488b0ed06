//! Files of every form: kinds, byte order, header, layout section, gaps.

use kallsyms_core::btf::{Btf, Endian, SortedBtf, TypeId};
use kallsyms_host_tests::btf::record::{Record, kind};
use kallsyms_host_tests::btf::{BtfWriter, Decoded, samples};

use crate::{inverse, map, oracle, permuted, room, sorted};

/// In every form that a file can have.
fn forms(writer: &BtfWriter) -> Vec<Vec<u8>> {
    vec![
        writer.bytes(),
        writer.clone().gaps(&[1; 8], &[2; 4], &[3; 5]).bytes(),
        writer.clone().layout(samples::layout(&[(0, 4), (9, 1)])).gaps(&[], &[4; 8], &[]).bytes(),
        writer.clone().header_tail(&[0; 13]).bytes(),
    ]
}

#[test]
fn every_kind_in_every_form_follows() {
    for endian in [Endian::Little, Endian::Big] {
        let records = samples::every_kind();
        for bytes in forms(&samples::of(endian, &records)) {
            let btf = Btf::parse(&bytes).expect("is sound");
            let count = records.len();
            for id_map in [
                map(1, 0..count),
                map(1, (0..count).rev()),
                map(1, (0..count).map(|old| (old + 7) % count)),
                oracle::order(&bytes, None),
            ] {
                let out = permuted(&btf, &id_map);
                assert_eq!(out, oracle::permuted(&bytes, None, &id_map));
                let new = Btf::parse(&out).expect("is sound");
                new.check_references().expect("as before");
                assert_eq!(permuted(&new, &inverse(&id_map, 1)), bytes);
            }
            let (id_map, out) = sorted(&btf);
            assert_eq!(id_map, oracle::order(&bytes, None));
            assert_eq!(out, oracle::permuted(&bytes, None, &id_map));
            assert!(SortedBtf::new(Btf::parse(&out).expect("is sound")).is_ok());
        }
    }
}

/// Types of one name stay in their order, those without come first, and a name that begins as another does
/// comes behind it.
#[test]
fn ties_keep_their_order() {
    let names = ["b", "", "ab", "b", "a", "", "b", "abcdefgh", "abcdefghi", "abcdefg", "\u{ff}", "B", "a"];
    let records: Vec<Record> =
        (0..).zip(names).map(|(size, name)| Record::new(kind::STRUCT, name, size)).collect();
    let bytes = samples::of(Endian::Little, &records).bytes();
    let (id_map, out) = sorted(&Btf::parse(&bytes).expect("is sound"));
    let new = Decoded::read(&out, None).expect("is sound");
    let order: Vec<(&str, u32)> = new
        .records
        .iter()
        .map(|record| (str::from_utf8(&record.name).expect("is text"), record.size_or_type))
        .collect();
    let expected = [
        ("", 1),
        ("", 5),
        ("B", 11),
        ("a", 4),
        ("a", 12),
        ("ab", 2),
        ("abcdefg", 9),
        ("abcdefgh", 7),
        ("abcdefghi", 8),
        ("b", 0),
        ("b", 3),
        ("b", 6),
        ("\u{ff}", 10),
    ];
    assert_eq!(order, expected);
    assert_eq!(id_map, oracle::order(&bytes, None));
}

/// A name that is written twice is one name.
#[test]
fn one_name_at_two_offsets() {
    let mut writer = BtfWriter::new(Endian::Big).without_dedup();
    for name in ["z", "y", "z", "y", "x"] {
        writer.push(&Record::new(kind::STRUCT, name, 0));
    }
    let (id_map, _) = sorted(&Btf::parse(&writer.bytes()).expect("is sound"));
    assert_eq!(id_map, [0, 4, 2, 5, 3, 1]);
}

#[test]
fn what_is_sorted_stays() {
    let records: Vec<Record> =
        ["", "a", "a", "b"].map(|name| Record::new(kind::STRUCT, name, 0)).into_iter().collect();
    let bytes = samples::of(Endian::Little, &records).bytes();
    assert_eq!(sorted(&Btf::parse(&bytes).expect("is sound")), (vec![0, 1, 2, 3, 4], bytes));
}

#[test]
fn no_types_and_one() {
    for endian in [Endian::Little, Endian::Big] {
        let none = samples::of(endian, &[]);
        let bytes = none.bytes();
        let btf = Btf::parse(&bytes).expect("is sound");
        assert_eq!(sorted(&btf), (vec![0], bytes.clone()));
        assert_eq!(permuted(&btf, &[0]), bytes);
        // A split BTF may have neither types nor strings.
        let split = BtfWriter::over(&none).bytes();
        let split = Btf::split(&btf, &split).expect("is sound");
        assert_eq!(sorted(&split), (vec![], split.as_bytes().to_vec()));
        let one = samples::of(endian, &[Record::new(kind::PTR, "", 1)]).bytes();
        assert_eq!(sorted(&Btf::parse(&one).expect("is sound")), (vec![0, 1], one));
    }
}

/// References into the base stay, those to own types follow, in a split of a split too.
#[test]
fn a_split_moves_its_own_types() {
    for endian in [Endian::Little, Endian::Big] {
        let base_writer = samples::of(endian, &samples::every_kind());
        let mut middle = BtfWriter::over(&base_writer);
        for record in [
            Record::new(kind::STRUCT, "zebra", 16).member("node", 4, 0).member("own", 21, 64),
            Record::new(kind::PTR, "", 20),
            Record::new(kind::TYPEDEF, "node", 21),
            Record::func("apply", 13, 1),
        ] {
            middle.push(&record);
        }
        let mut top = BtfWriter::over(&middle);
        top.push(&Record::new(kind::TYPEDEF, "x", 20));
        top.push(&Record::new(kind::CONST, "", 24));
        top.push(&Record::new(kind::TYPEDEF, "int", 25));

        let bytes = [base_writer.bytes(), middle.bytes(), top.bytes()];
        let [base, middle, top] = &bytes;
        let base = Btf::parse(base).expect("is sound");
        let decoded_base = Decoded::read(base.as_bytes(), None).expect("is sound");
        let middle = Btf::split(&base, middle).expect("is sound");
        let decoded_middle = Decoded::read(middle.as_bytes(), Some(&decoded_base)).expect("is sound");
        let top = Btf::split(&middle, top).expect("is sound");
        assert_eq!((middle.start_id(), top.start_id()), (TypeId(20), TypeId(24)));

        let (id_map, out) = sorted(&middle);
        assert_eq!(id_map, [23, 20, 22, 21]);
        assert_eq!(out, oracle::permuted(middle.as_bytes(), Some(&decoded_base), &id_map));
        let new = Btf::split(&base, &out).expect("is sound");
        new.check_references().expect("as before");
        assert!(new.is_sorted());
        assert_eq!(permuted(&new, &inverse(&id_map, 20)), middle.as_bytes());

        let (id_map, out) = sorted(&top);
        assert_eq!(id_map, [26, 24, 25]);
        assert_eq!(out, oracle::permuted(top.as_bytes(), Some(&decoded_middle), &id_map));
        Btf::split(&middle, &out).expect("is sound").check_references().expect("as before");
        assert_eq!(
            permuted(&Btf::split(&middle, &out).expect("is sound"), &inverse(&id_map, 24)),
            top.as_bytes()
        );
    }
}

#[test]
fn a_permutation_tells_its_numbers() {
    let base_writer = samples::of(Endian::Little, &samples::every_kind());
    let base = base_writer.bytes();
    let base = Btf::parse(&base).expect("is sound");
    let mut split = BtfWriter::over(&base_writer);
    split.push(&Record::new(kind::TYPEDEF, "b", 1));
    split.push(&Record::new(kind::TYPEDEF, "a", 1));
    let split = split.bytes();
    let split = Btf::split(&base, &split).expect("is sound");
    let mut room = room(&split);
    let permutation = split.permutation(&mut room).expect("there is room");
    assert_eq!(permutation.id_map(), [21, 20]);
    let new_ids = [0, 1, 19, 20, 21, 22].map(|id| permutation.new_id(TypeId(id)).map(|id| id.0));
    assert_eq!(new_ids, [Some(0), Some(1), Some(19), Some(21), Some(20), None]);
    assert_eq!(format!("{permutation:?}"), "Permutation { start_id: 20, types: 2, .. }");
}
