//! libbpf against the writer, the reader and the byte-swapper.

use std::ffi::{CStr, CString};

use kallsyms_core::linux::Endian;

use super::{EINVAL, Libbpf, LibbpfExt, Search};
use crate::btf::record::{Record, kind};
use crate::btf::words::{native, other};
use crate::btf::{BtfWriter, Decoded, ext, samples, sources, swap};

fn same_types(libbpf: &Libbpf<'_>, decoded: &Decoded) {
    assert_eq!((libbpf.first_id(), libbpf.type_count()), (decoded.first_id, decoded.end_id()));
    for (id, record) in decoded.types() {
        assert_eq!(libbpf.kind(id), Some(record.kind));
        assert_eq!(libbpf.name(id).map(CStr::to_bytes), Some(&record.name[..]));
    }
    assert_eq!(libbpf.kind(decoded.end_id()), None);
    assert_eq!(libbpf.name(decoded.end_id()), None);
}

#[test]
fn opens_what_the_writer_writes() {
    for endian in [Endian::Little, Endian::Big] {
        let writer = samples::of(endian, &samples::every_kind());
        let mut split = BtfWriter::over(&writer);
        split.push(&Record::new(kind::TYPEDEF, "node", 4));
        let base = Libbpf::open(&writer.bytes()).expect("is sound");
        let decoded = Decoded::read(&writer.bytes(), None).expect("is sound");
        same_types(&base, &decoded);
        let over = base.split(&split.bytes()).expect("is sound");
        same_types(&over, &Decoded::read(&split.bytes(), Some(&decoded)).expect("is sound"));
        assert_eq!(
            (over.find(c"node", kind::TYPEDEF), over.find(c"node", kind::STRUCT)),
            (Some(20), Some(4))
        );
        assert_eq!(
            (over.find_own(c"node", kind::TYPEDEF), over.find_own(c"node", kind::STRUCT)),
            (Some(20), None)
        );
        assert_eq!(base.find(c"node", kind::TYPEDEF), None);
        assert_eq!((base.resolve_size(3), base.resolve_size(10)), (Ok(28), Ok(32)));
        assert_eq!(base.resolve_size(13), Err(EINVAL));
        assert_eq!(base.raw_data(), Ok(writer.bytes()));
        assert_eq!(Libbpf::open(&writer.bytes()[..30]).err(), Some(EINVAL));
    }
    let layout = samples::of(native(), &samples::every_kind()).layout(samples::layout(&[]));
    assert!(Libbpf::open(&layout.bytes()).is_ok(), "a layout that nothing needs is slack");
}

#[test]
fn opens_what_others_write_in_both_byte_orders() {
    for source in sources::all("opens_what_others_write_in_both_byte_orders") {
        let plain: fn(&[u8]) -> Vec<u8> = |bytes| bytes.to_vec();
        for form in [plain, swap::swapped] {
            let base_bytes = source.base.as_ref().map(|base| form(base));
            let base = base_bytes.as_ref().map(|base| Libbpf::open(base).expect("is sound"));
            let bytes = form(&source.bytes);
            let btf = match &base {
                Some(base) => base.split(&bytes),
                None => Libbpf::open(&bytes),
            };
            let btf = btf.expect("is sound");
            let base = base_bytes.as_ref().map(|base| Decoded::read(base, None).expect("is sound"));
            let decoded = Decoded::read(&bytes, base.as_ref()).expect("is sound");
            same_types(&btf, &decoded);
            for (id, record) in decoded.types().step_by(decoded.records.len() / 100 + 1) {
                let name = CString::new(&*record.name).expect("a name ends at its NUL");
                let first = decoded
                    .types()
                    .find(|(_, other)| (other.kind, &other.name) == (record.kind, &record.name))
                    .map(|(id, _)| id);
                assert_eq!(btf.find_own(&name, record.kind), first, "[{id}] of {}", source.name);
            }
        }
        if let Some(ext) = &source.ext {
            for bytes in [ext.clone(), swap::swapped_ext(ext)] {
                let opened = LibbpfExt::open(&bytes).expect("is sound");
                assert_eq!(opened.raw_data(), Ok(bytes));
            }
        }
    }
}

fn names(endian: Endian, names: &[&str]) -> BtfWriter {
    let records: Vec<Record> = names.iter().map(|name| Record::new(kind::STRUCT, name, 0)).collect();
    samples::of(endian, &records)
}

#[test]
fn tells_how_libbpf_searches() {
    for endian in [native(), other(native())] {
        for (order, expected) in [
            (&["a", "b"][..], Some(Search::Bisection)),
            (&["b", "a"], Some(Search::Linear)),
            (&["", "a", "a", "b", "c"], Some(Search::Bisection)),
            (&["a", "", "b", "c"], Some(Search::Linear)),
            (&["a", "b", "c", "e", "d"], Some(Search::Linear)),
            (&["a", "a", "a", "b"], Some(Search::Bisection)),
            (&["a", "b", "b", "b", "b"], Some(Search::Bisection)),
            (&["a", "a"], None),
            (&["", ""], None),
            (&["a"], None),
            (&[], None),
        ] {
            let writer = names(endian, order);
            let mut btf = Libbpf::open(&writer.bytes()).expect("is sound");
            assert_eq!(btf.search(), expected, "{order:?}");
            assert_eq!(btf.raw_data(), Ok(writer.bytes()), "everything is as it was");
            // Over a base of the other order.
            let base_writer =
                names(endian, if expected == Some(Search::Linear) { &["x", "y"] } else { &["y", "x"] });
            let base = Libbpf::open(&base_writer.bytes()).expect("is sound");
            let mut split = BtfWriter::over(&base_writer);
            for name in order {
                split.push(&Record::new(kind::STRUCT, name, 0));
            }
            assert_eq!(base.split(&split.bytes()).expect("is sound").search(), expected, "{order:?}");
        }
    }
    for source in sources::all("tells_how_libbpf_searches").iter().filter(|source| source.base.is_none()) {
        let decoded = Decoded::read(&source.bytes, None).expect("is sound");
        let expected = if decoded.is_sorted() { Search::Bisection } else { Search::Linear };
        let mut btf = Libbpf::open(&source.bytes).expect("is sound");
        assert_eq!(btf.search(), Some(expected), "{}", source.name);
    }
}

#[test]
fn permutes_with_the_extension() {
    let records = samples::every_kind();
    let ext = ext::ExtWriter {
        func_info: vec![ext::Section { name_off: 1, records: vec![[0, 12], [8, 13]] }],
        line_info: vec![ext::Section { name_off: 1, records: vec![[0, 1, 2, 12]] }],
        core_relo: Some(vec![ext::Section { name_off: 1, records: vec![[12, 4, 3, 0], [16, 8, 3, 0]] }]),
        padding: 0,
    };
    for endian in [native(), other(native())] {
        let bytes = samples::of(endian, &records).bytes();
        let ext = ext.bytes(endian);
        // By name, ties in the order of the ids.
        let mut order: Vec<u32> = (1..=records.len() as u32).collect();
        order.sort_by_key(|&id| &records[id as usize - 1].name);
        let mut new_ids = vec![0; records.len() + 1];
        for (new, &old) in (1..).zip(&order) {
            new_ids[old as usize] = new;
        }
        let mut btf = Libbpf::open(&bytes).expect("is sound");
        let mut opened = LibbpfExt::open(&ext).expect("is sound");
        assert_eq!(btf.search(), Some(Search::Linear));
        assert_eq!(btf.permute(&[], None), Err(EINVAL));
        assert_eq!(btf.permute(&new_ids[1..], None), Err(EINVAL));
        assert_eq!(btf.permute(&vec![0; records.len() + 1], None), Err(EINVAL));
        assert_eq!(btf.permute(&new_ids, Some(&mut opened)), Ok(()));
        let sorted = btf.raw_data().expect("has bytes");
        assert_eq!(Libbpf::open(&sorted).expect("is sound").search(), Some(Search::Bisection));
        let decoded = Decoded::read(&sorted, None).expect("is sound");
        assert!(decoded.is_sorted() && decoded.endian == endian);
        for (new, record) in decoded.types() {
            let old = &records[order[new as usize - 1] as usize - 1];
            let followed: Vec<u32> = old.references().map(|id| new_ids[id as usize]).collect();
            assert_eq!((record.kind, &record.name), (old.kind, &old.name));
            assert_eq!(record.references().collect::<Vec<_>>(), followed);
        }
        assert_eq!(opened.raw_data(), Ok(ext::with_ids(&ext, |id| new_ids[id as usize])));
    }
}
