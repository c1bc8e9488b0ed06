//! Names that other readers do not find, or find wrongly.

use kallsyms_core::btf::{Btf, Find, HashIndex, IndexError, Kind, SortedBtf, TypeId, Unsorted};
use kallsyms_host_tests::btf::record::{Record, kind};
use kallsyms_host_tests::btf::{BtfWriter, Decoded, samples, words};

use crate::inputs;
use crate::oracle::{Oracle, Searched, WAYS, Way};

/// The kinds that are asked for.
const KINDS: [u8; 7] = [kind::VOID, kind::INT, kind::STRUCT, kind::TYPEDEF, kind::FUNC, kind::DECL_TAG, 20];

/// Finds these and their like, in every way, in a file that is in the order of its names and in one that is not.
fn found(records: &[Record], more: &[&[u8]]) {
    let mut sorted = records.to_vec();
    sorted.sort_by(|one, next| one.name.cmp(&next.name));
    let mut reversed = sorted.clone();
    reversed.reverse();
    for records in [sorted, reversed] {
        for endian in [words::native(), words::other(words::native())] {
            let bytes = samples::of(endian, &records).bytes();
            let oracle = Oracle::new([&Decoded::read(&bytes, None).expect("is sound")]);
            let names: Vec<&[u8]> =
                records.iter().map(|record| &record.name[..]).chain(more.iter().copied()).collect();
            let mut ways = 0;
            for way in WAYS {
                for stride in [0, 1, 3] {
                    let mut room = vec![0; records.len().checked_div(stride).unwrap_or_default()];
                    let mut index = Vec::new();
                    let btf = Btf::parse(&bytes).expect("is sound").with_offsets(&mut room);
                    let Some(searched) = Searched::new(btf, way, &mut index) else { continue };
                    searched.check(&oracle, &names, &KINDS);
                    ways += 1;
                }
            }
            assert!(ways >= 6);
        }
    }
}

fn structs(names: &[&str]) -> Vec<Record> {
    names.iter().map(|name| Record::new(kind::STRUCT, name, 0)).collect()
}

/// Names of other languages, and of whatever.
#[test]
fn names_that_are_not_of_c() {
    let names = [
        "*int",
        "Foo<u8>",
        "Foo<u8>::bar",
        "*",
        "<>",
        "a b",
        "\u{e9}t\u{e9}",
        "\u{1}",
        "$",
        "struct node",
        "void *",
    ];
    found(&structs(&names), &[b"Foo<u8", b"Foo<u8>:", b"int", b"*in", b"*intt", b"\xff", b"a", b"a "]);
    found(
        &[Record::new(kind::STRUCT, [0xff, 0xfe, 0x80], 0), Record::new(kind::FUNC, [0x80], 0)],
        &[b"\xff", b"\xff\xfe"],
    );
}

#[test]
fn names_longer_than_buffers() {
    let lens = [1, 7, 8, 9, 63, 64, 65, 126, 127, 128, 129, 255, 256, 257, 510, 511, 512, 513, 1_023, 5_000];
    let names: Vec<String> = lens.iter().map(|&len| "n".repeat(len)).collect();
    let near: Vec<String> =
        lens.iter().flat_map(|&len| ["n".repeat(len - 1) + "m", "n".repeat(len) + "o"]).collect();
    let names: Vec<&str> = names.iter().chain(&near).map(String::as_str).collect();
    let misses: Vec<Vec<u8>> = lens.iter().map(|&len| [&vec![b'n'; len - 1][..], b"x"].concat()).collect();
    let misses: Vec<&[u8]> = misses.iter().map(Vec::as_slice).collect();
    found(&structs(&names), &misses);
}

/// The lowest number of a name and kind, whatever is between.
#[test]
fn the_first_of_many_of_one_name() {
    let of = |kind| move |name: &&str| Record::new(kind, name, 0);
    let names = ["a", "b", "a", "", "b", "a", "", "void", "ab"];
    let records: Vec<Record> = names
        .iter()
        .map(of(kind::STRUCT))
        .chain(names.iter().map(of(kind::TYPEDEF)))
        .chain(names.iter().map(|name| Record::decl_tag(name, 1, -1)))
        .chain(names.iter().map(of(kind::STRUCT)))
        .collect();
    found(&records, &[b"", b"c", b"void", b"aa", b"abc"]);
    // One name alone, and none.
    found(&structs(&["a"; 50]), &[b"", b"b", b"A"]);
    found(&structs(&[""; 50]), &[b"", b"b"]);
    found(&structs(&["", "a"]), &[b"b"]);
    found(&structs(&["a"]), &[b"b", b""]);
    found(&[], &[b"b", b"", b"void"]);
}

/// To libbpf, and so here, `void` is type 0 whatever the kind, and so is anything of kind 0.
#[test]
fn void_is_type_0() {
    let bytes = samples::of(words::native(), &structs(&["void", "a"])).bytes();
    let btf = Btf::parse(&bytes).expect("is sound");
    assert_eq!(btf.find_id("void", Kind::Struct), Some(TypeId::VOID));
    assert_eq!(btf.find_id("anything", Kind::Void), Some(TypeId::VOID));
    assert_eq!(btf.find_all("void").map(|found| found.id().0).collect::<Vec<_>>(), [1]);
}

/// A name with a NUL in it is that of no type, though the bytes are there: `a`, NUL, `b`.
#[test]
fn a_nul_is_part_of_no_name() {
    let names: [&[u8]; 5] = [b"a\0b", b"a\0", b"\0", b"\0a", b"b\0"];
    found(&structs(&["a", "b", "c"]), &names);
    let bytes = samples::of(words::native(), &structs(&["a", "b"])).bytes();
    let btf = Btf::parse(&bytes).expect("is sound");
    let mut words = vec![0; HashIndex::words(&btf)];
    let (sorted, index) =
        (SortedBtf::new(btf).expect("is sorted"), HashIndex::build(btf, &mut words).expect("fits"));
    for name in names {
        let mut out = [None; 1];
        assert_eq!(
            (btf.find_all(name).count(), sorted.find_all(name).count(), index.find_all(name).count()),
            (0, 0, 0)
        );
        assert_eq!(index.find_many(&[(name, Kind::Struct)], &mut out), 0);
    }
}

/// Offsets into the middle of a longer string: two types of names that share their bytes.
#[test]
fn names_that_are_the_ends_of_others() {
    for endian in [words::native(), words::other(words::native())] {
        let mut writer = BtfWriter::new(endian);
        let whole = writer.string(b"super_node");
        for at in [whole + 10, whole + 6, whole + 6, whole] {
            writer.push_at(at, &Record::new(kind::STRUCT, "", 0));
        }
        let bytes = writer.bytes();
        let oracle = Oracle::new([&Decoded::read(&bytes, None).expect("is sound")]);
        for way in WAYS {
            let mut index = Vec::new();
            let btf = Btf::parse(&bytes).expect("is sound");
            let searched = Searched::new(btf, way, &mut index).expect("is sorted");
            searched.check(&oracle, &[b"node", b"super_node", b"", b"ode", b"super"], &KINDS);
        }
    }
}

/// A typedef of a split, whose name is a string of the base: it is found, and without the base's strings it has none.
#[test]
fn a_split_typedef_named_from_base_strings() {
    let base_writer = samples::of(words::native(), &samples::every_kind());
    let mut writer = BtfWriter::over(&base_writer);
    for record in [Record::new(kind::TYPEDEF, "node", 4), Record::new(kind::TYPEDEF, "number", 1)] {
        writer.push(&record);
    }
    assert_eq!(writer.string_len(), 0);
    let (base, bytes) = (base_writer.bytes(), writer.bytes());
    let base = Btf::parse(&base).expect("is sound");
    for way in WAYS {
        let mut index = Vec::new();
        let split = Btf::split(&base, &bytes).expect("is sound");
        let split = Searched::new(split, way, &mut index).expect("is sorted");
        let ids = |name: &str, kind| match &split {
            Searched::Linear(btf) => {
                (btf.find_id(name, kind), btf.find_own(name, kind).map(|found| found.id()))
            }
            Searched::Sorted(btf) => {
                (btf.find_id(name, kind), btf.find_own(name, kind).map(|found| found.id()))
            }
            Searched::Indexed(btf) => {
                (btf.find_id(name, kind), btf.find_own(name, kind).map(|found| found.id()))
            }
        };
        assert_eq!(ids("node", Kind::Typedef), (Some(TypeId(20)), Some(TypeId(20))), "{way:?}");
        assert_eq!(ids("number", Kind::Typedef), (Some(TypeId(21)), Some(TypeId(21))), "{way:?}");
        assert_eq!(ids("node", Kind::Struct), (Some(TypeId(4)), None), "{way:?}");
        assert_eq!(ids("number", Kind::Struct), (None, None), "{way:?}");
    }
}

/// The tag of a whole function, and of nothing else.
#[test]
fn kfuncs_are_tagged_functions() {
    let records = [
        Record::new(kind::FUNC_PROTO, "", 0).param("one", 0),
        Record::func("yes", 1, 1),
        Record::new(kind::STRUCT, "no", 0),
        Record::decl_tag("bpf_kfunc", 3, -1),
        Record::decl_tag("bpf_kfunc", 2, -1),
        Record::decl_tag("bpf_kfunc", 2, 0),
        Record::decl_tag("bpf_fastcall", 2, -1),
        Record::decl_tag("bpf_kfunc", 99, -1),
        Record::new(kind::TYPE_TAG, "bpf_kfunc", 2),
    ];
    found(&records, &[b"bpf_kfunc"]);
    let bytes = samples::of(words::native(), &records).bytes();
    let names = Btf::parse(&bytes)
        .expect("is sound")
        .kfuncs()
        .map(|found| found.name() == b"yes")
        .collect::<Vec<_>>();
    assert_eq!(names, [true]);
    for input in inputs::all("names::kfuncs_are_tagged_functions") {
        let oracle = Oracle::new(input.base.iter().map(|(_, base)| base).chain([&input.decoded]));
        let tags = input.decoded.records.iter().filter(|record| record.name == b"bpf_kfunc");
        assert_eq!(oracle.kfuncs().len(), tags.count(), "{}: a kernel tags functions alone", input.name);
    }
}

#[test]
fn order_is_believed_only_when_checked() {
    for (names, out_of_order) in [
        (&["", "", "a", "a", "b"][..], None),
        (&["a", ""], Some(2)),
        (&["a", "b", "c", "bb"], Some(4)),
        (&["b", "a", "c"], Some(2)),
        (&["aaaaaaaa\u{1}", "aaaaaaaa"], Some(2)),
        (&["aaaaaaaa", "aaaaaaaa\u{1}"], None),
        // Byte order is not that of signed bytes, nor of letters.
        (&["Z", "a", "\u{e9}"], None),
        (&["\u{e9}", "z"], Some(2)),
        (&["a", "Z"], Some(2)),
        (&[], None),
    ] {
        let base = samples::of(words::native(), &structs(&["z", "a"]));
        let mut split = BtfWriter::over(&base);
        for record in structs(names) {
            split.push(&record);
        }
        let (base, split) = (base.bytes(), split.bytes());
        let alone = samples::of(words::native(), &structs(names)).bytes();
        let alone = Btf::parse(&alone).expect("is sound");
        let base = Btf::parse(&base).expect("is sound");
        let split = Btf::split(&base, &split).expect("is sound");
        assert_eq!(
            SortedBtf::new(alone).err(),
            out_of_order.map(|id| Unsorted { id: TypeId(id) }),
            "{names:?}"
        );
        assert_eq!(
            SortedBtf::new(split).err(),
            out_of_order.map(|id| Unsorted { id: TypeId(id + 2) }),
            "{names:?}"
        );
        assert_eq!(split.is_sorted(), out_of_order.is_none());
    }
}

#[test]
fn an_index_without_room() {
    let bytes = samples::of(words::native(), &samples::every_kind()).bytes();
    let btf = Btf::parse(&bytes).expect("is sound");
    let needed = HashIndex::words(&btf);
    for len in 0..needed {
        assert_eq!(
            HashIndex::build(btf, &mut vec![0; len]).err(),
            Some(IndexError::TooShort { len, needed })
        );
    }
    assert!(HashIndex::build(btf, &mut vec![0; needed]).is_ok());
    assert!(HashIndex::build(btf, &mut vec![0; needed + 1]).is_ok());
}

/// Some names of every real BTF, with some kinds, in every way and of every kind of question; misses among them.
#[test]
fn of_every_real_type() {
    for input in inputs::all("names::of_every_real_type") {
        let records = &input.decoded.records;
        let chain = input.base.iter().map(|(_, base)| base).chain([&input.decoded]);
        let oracle = Oracle::new(chain);
        let step = (records.len() / 40).max(1);
        let mut names: Vec<&[u8]> = records.iter().step_by(step).map(|record| &record.name[..]).collect();
        names.extend([&b"no_such_name"[..], b"void", b"bpf_kfunc"]);
        let kinds = [kind::INT, kind::STRUCT, kind::FUNC];
        input.open(|btf| {
            for way in [Way::Linear, Way::Indexed] {
                let mut index = Vec::new();
                let mut room = vec![0; records.len()];
                let searched =
                    Searched::new(btf.with_offsets(&mut room), way, &mut index).expect("needs no order");
                searched.check(&oracle, &names, &kinds);
            }
        });
    }
}
