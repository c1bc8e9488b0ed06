//! The same as libbpf's `btf__permute`, byte for byte.

use kallsyms_core::btf::{Btf, Endian, Kind};
use kallsyms_host_tests::btf::record::{Record, kind};
use kallsyms_host_tests::btf::{BtfWriter, ext, samples, sources, swap, words};
use kallsyms_host_tests::peers::libbpf::{Libbpf, LibbpfExt, Search};

use crate::{open, permuted, room, shuffled, sorted};

/// The third word of a declaration means nothing, and the kernel wants it to be 0. gcc leaves 6 there, the kind
/// of a struct in CTF, and libbpf takes it for a type.
fn without_words_of_forwards(file: &[u8], base: Option<&Btf<'_>>) -> Vec<u8> {
    let btf = open(base, file);
    let field = |at| words::read(btf.endian(), file, at).expect("a whole header") as usize;
    let types = field(4) + field(8);
    let mut out = file.to_vec();
    for forward in btf.types().filter(|found| found.kind() == Kind::Forward) {
        let at = types + forward.offset() as usize + 8;
        out[at..at + 4].fill(0);
    }
    out
}

#[test]
fn files_are_those_of_libbpf() {
    let mut compared = 0;
    for source in sources::all("files_are_those_of_libbpf") {
        let plain: fn(&[u8]) -> Vec<u8> = |bytes| bytes.to_vec();
        for (form, form_ext) in [(plain, plain), (swap::swapped, swap::swapped_ext)] {
            let bytes = form(&source.bytes);
            let base_bytes = source.base.as_ref().map(|base| form(base));
            let base = base_bytes.as_ref().map(|base| open(None, base));
            let btf = open(base.as_ref(), &bytes);
            let libbpf_base = base_bytes.as_ref().map(|base| Libbpf::open(base).expect("is sound"));
            let libbpf = |bytes: &[u8]| match &libbpf_base {
                Some(base) => base.split(bytes).expect("is sound"),
                None => Libbpf::open(bytes).expect("is sound"),
            };

            let (order, out) = sorted(&btf);
            // Of one name, or of none, either way would do.
            assert_ne!(libbpf(&out).search(), Some(Search::Linear), "{}", source.name);
            for id_map in [order, shuffled(&btf, 11)] {
                let mut libbpf = libbpf(&bytes);
                let mut opened =
                    source.ext.as_deref().map(form_ext).map(|ext| LibbpfExt::open(&ext).expect("is sound"));
                assert_eq!(libbpf.permute(&id_map, opened.as_mut()), Ok(()));
                let expected = libbpf.raw_data().expect("has bytes");
                let ours = permuted(&btf, &id_map);
                let kept = |file: &[u8]| without_words_of_forwards(file, base.as_ref());
                assert!(kept(&ours) == kept(&expected), "{}", source.name);
                compared += btf.own_len();
                if let (Some(opened), Some(old)) = (opened, source.ext.as_deref().map(form_ext)) {
                    let mut room = room(&btf);
                    let permutation = kallsyms_core::btf::Permutation::new(&btf, &id_map, &mut room)
                        .expect("is a bijection");
                    let mut out = vec![0; old.len()];
                    let out = permutation.permute_ext(&old, &mut out).expect("is sound");
                    assert_eq!(opened.raw_data().expect("has bytes"), out, "{}", source.name);
                    assert_eq!(out, ext::with_ids(&old, |id| id_map[id as usize]));
                }
            }
        }
    }
    println!("{compared} types compared with libbpf's");
}

#[test]
fn sorted_files_are_sorted_to_libbpf() {
    let mut sources = sources::all("sorted_files_are_sorted_to_libbpf");
    sources.retain(|source| source.base.is_none());
    for source in sources {
        let btf = Btf::parse(&source.bytes).expect("is sound");
        let (_, out) = sorted(&btf);
        assert_eq!(
            Libbpf::open(&out).expect("is sound").search(),
            Some(Search::Bisection),
            "{}",
            source.name
        );
    }
}

/// libbpf refuses the same maps.
#[test]
fn maps_are_those_of_libbpf() {
    let float = Record::new(kind::FLOAT, "", 4);
    let base_writer = samples::of(Endian::Little, &[float.clone(), float.clone(), float.clone()]);
    let mut split = BtfWriter::over(&base_writer);
    split.push(&float);
    split.push(&float);
    let (base_bytes, split_bytes) = (base_writer.bytes(), split.bytes());
    let base = Btf::parse(&base_bytes).expect("is sound");
    let split = Btf::split(&base, &split_bytes).expect("is sound");
    let libbpf_base = Libbpf::open(&base_bytes).expect("is sound");
    let (mut good, mut bad) = (0, 0);
    for code in 0..7_u32.pow(4) {
        let all = [code % 7, code / 7 % 7, code / 49 % 7, code / 343];
        for len in 1..=4 {
            let id_map = &all[..len];
            for (btf, mut libbpf) in [
                (&base, Libbpf::open(&base_bytes).expect("is sound")),
                (&split, libbpf_base.split(&split_bytes).expect("is sound")),
            ] {
                let mut room = room(btf);
                let ours = kallsyms_core::btf::Permutation::new(btf, id_map, &mut room);
                assert_eq!(ours.is_ok(), libbpf.permute(id_map, None).is_ok(), "{id_map:?} of {btf:?}");
                *if ours.is_ok() { &mut good } else { &mut bad } += 1;
            }
        }
    }
    assert!(good > 0 && bad > 0);
}
