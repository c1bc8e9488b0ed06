//! What `kallsyms btf` does, on real BTF: found wherever it is, printed as bpftool prints it, sorted for libbpf.

use std::io::Write as _;
use std::path::Path;

use kallsyms_core::btf::{Btf, Endian};
use kallsyms_gen::btf::{Origin, Source, raw, sort};
use kallsyms_host_tests::btf::record::{Record, kind};
use kallsyms_host_tests::btf::{samples, sources, swap};
use kallsyms_host_tests::peers::bpftool;
use kallsyms_host_tests::skip::skip_peer;
use kallsyms_host_tests::tools::{self, Folder};

/// A file and its base, as they are and in the other byte order.
type File = (String, Vec<u8>, Option<Vec<u8>>);

fn files(test: &str) -> Vec<File> {
    let mut files = Vec::new();
    for source in sources::all(test) {
        let swapped = (swap::swapped(&source.bytes), source.base.as_deref().map(swap::swapped));
        files.push((format!("{}, swapped", source.name), swapped.0, swapped.1));
        files.push((source.name, source.bytes, source.base));
    }
    for endian in [Endian::Little, Endian::Big] {
        let bytes = samples::of(endian, &samples::every_kind()).bytes();
        files.push((format!("every kind, {endian:?}"), bytes, None));
    }
    files
}

/// Asks something of a file over its base.
fn with<R>(bytes: &[u8], base: Option<&[u8]>, ask: impl FnOnce(&Btf<'_>) -> R) -> R {
    let (mut own_room, mut base_room) = (Vec::new(), Vec::new());
    let base = base.map(|base| Btf::parse(base).expect("is sound"));
    base_room.resize(base.map_or(0, |base| base.own_len() as usize), 0);
    let base = base.map(|base| base.with_offsets(&mut base_room));
    let btf = match &base {
        Some(base) => Btf::split(base, bytes),
        None => Btf::parse(bytes),
    };
    let btf = btf.expect("is sound");
    own_room.resize(btf.own_len() as usize, 0);
    ask(&btf.with_offsets(&mut own_room))
}

/// What bpftool prints.
fn printed(file: &Path, base: Option<&Path>) -> Result<Vec<u8>, String> {
    let base = base.into_iter().flat_map(|base| ["-B".as_ref(), base.as_os_str()]);
    let command = ["btf".as_ref(), "dump".as_ref(), "file".as_ref(), file.as_os_str()];
    tools::run("bpftool", base.chain(command).chain(["format".as_ref(), "raw".as_ref()]))
}

fn text(btf: &Btf<'_>) -> Vec<u8> {
    let mut text = Vec::new();
    btf.types().for_each(|found| raw::lines(&mut text, &found).expect("a vector takes everything"));
    text
}

#[test]
fn every_line_is_that_of_bpftool() {
    let test = "every_line_is_that_of_bpftool";
    if let Err(reason) = bpftool::present() {
        return skip_peer(test, &reason);
    }
    let folder = Folder::new();
    let mut lines = 0;
    for (name, bytes, base) in files(test) {
        let base_path = base.as_ref().map(|base| folder.file("base", base));
        let sorted = with(&bytes, base.as_deref(), |btf| sort(btf, None).expect("is followed").bytes);
        for bytes in [bytes, sorted] {
            let expected =
                printed(&folder.file("btf", &bytes), base_path.as_deref()).expect("bpftool reads it");
            let ours = with(&bytes, base.as_deref(), text);
            let first =
                expected.split(|&b| b == b'\n').zip(ours.split(|&b| b == b'\n')).find(|(a, b)| a != b);
            let first = first.map(|(a, b)| (String::from_utf8_lossy(a), String::from_utf8_lossy(b)));
            assert_eq!(first, None, "{name}");
            assert!(ours == expected, "{name}: {} bytes, not {}", ours.len(), expected.len());
            lines += ours.iter().filter(|&&byte| byte == b'\n').count();
        }
    }
    println!("{lines} lines compared with bpftool's");
}

/// In the middle of a kernel, with BTF of a program before it, packed.
#[test]
fn the_btf_of_a_kernel_is_carved() {
    let program = samples::of(Endian::Little, &[Record::new(kind::FWD, "program", 0)]).bytes();
    let at = 4099 + program.len() + 5;
    for (name, bytes, base) in files("the_btf_of_a_kernel_is_carved") {
        if base.is_some() {
            continue;
        }
        let header = [0xeb, 0x9f, 1, 0];
        let image = [&[0x9f; 4099], &*program, &[0; 5], &*bytes, &header, &[0; 1 << 14]].concat();
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(&image).expect("written");
        let packed = encoder.finish().expect("packed");
        for (file, origin) in [
            (bytes.clone(), Origin::Whole),
            (image, Origin::Within(format!("BTF at {at:#x}"))),
            (packed, Origin::Within(format!("BTF at {at:#x} of the gzip payload at 0x0"))),
        ] {
            let found = Source::read(file).expect("is there");
            assert_eq!(found.origin, origin, "{name}");
            assert!(found.bytes == bytes, "{name}");
        }
    }
}

/// libbpf opens what was sorted, and searches it by bisection.
#[cfg(feature = "libbpf")]
#[test]
fn libbpf_takes_what_was_sorted() {
    use kallsyms_host_tests::peers::libbpf::{Libbpf, LibbpfExt, Search};

    for source in sources::all("libbpf_takes_what_was_sorted") {
        let base = source.base.as_deref();
        let sorted = with(&source.bytes, base, |btf| sort(btf, source.ext.as_deref())).expect("is followed");
        let opened_base = base.map(|base| Libbpf::open(base).expect("is sound"));
        let mut opened = match &opened_base {
            Some(base) => base.split(&sorted.bytes),
            None => Libbpf::open(&sorted.bytes),
        }
        .expect("is sound");
        assert_ne!(opened.search(), Some(Search::Linear), "{}", source.name);
        assert!(base.is_some() || opened.search() == Some(Search::Bisection), "{}", source.name);
        assert_eq!(sorted.ext.is_some(), source.ext.is_some());
        assert!(sorted.ext.is_none_or(|ext| LibbpfExt::open(&ext).is_ok()));
        let again = with(&sorted.bytes, base, |btf| sort(btf, None)).expect("is followed");
        assert_eq!((again.bytes == sorted.bytes, again.moved), (true, 0), "{}", source.name);
    }
}
