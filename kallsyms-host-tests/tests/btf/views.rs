//! Every type through the view of its kind, against the slow reader's words.

use kallsyms_core::btf::{Btf, Kind, Shape, TypeId};
use kallsyms_host_tests::btf::record::{NAMES, Record, Word, kind};
use kallsyms_host_tests::btf::{BtfWriter, Decoded, samples, words};

use crate::inputs;

/// Every own type, and what the whole says of itself.
pub(crate) fn check(btf: &Btf<'_>, decoded: &Decoded) {
    assert_eq!((btf.start_id(), btf.end_id()), (TypeId(decoded.first_id), TypeId(decoded.end_id())));
    assert_eq!(btf.own_len() as usize, decoded.records.len());
    let named = decoded.records.iter().filter(|record| !record.name.is_empty());
    assert_eq!(btf.named_len() as usize, named.count());
    assert_eq!(btf.endian(), decoded.endian);
    assert_eq!(btf.types().len(), decoded.records.len());
    let mut types = btf.types();
    let ends = decoded.offsets.iter().skip(1).map(|&offset| offset as usize).chain([btf.types_len()]);
    for ((((id, record), &offset), end), &name_off) in
        decoded.types().zip(&decoded.offsets).zip(ends).zip(&decoded.name_offs)
    {
        let found = types.next().expect("there is one more");
        assert_eq!((found.id(), found.kind().number()), (TypeId(id), record.kind));
        assert_eq!((found.name(), found.name_off()), (&record.name[..], name_off), "type {id}");
        assert_eq!((found.vlen(), found.kflag()), (record.vlen, record.kflag), "type {id}");
        assert_eq!((found.size_or_type(), found.offset()), (record.size_or_type, offset), "type {id}");
        assert_eq!(found.record().len(), end - offset as usize, "type {id}");
        assert!(std::ptr::eq(found.btf(), btf));
        check_shape(id, found.shape(), record);
    }
    assert!(types.next().is_none());
}

fn check_shape(id: u32, shape: Shape<'_>, record: &Record) {
    let number = |at: usize| record.words[at].number();
    let refers = TypeId(record.size_or_type);
    let elements = || record.elements();
    match (record.kind, shape) {
        (kind::INT, Shape::Int(int)) => {
            let word = number(0);
            let encoding = word >> 24;
            assert_eq!(int.size, record.size_or_type);
            assert_eq!((u32::from(int.bits), u32::from(int.bit_offset)), (word & 0xff, word >> 16 & 0xff));
            assert_eq!(
                (int.signed, int.char, int.bool),
                (encoding & 1 != 0, encoding & 2 != 0, encoding & 4 != 0)
            );
        }
        (kind::ARRAY, Shape::Array(array)) => {
            assert_eq!(
                (array.element, array.index, array.len),
                (TypeId(number(0)), TypeId(number(1)), number(2))
            );
        }
        (kind::STRUCT, Shape::Struct(members)) | (kind::UNION, Shape::Union(members)) => {
            assert_eq!((members.len(), members.count()), (elements().count(), elements().count()));
            for (member, words) in members.zip(elements()) {
                let place = words[2].number();
                let (offset, bits) = if record.kflag { (place & 0xff_ffff, place >> 24) } else { (place, 0) };
                assert_eq!(
                    (member.name, member.type_id.0),
                    (words[0].name(), words[1].number()),
                    "type {id}"
                );
                assert_eq!((member.bit_offset, u32::from(member.bit_size)), (offset, bits), "type {id}");
            }
        }
        (kind::ENUM | kind::ENUM64, Shape::Enum(values)) => {
            assert_eq!(values.is_signed(), record.kflag);
            assert_eq!((values.len(), values.count()), (elements().count(), elements().count()));
            for (value, words) in values.zip(elements()) {
                let expected = match words {
                    [_, low, high] => u64::from(high.number()) << 32 | u64::from(low.number()),
                    [_, one] if record.kflag => i64::from(one.number().cast_signed()).cast_unsigned(),
                    [_, one] => u64::from(one.number()),
                    other => panic!("{other:?}"),
                };
                assert_eq!((value.name, value.value), (words[0].name(), expected), "type {id}");
            }
        }
        (kind::FUNC_PROTO, Shape::FuncProto { result, params }) => {
            assert_eq!(
                (result, params.len(), params.count()),
                (refers, elements().count(), elements().count())
            );
            for (param, words) in params.zip(elements()) {
                assert_eq!((param.name, param.type_id.0), (words[0].name(), words[1].number()), "type {id}");
            }
        }
        (kind::DATASEC, Shape::DataSec(variables)) => {
            assert_eq!((variables.len(), variables.count()), (elements().count(), elements().count()));
            for (variable, words) in variables.zip(elements()) {
                let found = [variable.type_id.0, variable.offset, variable.size];
                assert_eq!(found, [0, 1, 2].map(|at: usize| words[at].number()), "type {id}");
            }
        }
        (kind::FUNC, Shape::Func { proto, linkage }) => assert_eq!((proto, linkage), (refers, record.vlen)),
        (kind::VAR, Shape::Var { type_id, linkage }) => assert_eq!((type_id, linkage), (refers, number(0))),
        (kind::DECL_TAG, Shape::DeclTag { target, component }) => {
            assert_eq!((target, component.cast_unsigned()), (refers, number(0)));
        }
        (kind::FWD, Shape::Forward { union }) => assert_eq!(union, record.kflag),
        (kind::FLOAT, Shape::Float { size }) => assert_eq!(size, record.size_or_type),
        (kind::PTR, Shape::Pointer(target))
        | (kind::TYPEDEF, Shape::Typedef(target))
        | (kind::VOLATILE, Shape::Volatile(target))
        | (kind::CONST, Shape::Const(target))
        | (kind::RESTRICT, Shape::Restrict(target))
        | (kind::TYPE_TAG, Shape::TypeTag(target)) => assert_eq!(target, refers),
        (20.., Shape::Other(kind)) => assert_eq!(kind.number(), record.kind),
        (kind, shape) => panic!("type {id} of kind {kind} is seen as {shape:?}"),
    }
}

/// Every type of every real BTF of this machine, in both byte orders.
#[test]
fn of_every_real_type() {
    let inputs = inputs::all("of_every_real_type");
    for input in &inputs {
        input.open(|btf| {
            check(btf, &input.decoded);
            let mut room = vec![0; btf.own_len() as usize];
            assert_eq!(btf.with_offsets(&mut room).check_references(), Ok(()), "{}", input.name);
        });
        if let Some((base, decoded)) = &input.base {
            check(&Btf::parse(base).expect("is sound"), decoded);
        }
    }
}

/// Every number with offsets that leave 0, 1, 3 and so on types to step over.
#[test]
fn by_number_of_every_real_type() {
    for input in inputs::all("by_number_of_every_real_type") {
        input.open(|btf| {
            let (len, end) = (btf.own_len() as usize, btf.end_id().0);
            for room in [len, len.div_ceil(2), len.div_ceil(8) + 1, len.div_ceil(64)] {
                let mut room = vec![u32::MAX; room];
                let btf = btf.with_offsets(&mut room);
                for (found, id) in btf.types().zip(btf.start_id().0..) {
                    assert_eq!(btf.type_by_id(TypeId(id)), Some(found), "{}", input.name);
                }
                assert_eq!((btf.type_by_id(TypeId(end)), btf.type_by_id(TypeId(u32::MAX))), (None, None));
                assert_eq!(btf.type_by_id(TypeId::VOID).map(|void| void.kind()), Some(Kind::Void));
            }
        });
    }
}

#[test]
fn of_every_kind() {
    let records = samples::every_kind();
    for endian in [words::native(), words::other(words::native())] {
        let writer = samples::of(endian, &records);
        let mut split = BtfWriter::over(&writer);
        for record in &records {
            split.push(record);
        }
        let bytes = writer.bytes();
        let decoded = Decoded::read(&bytes, None).expect("is sound");
        let base = Btf::parse(&bytes).expect("is sound");
        check(&base, &decoded);
        assert!(base.base().is_none());
        let bytes = split.bytes();
        let split = Btf::split(&base, &bytes).expect("is sound");
        check(&split, &Decoded::read(&bytes, Some(&decoded)).expect("is sound"));
        assert_eq!(split.base().map(Btf::as_bytes), Some(base.as_bytes()));
        for id in 1..20 {
            let found = split.type_by_id(TypeId(id)).expect("is in the base");
            assert_eq!((found.id(), found.kind()), (TypeId(id), Kind::from_number(id as u8)));
            assert_eq!(found.name(), records[id as usize - 1].name);
        }
        let void = split.type_by_id(TypeId::VOID).expect("is everywhere");
        assert!(matches!(void.shape(), Shape::Void));
        assert_eq!((void.name(), void.record(), void.id()), (&b""[..], &b""[..], TypeId::VOID));
    }
}

/// 24 bits of `vlen` and 7 of the kind: more elements than older readers count.
#[test]
fn of_more_elements_than_16_bits_count() {
    let mut large = Record::new(kind::ENUM64, "large", 8);
    for value in 0..0x1_0003_u64 {
        large = large.enumerator64("V", value << 30);
    }
    let func = Record::func("linkage", 1, 0xff_fffe);
    let flags = Record { vlen: 0xff_ffff, ..Record::new(kind::INT, "of_int", 4).with([Word::Plain(32)]) };
    for endian in [words::native(), words::other(words::native())] {
        let writer = samples::of(endian, &[large.clone(), func.clone(), flags.clone()]);
        let bytes = writer.bytes();
        check(&Btf::parse(&bytes).expect("is sound"), &Decoded::read(&bytes, None).expect("is sound"));
    }
}

/// A kind that only the layout section measures: its records are stepped over, and their bytes are there.
#[test]
fn of_a_later_kind() {
    let later = |kind, len: u8, vlen| Record {
        vlen,
        ..Record::new(kind, "later", 7).with([Word::Bytes((0..len).collect())])
    };
    let records =
        [later(20, 20, 2), Record::int("int", 4), later(21, 0, 5), later(0x41, 4, 0), Record::int("last", 8)];
    let mut layout = vec![(4, 8), (0, 0)];
    layout.resize(0x41 - 20, (1, 1));
    layout.push((4, 4));
    for endian in [words::native(), words::other(words::native())] {
        let writer = samples::of(endian, &records).layout(samples::layout(&layout));
        let bytes = writer.bytes();
        let decoded = Decoded::read(&bytes, None).expect("is sound");
        let base = Btf::parse(&bytes).expect("is sound");
        check(&base, &decoded);
        assert_eq!(base.types().next().map(|found| found.record().len()), Some(32));
        // A split without a layout has that of its base.
        let mut split = BtfWriter::over(&writer);
        for record in &records {
            split.push(record);
        }
        let bytes = split.bytes();
        check(
            &Btf::split(&base, &bytes).expect("is sound"),
            &Decoded::read(&bytes, Some(&decoded)).expect("is sound"),
        );
    }
}

#[test]
fn names_of_kinds() {
    for (number, name) in (0..).zip(NAMES).skip(1) {
        let kind = Kind::from_number(number);
        assert_eq!((kind.to_string().as_str(), kind.number()), (name, number));
        assert_eq!(Kind::from_name(&name.to_lowercase()), Some(kind));
    }
    for number in 20..=0x7f {
        assert_eq!(Kind::from_number(number), Kind::Other(number));
    }
    assert_eq!((Kind::from_name("STRUCT"), Kind::from_name("")), (None, None));
}
