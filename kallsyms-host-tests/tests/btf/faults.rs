//! What is wrong with the structure, and where: every fault that other readers have been seen to make, by name.

use kallsyms_core::btf::{Btf, Endian, Error, Find, HashIndex, HeaderError, Kind, Section, Shape, TypeId};
use kallsyms_host_tests::btf::record::{Record, Word, kind};
use kallsyms_host_tests::btf::writer::{Field, KindLayout};
use kallsyms_host_tests::btf::{BtfWriter, Decoded, samples, swap};

pub(crate) const BOTH: [Endian; 2] = [Endian::Little, Endian::Big];

/// What is said of these files, of either byte order.
fn fault(make: impl Fn(Endian) -> BtfWriter) -> Error {
    let [little, big] = BOTH.map(|endian| {
        let bytes = make(endian).bytes();
        Btf::parse(&bytes).expect_err("is not sound")
    });
    assert_eq!(little, big);
    assert!(!little.to_string().is_empty());
    little
}

fn sound(make: impl Fn(Endian) -> BtfWriter) {
    for endian in BOTH {
        let bytes = make(endian).bytes();
        let btf = Btf::parse(&bytes).expect("is sound");
        crate::views::check(&btf, &Decoded::read(&bytes, None).expect("is sound"));
    }
}

pub(crate) fn every(endian: Endian) -> BtfWriter {
    samples::of(endian, &samples::every_kind())
}

#[test]
fn a_header_with_a_layout_is_read() {
    sound(|endian| every(endian).layout(samples::layout(&[])));
    sound(|endian| every(endian).layout(samples::layout(&[(4, 8), (0, 0)])));
    // Fewer kinds than are known, and no kind at all.
    sound(|endian| every(endian).layout(samples::layout(&[])[..7].to_vec()));
    sound(|endian| every(endian).layout(Vec::new()));
    // Gaps around it, and fields to come that are zero.
    sound(|endian| every(endian).layout(samples::layout(&[])).gaps(&[1; 4], &[2; 8], b"behind"));
    sound(|endian| every(endian).header_tail(&[0; 40]).layout(samples::layout(&[])));
    sound(|endian| every(endian).header_tail(&[0; 5]));
}

#[test]
fn a_layout_that_contradicts_a_kind() {
    for (number, (info_size, element_size)) in [(1, (0, 0)), (4, (0, 16)), (8, (4, 0)), (19, (0, 8))] {
        let mut layout = samples::layout(&[]);
        layout[number] = KindLayout { info_size, element_size, flags: 0 };
        let at = 32 + every(Endian::Little).type_len() as usize + number * 4;
        let kind = Kind::from_number(number as u8);
        assert_eq!(
            fault(|endian| every(endian).layout(layout.clone())),
            Error::Layout { kind, offset: at, found: (info_size, element_size) }
        );
    }
}

#[test]
fn a_layout_out_of_place() {
    let with =
        |field, value| fault(|endian| every(endian).layout(samples::layout(&[])).with_field(field, value));
    let types = every(Endian::Little).type_len();
    let strings = u64::from(32 + types + 20 * 4);
    let outside = |section, end, limit| Error::SectionOutOfBounds { section, end, limit };
    assert_eq!(with(Field::LayoutLen, 84), outside(Section::Layout, strings + 4, strings));
    assert_eq!(with(Field::LayoutLen, 79), Error::Misaligned { section: Section::Layout, found: 79 });
    assert_eq!(
        with(Field::LayoutOff, types - 4),
        outside(Section::Types, u64::from(32 + types), u64::from(32 + types - 4))
    );
    assert_eq!(
        with(Field::LayoutLen, u32::MAX),
        outside(Section::Layout, u64::from(types) + 32 + 0xffff_ffff, strings)
    );
}

#[test]
fn hdr_len_of_ascii_zeros_or_none() {
    for found in [0x3030_3030, 0, 1, 23, u32::MAX] {
        let len = every(Endian::Little).bytes().len();
        let error = fault(|endian| every(endian).with_field(Field::HdrLen, found));
        assert_eq!(error, Error::Header(HeaderError::Len { found, len }));
    }
    let all = every(Endian::Little).bytes().len() as u32;
    assert_eq!(
        fault(|endian| every(endian).with_field(Field::HdrLen, all + 1)),
        Error::Header(HeaderError::Len { found: all + 1, len: all as usize })
    );
}

#[test]
fn fewer_bytes_than_a_header() {
    let bytes = every(Endian::Little).bytes();
    for len in 0..24 {
        assert_eq!(
            Btf::parse(&bytes[..len]).err(),
            Some(Error::Header(HeaderError::TooShort { len })),
            "{len}"
        );
    }
    for len in 24..bytes.len() {
        assert!(Btf::parse(&bytes[..len]).is_err(), "{len}");
    }
}

#[test]
fn not_btf() {
    assert_eq!(
        fault(|endian| every(endian).with_field(Field::Version, 2)),
        Error::Header(HeaderError::Version { found: 2 })
    );
    assert_eq!(
        fault(|endian| every(endian).with_field(Field::Version, 0)),
        Error::Header(HeaderError::Version { found: 0 })
    );
    assert_eq!(
        fault(|endian| every(endian).with_field(Field::Flags, 1)),
        Error::Header(HeaderError::Flags { found: 1 })
    );
    let mut bytes = every(Endian::Little).bytes();
    bytes[..2].copy_from_slice(b"\x7fE");
    assert_eq!(Btf::parse(&bytes).err(), Some(Error::Header(HeaderError::Magic { found: [0x7f, b'E'] })));
    bytes[..2].copy_from_slice(&[0x9f, 0x9f]);
    assert_eq!(Btf::parse(&bytes).err(), Some(Error::Header(HeaderError::Magic { found: [0x9f, 0x9f] })));
}

#[test]
fn a_field_to_come_that_is_not_zero() {
    let mut tail = [0; 40];
    tail[11] = 7;
    assert_eq!(
        fault(|endian| every(endian).header_tail(&tail)),
        Error::Header(HeaderError::Tail { offset: 24 + 11, found: 7 })
    );
}

#[test]
fn sections_that_end_behind_2_to_the_32() {
    let len = every(Endian::Little).bytes().len() as u64;
    let types = u64::from(24 + every(Endian::Little).type_len());
    let outside = |section, end, limit| Error::SectionOutOfBounds { section, end, limit };
    let strings = |off, len| {
        fault(move |endian| every(endian).with_field(Field::StrOff, off).with_field(Field::StrLen, len))
    };
    assert_eq!(strings(0xffff_fff0, 0x20), outside(Section::Strings, 24 + 0x1_0000_0010, len));
    assert_eq!(strings(u32::MAX, u32::MAX), outside(Section::Strings, 24 + 0x1_ffff_fffe, len));
    assert_eq!(strings(0xffff_ffe8, 0x18), outside(Section::Strings, 24 + 0x1_0000_0000, len));
    let with = |field, value| fault(|endian| every(endian).with_field(field, value));
    assert_eq!(with(Field::TypeLen, u32::MAX), outside(Section::Types, 24 + 0xffff_ffff, types));
    assert_eq!(with(Field::TypeOff, 0xffff_fffc), outside(Section::Types, types + 0xffff_fffc, types));
    assert_eq!(with(Field::TypeLen, (types - 24 + 4) as u32), outside(Section::Types, types + 4, types));
    assert_eq!(
        fault(|endian| every(endian).gaps(&[0; 2], &[0; 2], b"")),
        Error::Misaligned { section: Section::Types, found: 2 }
    );
}

#[test]
fn strings_without_a_nul_at_either_end() {
    let strings = 24 + every(Endian::Little).type_len() as usize;
    let end = strings + every(Endian::Little).string_len() as usize;
    let unended = |endian| {
        let mut writer = every(endian);
        writer.raw_strings(b"abc");
        writer
    };
    assert_eq!(fault(unended), Error::LastString { offset: end + 2, found: b'c' });
    let shorter = |endian| every(endian).with_field(Field::StrLen, (end - strings - 1) as u32);
    assert_eq!(fault(shorter), Error::LastString { offset: end - 2, found: b'E' });
    let late = |endian| every(endian).with_field(Field::StrOff, (strings + 1 - 24) as u32);
    let late = |endian| late(endian).with_field(Field::StrLen, (end - strings - 1) as u32);
    assert_eq!(fault(late), Error::FirstString { offset: strings + 1, found: b'i' });
    assert_eq!(fault(|endian| BtfWriter::new(endian).with_field(Field::StrLen, 0)), Error::NoStrings);
}

/// The names of a type and of the elements of every kind that names them.
#[test]
fn name_off_at_and_behind_the_end_of_the_strings() {
    let writer = every(Endian::Little);
    let end = writer.string_len();
    for (id, words) in [
        (1, &[0][..]),
        (4, &[0, 3, 6, 9]),
        (5, &[0, 3, 6]),
        (6, &[0, 3, 5]),
        (8, &[0]),
        (13, &[0, 3, 5]),
        (15, &[0]),
        (19, &[0, 3]),
    ] {
        for &word in words {
            for found in [end, end + 1, 0x7fff_ffff, u32::MAX] {
                let offset = 24 + writer.offset(id) as usize + word * 4;
                assert_eq!(
                    fault(|endian| every(endian).with_word(id, word, found)),
                    Error::NameOutOfBounds { id: TypeId(id), offset, found, end }
                );
            }
            sound(|endian| every(endian).with_word(id, word, end - 1));
        }
    }
    // Words that are no names may have any value.
    sound(|endian| {
        every(endian).with_word(15, 3, u32::MAX).with_word(3, 3, u32::MAX).with_word(6, 4, u32::MAX)
    });
}

/// The kinds that each reader was late to learn.
#[test]
fn every_kind_up_to_enum64_is_known() {
    sound(every);
    for endian in BOTH {
        let bytes =
            samples::of(endian, &[Record::new(kind::ENUM64, "wide", 8).enumerator64("V", 1 << 40)]).bytes();
        let btf = Btf::parse(&bytes).expect("is sound");
        let Some(Shape::Enum(values)) = btf.types().next().map(|found| found.shape()) else {
            panic!("an enum")
        };
        assert_eq!(values.map(|value| value.value).collect::<Vec<_>>(), [1 << 40]);
    }
}

/// Without a layout nobody knows where the next type begins; guessing does harm.
#[test]
fn a_later_kind_without_a_layout() {
    let later =
        |number| move |endian| samples::of(endian, &[Record::int("int", 4), Record::new(number, "later", 0)]);
    for number in [0, 20, 21, 31, 32, 0x7f] {
        let expected = Error::UnknownKind { id: TypeId(2), offset: 24 + 16, found: number };
        assert_eq!(fault(later(number)), expected);
        assert_eq!(
            fault(|endian| later(number)(endian).layout(samples::layout(&[]))),
            expected_behind(expected, 8)
        );
    }
    sound(|endian| later(20)(endian).layout(samples::layout(&[(0, 0)])));
    // A layout says nothing of kind 0, which has no record.
    let expected = Error::UnknownKind { id: TypeId(2), offset: 32 + 16, found: 0 };
    assert_eq!(fault(|endian| later(0)(endian).layout(samples::layout(&[(0, 0)]))), expected);
}

/// The same fault in a file whose header is longer.
fn expected_behind(error: Error, more: usize) -> Error {
    match error {
        Error::UnknownKind { id, offset, found } => Error::UnknownKind { id, offset: offset + more, found },
        other => other,
    }
}

/// Five bits of it are those of an integer, and so four readers took it for one.
#[test]
fn kind_0x41_is_no_integer() {
    let later = |endian| samples::of(endian, &[Record { kind: 0x41, ..Record::int("int", 4) }]);
    assert_eq!(fault(later), Error::UnknownKind { id: TypeId(1), offset: 24, found: 0x41 });
    for endian in BOTH {
        let mut layout = samples::layout(&[]);
        layout.resize(0x42, KindLayout { info_size: 4, element_size: 0, flags: 0 });
        let bytes = later(endian).layout(layout).bytes();
        let btf = Btf::parse(&bytes).expect("is sound");
        let found = btf.type_by_id(TypeId(1)).expect("is there");
        assert_eq!((found.kind(), found.record().len()), (Kind::Other(0x41), 16));
        assert!(matches!(found.shape(), Shape::Other(Kind::Other(0x41))));
    }
}

#[test]
fn vlen_past_the_end_of_the_types() {
    for (id, vlen) in [(4, 4), (5, 3), (6, 3), (13, 3), (15, 2), (19, 2), (19, 0xffff), (19, 0xff_ffff)] {
        // The type is the last, so that no other is taken for its elements.
        let record = samples::every_kind().swap_remove(id - 1);
        let element = u64::from(samples::layout(&[])[id].element_size);
        let make = |endian| samples::of(endian, &[Record::int("int", 4), Record { vlen, ..record.clone() }]);
        let left = make(Endian::Little).type_len() as usize - 16;
        let len = 12 + u64::from(vlen) * element;
        assert!(len > left as u64);
        assert_eq!(fault(make), Error::RecordOutOfBounds { id: TypeId(2), offset: 24 + 16, len, left });
    }
    // Records that are cut, in the head and behind it.
    for (left, len) in [(1, 12), (4, 12), (11, 12), (12, 16), (15, 16)] {
        let make = |endian| {
            let record = samples::of(endian, &[Record::int("int", 4)]).bytes()[24..24 + left].to_vec();
            let mut writer = samples::of(endian, &[Record::int("int", 4)]);
            writer.push_raw(&record);
            writer
        };
        assert_eq!(fault(make), Error::RecordOutOfBounds { id: TypeId(2), offset: 24 + 16, len, left });
    }
    let later = Record { vlen: 3, ..Record::new(20, "later", 0).with([Word::Bytes(vec![0; 12])]) };
    let make = |endian| samples::of(endian, std::slice::from_ref(&later)).layout(samples::layout(&[(1, 5)]));
    assert_eq!(fault(make), Error::RecordOutOfBounds { id: TypeId(1), offset: 32, len: 28, left: 24 });
}

/// Of the same contents, with the same answers.
#[test]
fn a_byte_swapped_file_is_the_same() {
    for layout in [false, true] {
        let [little, big] = BOTH.map(|endian| match layout {
            true => every(endian).layout(samples::layout(&[])).bytes(),
            false => every(endian).bytes(),
        });
        assert_eq!(swap::swapped(&little), big);
        let [one, other] = [&little, &big].map(|bytes| Btf::parse(bytes).expect("is sound"));
        assert_eq!((one.endian(), other.endian()), (Endian::Little, Endian::Big));
        for (one, other) in one.types().zip(other.types()) {
            assert_eq!(
                format!("{:?}", (one, one.name(), one.vlen())),
                format!("{:?}", (other, other.name(), other.vlen()))
            );
        }
    }
    let [little, big] = BOTH.map(|endian| every(endian).bytes());
    let base = Btf::parse(&little).expect("is sound");
    let split = BtfWriter::over(&every(Endian::Big)).bytes();
    assert_eq!(Btf::split(&base, &split).err(), Some(Error::BaseEndian));
    let base = Btf::parse(&big).expect("is sound");
    assert!(Btf::split(&base, &split).is_ok());
}

#[test]
fn errors_say_what_and_where() {
    let said = |make: &dyn Fn(Endian) -> BtfWriter| fault(make).to_string();
    for (text, parts) in [
        (said(&|endian| every(endian).with_field(Field::HdrLen, 0x3030_3030)), &["0x30303030"][..]),
        (said(&|endian| every(endian).with_word(8, 0, u32::MAX)), &["type 8", "0xffffffff"]),
        (said(&|endian| samples::of(endian, &[Record::new(20, "later", 0)])), &["type 1", "0x18", "kind 20"]),
    ] {
        assert!(parts.iter().all(|part| text.contains(part)), "{text}");
    }
}

/// Names of a mebibyte, of as many integers as there is room for: none is read to its end to see whether it is a
/// `long`.
#[test]
fn integers_with_names_without_end() {
    let mut writer = BtfWriter::new(Endian::Little);
    let name_off = writer.string(&b"long ".repeat(1 << 18));
    for _ in 0..20_000 {
        writer.push_at(name_off, &Record::int("", 4));
    }
    let bytes = writer.bytes();
    assert_eq!(Btf::parse(&bytes).map(|btf| (btf.own_len(), btf.pointer_size())), Ok((20_000, 8)));
}

/// Nor to hash it; names that differ behind what is hashed are told apart.
#[test]
fn an_index_of_names_without_end() {
    let mut writer = BtfWriter::new(Endian::Little);
    let long = b"n".repeat(1 << 20);
    let name_off = writer.string(&long);
    for _ in 0..20_000 {
        writer.push_at(name_off, &Record::int("", 4));
    }
    for last in ["a", "b"] {
        writer.push(&Record::int([&long[..300], last.as_bytes()].concat(), 4));
    }
    let bytes = writer.bytes();
    let mut offsets = vec![0; 20_002];
    let btf = Btf::parse_with_offsets(&bytes, &mut offsets).expect("BTF");
    let mut words = vec![0; HashIndex::words(&btf)];
    let index = HashIndex::build(btf, &mut words).expect("an index");
    assert_eq!(index.find_id(&long, Kind::Int), Some(TypeId(1)));
    for (last, id) in [("a", 20_001), ("b", 20_002)] {
        let name = [&long[..300], last.as_bytes()].concat();
        assert_eq!(index.find_id(&name, Kind::Int), Some(TypeId(id)));
        assert_eq!(index.find_all(&name).count(), 1);
    }
    assert_eq!(index.find_id(&long[..300], Kind::Int), None);
}

/// A `long` tells how long a pointer is, in whichever way it is written, and nothing else does.
#[test]
fn a_long_is_as_long_as_a_pointer() {
    for (name, expected) in [
        ("long", 4),
        ("long int", 4),
        ("unsigned long", 4),
        ("long unsigned int", 4),
        ("unsigned long int", 4),
        ("int", 8),
        ("long long", 8),
        ("long longer", 8),
        ("long unsigned int ", 8),
        ("long unsigned ints", 8),
        ("long unsigned int x", 8),
        ("", 8),
    ] {
        let bytes = samples::of(Endian::Big, &[Record::int("int", 4), Record::int(name, 4)]).bytes();
        assert_eq!(Btf::parse(&bytes).map(|btf| btf.pointer_size()), Ok(expected), "{name:?}");
    }
}
