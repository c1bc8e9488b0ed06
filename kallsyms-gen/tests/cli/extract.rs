//! `extract`, and kernels as SOURCE.

use std::fmt::Write as _;
use std::io::Write as _;

use crate::{Folder, kallsyms};

const BASE: u64 = 0xffff_ffff_8100_0000;

/// A listing of more symbols than one marker leads to.
pub(crate) fn listing() -> String {
    let mut text = String::from("0000000000000000 A fixed_percpu_data\n0000000000001000 A cpu_debug_store\n");
    writeln!(text, "{BASE:016x} T _stext\n{BASE:016x} T _text").expect("written");
    for number in 1..600 {
        writeln!(text, "{:016x} t handler_{number}", BASE + 0x40 * number).expect("written");
    }
    writeln!(text, "{:016x} B _end", BASE + 0x1_0000).expect("written");
    text
}

/// A kernel of 6.12 with these symbols; `build` has written its tables.
pub(crate) fn image(folder: &Folder, text: &str) -> Vec<u8> {
    let (input, tables) = (folder.write("System.map", text), folder.path("built"));
    let run = kallsyms(&["build", &input, "--layout", "linux", "-o", &tables]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let mut image = b"Linux version 6.12.107 (builder@host)".to_vec();
    image.resize(0x8000, 0xcc);
    let count = text.lines().count() as u32;
    let parts = [
        count.to_le_bytes().to_vec(),
        folder.read("built/names.bin"),
        folder.read("built/markers.bin"),
        folder.read("built/token_table.bin"),
        folder.read("built/token_index.bin"),
        folder.read("built/offsets.bin"),
        BASE.to_le_bytes().to_vec(),
        folder.read("built/seqs_of_names.bin"),
    ];
    for part in parts {
        image.resize(image.len().next_multiple_of(8), 0);
        image.extend(part);
    }
    image
}

/// Such a kernel, gzipped.
fn kernel(folder: &Folder, text: &str) -> String {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(&image(folder, text)).expect("written");
    folder.write("Image.gz", encoder.finish().expect("packed"))
}

/// A linked ELF file that loads an image at [`BASE`] and has one function symbol there.
fn vmlinux(image: &[u8], function: &str) -> Vec<u8> {
    const OFFSET: u64 = 0x1000;
    let words = |words: &[u64]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
    let pair = |low: u32, high: u32| u64::from(low) | u64::from(high) << 32;
    let size = image.len() as u64;
    let symbols = OFFSET + size.next_multiple_of(8);
    let names = format!("\0{function}\0");
    let strings = symbols + 48;
    let headers = strings + names.len().next_multiple_of(8) as u64;
    let mut file = b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0".to_vec();
    // ET_EXEC of x86-64, entry, one segment behind this header, four section headers at the end.
    file.extend(words(&[0x0001_003e_0002, BASE, 64, headers, 0x0038_0040_0000_0000, 0x0003_0004_0040_0001]));
    file.extend(words(&[pair(1, 7), OFFSET, BASE, BASE, size, size, OFFSET]));
    for (at, bytes) in [
        (OFFSET, image.to_vec()),
        // No symbol, then a global function of section 1.
        (symbols, words(&[0, 0, 0, pair(1, 0x0001_0012), BASE, 0x40])),
        (strings, names.into_bytes()),
        // None, code that is loaded, the symbol table, its names.
        (headers, words(&[0; 8])),
        (headers + 64, words(&[pair(0, 1), 6, BASE, OFFSET, size, 0, 16, 0])),
        (headers + 128, words(&[pair(0, 2), 0, 0, symbols, 48, pair(3, 1), 8, 24])),
        (headers + 192, words(&[pair(0, 3), 0, 0, strings, headers - strings, 0, 1, 0])),
    ] {
        file.resize(at as usize, 0);
        file.extend(bytes);
    }
    file
}

#[test]
fn a_kernel_is_listed_and_its_tables_are_written() {
    let folder = Folder::new("extract");
    let text = listing();
    let kernel = kernel(&folder, &text);
    let run = kallsyms(&["extract", &kernel]);
    assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (Some(0), text.as_str(), ""));

    let tables = folder.path("tables");
    let run = kallsyms(&["extract", &kernel, "-o", &tables]);
    assert_eq!((run.code, run.out.as_str()), (Some(0), ""));
    let summary = "Linux 6.12.107: 604 symbols, 64 bits, signed-percpu from 0xffffffff81000000 (relative_base), \
                   laid out as 6.4 to 6.19, with seqs_of_names, in the gzip payload at 0x0\n";
    assert_eq!(run.err, format!("kallsyms: {kernel}: {summary}"));
    for file in ["names", "markers", "token_table", "token_index", "offsets", "seqs_of_names"] {
        let [built, extracted] = ["built", "tables"].map(|place| folder.read(&format!("{place}/{file}.bin")));
        assert_eq!(built, extracted, "{file}");
    }
    assert_eq!(kallsyms(&["list", &tables]).out, text);
}

#[test]
fn a_kernel_is_a_source() {
    let folder = Folder::new("extract-source");
    let text = listing();
    let kernel = kernel(&folder, &text);
    assert_eq!(kallsyms(&["list", &kernel]).out, text);
    let run = kallsyms(&["lookup", &kernel, "handler_3", "handler_0"]);
    assert_eq!((run.code, run.out.as_str()), (Some(1), "ffffffff810000c0 t handler_3\n"));
    let run = kallsyms(&["addr", &kernel, "ffffffff810000c4"]);
    assert_eq!((run.code, run.out.as_str()), (Some(0), "handler_3+0x4/0x40\n"));
    let run = kallsyms(&["stats", &kernel]);
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
}

/// An ELF file with symbols is read by its symbols; `extract` takes its tables.
#[test]
fn a_vmlinux_with_symbols_is_a_source_by_its_symbols() {
    let folder = Folder::new("extract-symbols");
    let text = listing();
    let vmlinux = folder.write("vmlinux", vmlinux(&image(&folder, &text), "only_in_the_elf_file"));
    let run = kallsyms(&["extract", &vmlinux]);
    assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (Some(0), text.as_str(), ""));
    let run = kallsyms(&["list", &vmlinux]);
    assert_eq!(
        (run.code, run.out, run.err),
        (Some(0), format!("{BASE:x} T only_in_the_elf_file\n"), "".into())
    );
}

#[test]
fn what_is_no_kernel_is_refused() {
    let folder = Folder::new("extract-none");
    let text = listing();
    let input = folder.write("System.map", &text);
    let run = kallsyms(&["extract", &input]);
    assert_eq!((run.code, run.out.as_str()), (Some(3), ""));
    let wanted = format!("kallsyms: {input}: no kallsyms tables: the file itself: no token_table");
    assert!(run.err.starts_with(&wanted), "{}", run.err);
    let empty = folder.write("empty", "");
    let run = kallsyms(&["extract", &empty]);
    assert_eq!(
        run.err,
        format!("kallsyms: {empty}: the file is empty: give a vmlinuz, an Image or a vmlinux\n")
    );
    assert_eq!(kallsyms(&["extract", "missing"]).code, Some(3));
    assert_eq!(kallsyms(&["extract"]).code, Some(2));
}

#[test]
fn other_files_are_not_mixed_with_tables() {
    let folder = Folder::new("extract-output");
    let kernel = kernel(&folder, &listing());
    let run = kallsyms(&["extract", &kernel, "-o", &kernel]);
    assert_eq!(run.code, Some(2), "{}", run.err);
    std::fs::create_dir_all(folder.path("other")).expect("a folder");
    folder.write("other/notes", "mine");
    let run = kallsyms(&["extract", &kernel, "-o", &folder.path("other")]);
    assert_eq!(run.code, Some(2), "{}", run.err);
    let run = kallsyms(&["extract", &kernel, "-o", &folder.path("other"), "--force"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert_eq!(folder.read("other/notes"), b"mine");
}
