//! What is split over a base, and over a split.

use kallsyms_core::btf::{Btf, Endian, Error, Kind, TypeId};
use kallsyms_host_tests::btf::BtfWriter;
use kallsyms_host_tests::btf::record::{Record, kind};
use kallsyms_host_tests::btf::writer::Field;

use crate::faults::{BOTH, every};

#[test]
fn a_split_without_strings_loads() {
    for endian in BOTH {
        let base_writer = every(endian);
        let mut writer = BtfWriter::over(&base_writer);
        assert_eq!(writer.push(&Record::new(kind::TYPEDEF, "node", 4)), 20);
        writer.push(&Record::new(kind::PTR, "", 20));
        assert_eq!(writer.string_len(), 0);
        let (base, bytes) = (base_writer.bytes(), writer.bytes());
        let base = Btf::parse(&base).expect("is sound");
        let split = Btf::split(&base, &bytes).expect("is sound");
        assert_eq!((split.start_id(), split.end_id(), split.own_len()), (TypeId(20), TypeId(22), 2));
        let typedef = split.type_by_id(TypeId(20)).expect("is there");
        assert_eq!((typedef.kind(), typedef.name()), (Kind::Typedef, &b"node"[..]), "a name of the base");
        assert_eq!(split.resolve(TypeId(20)).map(|found| found.id()), Some(TypeId(4)));
        // Neither strings nor types.
        let nothing = BtfWriter::over(&base_writer).bytes();
        let nothing = Btf::split(&base, &nothing).expect("is sound");
        assert_eq!((nothing.own_len(), nothing.end_id()), (0, TypeId(20)));
    }
}

#[test]
fn names_of_a_split_end_with_its_own_strings() {
    for endian in BOTH {
        let base_writer = every(endian);
        let base = base_writer.bytes();
        let base = Btf::parse(&base).expect("is sound");
        let mut writer = BtfWriter::over(&base_writer);
        writer.push(&Record::new(kind::TYPEDEF, "of_split", 4));
        let end = base_writer.string_len() + writer.string_len();
        for found in [end, end + 1, u32::MAX] {
            let bytes = writer.clone().with_word(20, 0, found).bytes();
            let expected = Error::NameOutOfBounds { id: TypeId(20), offset: 24, found, end };
            assert_eq!(Btf::split(&base, &bytes).err(), Some(expected));
        }
        for (at, name) in [
            (end - 1, &b""[..]),
            (base_writer.string_len(), b"of_split"),
            (base_writer.string_len() - 1, b""),
        ] {
            let bytes = writer.clone().with_word(20, 0, at).bytes();
            let split = Btf::split(&base, &bytes).expect("is sound");
            assert_eq!(
                (split.types().next().map(|found| found.name()), split.string(at)),
                (Some(name), Some(name))
            );
        }
        // No base of strings, no NUL in front.
        let bytes = writer.bytes();
        let found = Error::FirstString { offset: 24 + 12, found: b'o' };
        assert_eq!(Btf::parse(&bytes).err(), Some(found));
        let bytes = writer.clone().with_field(Field::StrLen, 8).bytes();
        assert_eq!(
            Btf::split(&base, &bytes).err(),
            Some(Error::LastString { offset: 24 + 12 + 7, found: b't' })
        );
    }
}

#[test]
fn bases_of_bases_have_a_limit() {
    let mut writers = vec![every(Endian::Little)];
    for _ in 0..40 {
        let mut writer = BtfWriter::over(writers.last().expect("one"));
        writer.push(&Record::new(kind::PTR, "", 1));
        writers.push(writer);
    }
    let files: Vec<Vec<u8>> = writers.iter().map(BtfWriter::bytes).collect();
    fn open(base: &Btf<'_>, files: &[Vec<u8>], depth: u32) -> (u32, Error) {
        let (first, rest) = files.split_first().expect("the limit comes first");
        match Btf::split(base, first) {
            Ok(btf) => {
                assert_eq!(btf.end_id(), TypeId(20 + depth));
                assert_eq!(btf.type_by_id(TypeId(1)).map(|found| found.name()), Some(&b"int"[..]));
                open(&btf, rest, depth + 1)
            }
            Err(error) => (depth, error),
        }
    }
    let base = Btf::parse(&files[0]).expect("is sound");
    assert_eq!(open(&base, &files[1..], 1), (33, Error::BaseTooDeep { found: 33 }));
}
