//! `extract`, and kernels as SOURCE.

use std::fmt::Write as _;
use std::io::Write as _;

use crate::elf::{BASE, FUNCTION, linked};
use crate::{Folder, kallsyms};

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
    let vmlinux = folder
        .write("vmlinux", linked(&image(&folder, &text), &[("only_in_the_elf_file", FUNCTION, 0, 0x40)]));
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
