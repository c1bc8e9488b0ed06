//! Members by name, against a recursion over the slow reader's records.

use std::collections::HashMap;

use kallsyms_core::btf::{Btf, TypeId};
use kallsyms_host_tests::btf::record::{Record, kind};
use kallsyms_host_tests::btf::{BtfWriter, Decoded, samples, sources, words};

/// The bit offset of every member of a struct by its name, the first of each.
fn members(decoded: &Decoded, id: u32, before: u32, found: &mut HashMap<Vec<u8>, u32>) {
    let Some(record) = decoded.get(id) else { return };
    if [kind::TYPEDEF, kind::CONST, kind::VOLATILE].contains(&record.kind) {
        return members(decoded, record.size_or_type, before, found);
    }
    if ![kind::STRUCT, kind::UNION].contains(&record.kind) {
        return;
    }
    for element in record.elements() {
        let place = element[2].number();
        let offset = before + if record.kflag { place & 0x00ff_ffff } else { place };
        match element[0].name() {
            [] => members(decoded, element[1].number(), offset, found),
            name => {
                found.entry(name.to_vec()).or_insert(offset);
            }
        }
    }
}

#[test]
fn of_every_struct_of_a_kernel() {
    let Some(source) = sources::kernel("of_every_struct_of_a_kernel") else { return };
    let decoded = Decoded::read(&source.bytes, None).expect("the slow reader reads it");
    let mut offsets = vec![0; source.bytes.len() / 12];
    let btf = Btf::parse_with_offsets(&source.bytes, &mut offsets).expect("is sound");
    let (mut compared, mut inside) = (0, 0);
    for (id, record) in
        decoded.types().filter(|(_, record)| [kind::STRUCT, kind::UNION].contains(&record.kind))
    {
        let mut expected = HashMap::new();
        members(&decoded, id, 0, &mut expected);
        let found = btf.type_by_id(TypeId(id)).expect("is there");
        for (name, offset) in &expected {
            assert_eq!(found.member(name).map(|member| member.bit_offset), Some(*offset), "type {id}");
        }
        compared += expected.len();
        inside += expected.len().saturating_sub(record.vlen as usize);
        assert_eq!(found.member("no_such_member"), None);
        assert_eq!(found.member(""), None);
        assert_eq!(found.size(), Some(u64::from(record.size_or_type)));
    }
    println!("{compared} members, {inside} more than their structs have themselves");
    assert!(compared > 20_000 && inside > 1_000, "{compared} {inside}");
}

/// A struct without name that holds itself twice, and one that is 40 deep.
#[test]
fn of_structs_without_end() {
    let itself = [Record::new(kind::STRUCT, "", 8).member("", 1, 0).member("", 1, 32).member("last", 2, 64)];
    let bytes = samples::of(words::native(), &[&itself[..], &[Record::int("int", 4)]].concat()).bytes();
    let btf = Btf::parse(&bytes).expect("is sound");
    assert_eq!(btf.type_by_id(TypeId(1)).expect("is there").member("last"), None);
    for (depth, expected) in [(1, Some(8)), (31, Some(8 * 31)), (32, Some(8 * 32)), (33, None), (40, None)] {
        let mut writer = BtfWriter::new(words::native());
        let int = writer.push(&Record::int("int", 4));
        let mut inner = writer.push(&Record::new(kind::STRUCT, "", 4).member("deep", int, 0));
        for _ in 0..depth {
            let record = Record::new(kind::STRUCT, "", 4).member("before", int, 0).member("", inner, 8);
            inner = writer.push(&record.member("behind", int, 99));
        }
        let bytes = writer.bytes();
        let btf = Btf::parse(&bytes).expect("is sound");
        let found = btf.type_by_id(TypeId(inner)).expect("is there");
        assert_eq!(found.member("deep").map(|member| member.bit_offset), expected, "{depth}");
        // The first of that name is in the innermost that has one.
        let behind = expected.map(|_| 8 * (depth - 1) + 99);
        assert_eq!(found.member("behind").map(|member| member.bit_offset), behind, "{depth}");
    }
}
