//! Writer, reader, byte-swapper and bpftool against each other.

use std::collections::HashMap;

use kallsyms_core::linux::Endian;

use super::record::{NAMES, Record, Word, kind, refers};
use super::writer::BtfWriter;
use super::{Decoded, ext, samples, sources, swap};
use crate::peers::bpftool;
use crate::skip::{skip, skip_peer};
use crate::tools::Folder;

const BOTH: [Endian; 2] = [Endian::Little, Endian::Big];

fn read(bytes: &[u8], base: Option<&Decoded>) -> Decoded {
    Decoded::read(bytes, base).expect("is sound")
}

fn decoded(source: &sources::Source) -> Decoded {
    let base = source.base.as_ref().map(|base| read(base, None));
    read(&source.bytes, base.as_ref())
}

#[test]
fn what_is_written_is_read() {
    let records = samples::every_kind();
    assert!(records.iter().zip(1..).all(|(record, kind)| record.kind == kind));
    for endian in BOTH {
        let writer = samples::of(endian, &records);
        let mut repeated = BtfWriter::new(endian).without_dedup();
        for record in records.iter().chain(&records) {
            repeated.push(record);
        }
        let wide = writer.clone().layout(samples::layout(&[(4, 8)])).gaps(&[0; 8], &[0; 4], b"behind");
        for (bytes, expected) in [
            (writer.bytes(), records.clone()),
            (repeated.bytes(), [&records[..], &records].concat()),
            (wide.bytes(), records.clone()),
            (writer.clone().header_tail(&[0; 17]).bytes(), records.clone()),
        ] {
            let found = read(&bytes, None);
            assert_eq!((found.endian, &found.records), (endian, &expected));
            assert!(
                expected
                    .iter()
                    .zip(&found.name_offs)
                    .all(|(record, &at)| found.string(at) == Ok(&record.name))
            );
        }
        assert_eq!(read(&writer.bytes(), None).offsets[18], writer.offset(19));
    }
}

#[test]
fn splits_of_splits() {
    for endian in BOTH {
        let base = samples::of(endian, &samples::every_kind());
        let mut first = BtfWriter::over(&base);
        assert_eq!(first.push(&Record::new(kind::TYPEDEF, "node", 4)), 20);
        assert_eq!((first.string_len(), first.first_string()), (0, base.string_len()));
        assert_eq!(first.push(&Record::new(kind::TYPEDEF, "of_first", 20)), 21);
        let mut second = BtfWriter::over(&first);
        let records = [Record::new(kind::STRUCT, "of_first", 4).member("own", 1, 0)];
        assert_eq!(second.push(&records[0]), 22);
        let base = read(&base.bytes(), None);
        let first = read(&first.bytes(), Some(&base));
        let second = read(&second.bytes(), Some(&first));
        assert_eq!((second.first_id, &second.records[..]), (22, &records[..]));
        // The same, over what was read.
        let mut again = BtfWriter::over_decoded(&first);
        again.push(&records[0]);
        assert_eq!(read(&again.bytes(), Some(&first)).records, records);
        assert_eq!(again.string_len(), 4, "of_first is the base's");
    }
}

#[test]
fn kinds_that_a_layout_alone_explains() {
    let unknown = Record { vlen: 2, ..Record::new(20, "new", 7).with([Word::Bytes((0..20).collect())]) };
    for endian in BOTH {
        let writer = samples::of(endian, &[unknown.clone(), Record::int("int", 4)]);
        assert!(Decoded::read(&writer.bytes(), None).is_err());
        let found = read(&writer.layout(samples::layout(&[(4, 8)])).bytes(), None);
        assert_eq!(found.records, [unknown.clone(), Record::int("int", 4)]);
    }
}

#[test]
fn the_other_byte_order() {
    let records = samples::every_kind();
    let [little, big] = BOTH.map(|endian| samples::of(endian, &records).bytes());
    assert_eq!((swap::swapped(&little), swap::swapped(&big)), (big, little));
    let [little, big] = BOTH.map(|endian| samples::of(endian, &records).layout(samples::layout(&[])).bytes());
    assert_eq!((swap::swapped(&little), swap::swapped(&big)), (big, little));
    for source in sources::all("the_other_byte_order") {
        let base = source.base.as_ref().map(|base| read(&swap::swapped(base), None));
        let swapped = read(&swap::swapped(&source.bytes), base.as_ref());
        let original = decoded(&source);
        assert_ne!(swapped.endian, original.endian);
        assert!(swapped.records == original.records, "{}", source.name);
    }
}

#[test]
fn ids_in_the_extension() {
    let writer = ext::ExtWriter {
        func_info: vec![ext::Section { name_off: 1, records: vec![[0, 12], [8, 13]] }],
        line_info: vec![ext::Section { name_off: 1, records: vec![[0, 1, 2, 12]] }],
        core_relo: Some(vec![
            ext::Section { name_off: 1, records: vec![[12, 12, 3, 0]] },
            ext::Section { name_off: 9, records: vec![[12, 99, 3, 0], [16, 12, 3, 0]] },
        ]),
        padding: 1,
    };
    for endian in BOTH {
        let bytes = writer.bytes(endian);
        assert_eq!(swap::swapped_ext(&swap::swapped_ext(&bytes)), bytes);
        assert_eq!(ext::with_ids(&bytes, |id| id), bytes);
        let changed = ext::ExtWriter {
            func_info: vec![ext::Section { name_off: 1, records: vec![[0, 112], [8, 113]] }],
            core_relo: Some(vec![
                ext::Section { name_off: 1, records: vec![[12, 112, 3, 0]] },
                ext::Section { name_off: 9, records: vec![[12, 199, 3, 0], [16, 112, 3, 0]] },
            ]),
            ..writer.clone()
        };
        assert_eq!(ext::with_ids(&bytes, |id| id + 100), changed.bytes(endian));
        let short = ext::ExtWriter { core_relo: None, ..writer.clone() };
        assert_eq!(short.bytes(endian).len(), bytes.len() - 8 - 4 - 2 * 8 - 3 * 20);
    }
    match sources::clang("ids_in_the_extension").map(|source| source.ext.expect("clang writes one")) {
        None => skip("ids_in_the_extension", "no .BTF.ext of a compiler"),
        Some(bytes) => {
            let mut seen = 0;
            assert_eq!(
                ext::with_ids(&bytes, |id| {
                    seen += 1;
                    id
                }),
                bytes
            );
            assert!(seen > 1);
        }
    }
}

#[test]
fn as_bpftool_reads_it() {
    let test = "as_bpftool_reads_it";
    if let Err(reason) = bpftool::present() {
        return skip_peer(test, &reason);
    }
    let folder = Folder::new();
    let writer = samples::of(super::words::native(), &samples::every_kind());
    let mut split = BtfWriter::over(&writer);
    split.push(&Record::new(kind::TYPEDEF, "of_split", 4));
    let (base, split) = (folder.file("base", &writer.bytes()), folder.file("split", &split.bytes()));
    let split = bpftool::raw(&split, Some(&base)).expect("bpftool reads it");
    assert_eq!((split[0].id, &*split[0].name, split.len()), (20, "of_split", 1));
    compare(&bpftool::raw(&base, None).expect("bpftool reads it"), &read(&writer.bytes(), None));

    for source in sources::all(test) {
        let base = source.base.as_ref().map(|base| folder.file("base", base));
        let file = folder.file("file", &source.bytes);
        let entries = bpftool::raw(&file, base.as_deref()).expect("bpftool reads it");
        compare(&entries, &decoded(&source));
        let definitions = bpftool::c(&file, base.as_deref()).expect("bpftool prints it");
        let sample = ["gcc -gbtf", "pahole -J"].contains(&&*source.name);
        for key in ["struct node", "union either", "enum color", "typedef callback_t", "typedef row_t"] {
            assert!(!sample || definitions.contains_key(key), "{}: {key}", source.name);
        }
        if let Some(file) = definitions.get("struct file") {
            assert!(file.contains("f_op;\n") && file.ends_with("};"), "{file}");
        }
    }
}

/// What bpftool says of each type, as far as it says so with a key.
fn compare(entries: &[bpftool::Entry], decoded: &Decoded) {
    assert_eq!(entries.len(), decoded.records.len());
    for (entry, (id, record)) in entries.iter().zip(decoded.types()) {
        assert_eq!((entry.id, &*entry.kind), (id, NAMES[usize::from(record.kind)]));
        let name = if record.name.is_empty() { b"(anon)" } else { &record.name[..] };
        assert_eq!(entry.name.as_bytes(), name, "[{id}]");
        let mut lines = entry.text.lines();
        let head = keys(lines.next().unwrap_or_default());
        if refers(record.kind) {
            let target = if record.kind == kind::FUNC_PROTO { "ret_type_id" } else { "type_id" };
            assert_eq!(head[target], record.size_or_type.to_string(), "{}", entry.text);
        } else if let Some(size) = head.get("size") {
            assert_eq!(*size, record.size_or_type.to_string(), "{}", entry.text);
        }
        match record.kind {
            kind::INT => {
                let word = record.words[0].number();
                assert_eq!(head["bits_offset"], (word >> 16 & 0xff).to_string());
                assert_eq!(head["nr_bits"], (word & 0xff).to_string());
            }
            kind::ARRAY => {
                let words = ["type_id", "index_type_id", "nr_elems"].map(|key| head[key].to_owned());
                assert!(
                    record.words.iter().zip(words).all(|(word, shown)| word.number().to_string() == shown)
                );
            }
            kind::DECL_TAG => {
                assert_eq!(head["component_idx"], record.words[0].number().cast_signed().to_string());
            }
            _ => {}
        }
        assert_eq!(lines.clone().count(), record.elements().count(), "{}", entry.text);
        for (line, element) in lines.zip(record.elements()) {
            if let Some(Word::Name(name)) = element.first() {
                let name = if name.is_empty() { "(anon)".into() } else { String::from_utf8_lossy(name) };
                assert!(line.starts_with(&format!("\t'{name}'")), "{line}: {name}");
            }
            let shown = keys(line);
            let number = |at: usize| element[at].number();
            match record.kind {
                kind::STRUCT | kind::UNION => {
                    let (offset, bits) =
                        if record.kflag { (number(2) & 0xff_ffff, number(2) >> 24) } else { (number(2), 0) };
                    assert_eq!(shown["type_id"], number(1).to_string());
                    assert_eq!(shown["bits_offset"], offset.to_string());
                    assert_eq!(shown.get("bitfield_size").map_or("0", |bits| *bits), bits.to_string());
                }
                kind::FUNC_PROTO => assert_eq!(shown["type_id"], number(1).to_string()),
                kind::DATASEC => {
                    let words = ["type_id", "offset", "size"].map(|key| shown[key].to_owned());
                    assert_eq!(words, [0, 1, 2].map(|at| number(at).to_string()), "{line}");
                }
                _ => assert!(shown.contains_key("val")),
            }
        }
    }
}

fn keys(line: &str) -> HashMap<&str, &str> {
    let behind_name = line.rsplit_once("' ").map_or(line, |(_, rest)| rest);
    let behind_name = if line.starts_with("\ttype_id") { line.trim() } else { behind_name };
    behind_name
        .split(' ')
        .filter_map(|word| word.split_once('='))
        .map(|(key, value)| (key, value.trim_end_matches(',')))
        .collect()
}
