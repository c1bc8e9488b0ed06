//! Texts without end or sense.

use super::{MEMORY, limited, refused};
use crate::Folder;

#[test]
fn lines_without_end() {
    let folder = Folder::new("hostile-text-lines");
    let long = 100 << 20;
    for (start, fill, wanted) in [
        ("00000010 T ", b'n', "line 1: a name of 104857600 bytes, at most 1048576 are possible"),
        ("", b'0', "line 1: expected "),
        ("", b' ', "line 1: expected "),
        ("", 0, "line 1: expected text without NUL bytes"),
        ("00000010 T a\n", b'\n', "line 2: expected `ADDRESS TYPE NAME`"),
        ("00000010 T a\n00000020 T b\t[", b'm', "line 2: a name of "),
        ("", 0xff, "line 1: expected "),
    ] {
        let mut bytes = start.as_bytes().to_vec();
        bytes.resize(start.len() + long, fill);
        refused(&folder, "text", &bytes, wanted);
    }
}

#[test]
fn addresses_beyond_all_numbers_and_bytes_that_are_no_text() {
    let folder = Folder::new("hostile-text-addresses");
    for (line, wanted) in [
        ("10000000000000000 T a", "line 2: expected an address of 8 or 16 hexadecimal digits, found `10000"),
        ("18446744073709551616 T a", "line 2: expected an address of 8 or 16"),
        ("-0000000000000001 T a", "line 2: expected `ADDRESS TYPE NAME`"),
        ("0000000000000010 T a\0b", "line 2: expected text without NUL bytes"),
        ("0000000000000010 T ", "line 2: expected a name after the type letter"),
        ("0000000000000010 \0 a", "line 2: expected text without NUL bytes"),
        ("00000010 T a", "line 2: expected an address of as many digits"),
    ] {
        refused(&folder, "text", format!("0000000000000000 T a\n{line}\n").as_bytes(), wanted);
    }
    let long = format!("00000010 t f\t[{}]\n", "m".repeat(256));
    refused(&folder, "text", long.as_bytes(), "line 1: expected a module name of at most 255 bytes");
}

/// A million times the same symbol is a table like any other.
#[test]
fn the_same_line_again_and_again() {
    let folder = Folder::new("hostile-text-duplicates");
    let (file, output) = (folder.write("text", "00000010 T a\n".repeat(1_000_000)), folder.path("k.img"));
    let run = limited(&["build", &file, "-o", &output], MEMORY);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let run = limited(&["lookup", &output, "a"], MEMORY);
    assert_eq!((run.code, run.out.lines().count()), (Some(0), 1_000_000));
    // Undefined ones are left out, and then nothing is left.
    refused(
        &folder_of(&folder),
        "text",
        &"                 U a\n".repeat(1_000_000).into_bytes(),
        "1000000 undefined",
    );
}

/// An empty folder in another.
fn folder_of(folder: &Folder) -> Folder {
    let inner = folder.0.join("inner");
    std::fs::create_dir(&inner).expect("made");
    Folder(inner)
}

/// What is given on stdin is bounded as files are.
#[test]
fn logs_and_lists_without_line_feeds() {
    let folder = Folder::new("hostile-stdin");
    let image = folder.path("k.img");
    let input = folder.write("kallsyms", crate::TEXT);
    assert_eq!(crate::kallsyms(&["build", &input, "-o", &image]).code, Some(0));
    let endless = folder.write("log", vec![b'f'; 64 << 20]);
    let (log, out) = (std::fs::File::open(&endless), std::fs::File::create(folder.path("out")));
    let mut decode = crate::command(&["decode", &image]);
    let decode = decode.stdin(log.expect("there")).stdout(out.expect("made"));
    assert!(decode.status().expect("the command runs").success());
    assert!(folder.read("out") == folder.read("log"));
}
