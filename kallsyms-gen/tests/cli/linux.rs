//! Linux's tables: `build --layout`, and every command on a folder of them.

use std::fs;

use crate::{Folder, Run, TEXT, kallsyms, kallsyms_with_input};

/// The kernel's own symbols of [`TEXT`].
fn own() -> String {
    TEXT.lines().filter(|line| !line.ends_with(']')).map(|line| format!("{line}\n")).collect()
}

fn said(out: impl Into<String>) -> Run {
    Run { code: Some(0), out: out.into(), err: String::new() }
}

#[test]
fn the_symbols_come_back_from_every_layout() {
    let folder = Folder::new("linux-layouts");
    let input = folder.write("kallsyms", own());
    let high = folder.write("high", own().split_once('\n').expect("lines").1);
    for (number, (input, options)) in [
        (&input, &["linux"][..]),
        (&input, &["linux-offsets"]),
        (&input, &["linux", "--encoding", "absolute", "--marker-bits", "64", "--no-seqs"]),
        (&input, &["linux-offsets", "--endian", "big", "--names-offsets-endian", "little"]),
        (&input, &["linux", "--lengths", "byte", "--name-order", "without-llvm"]),
        (&high, &["linux", "--encoding", "unsigned-base"]),
        (&high, &["linux", "--encoding", "pc-relative"]),
        (&high, &["linux", "--encoding", "pc-relative", "--offsets-address", "0xffffffff82000000"]),
    ]
    .into_iter()
    .enumerate()
    {
        let output = folder.path(&format!("tables-{number}"));
        let run = kallsyms(&[&["build", input, "-o", &output, "--layout"], options].concat());
        assert_eq!((run.code, run.out.as_str()), (Some(0), ""), "{}", run.err);
        assert!(
            run.err.starts_with(&format!("{output}: ")) && run.err.contains(" a symbol\n"),
            "{}",
            run.err
        );
        let listing = fs::read_to_string(input).expect("the input");
        assert_eq!(kallsyms(&["list", &output]), said(listing), "{options:?}");
        let found = said("ffffffff81000110 t do_work\n");
        assert_eq!(kallsyms(&["lookup", &output, "do_work"]), found, "{options:?}");
    }
}

#[test]
fn addresses_of_32_bits_make_pointers_of_32_bits() {
    let folder = Folder::new("linux-32");
    let text = "c0008000 T _text\nc0008010 t f\n";
    let (input, output) = (folder.write("text", text), folder.path("tables"));
    for encoding in ["absolute", "unsigned-base", "signed-percpu", "pc-relative", "offset"] {
        let run = kallsyms(&["build", &input, "-o", &output, "--layout", "linux", "--encoding", encoding]);
        assert_eq!(run.code, Some(0), "{}", run.err);
        assert_eq!(kallsyms(&["list", &output]), said(text), "{encoding}");
        let stats = kallsyms(&["stats", &output]).out;
        assert!(stats.contains("pointers         32 bits\n"), "{stats}");
    }
}

#[test]
fn symbols_of_modules_are_left_out_aloud() {
    let folder = Folder::new("linux-modules");
    let (input, output) = (folder.write("kallsyms", TEXT), folder.path("tables"));
    let run = kallsyms(&["build", &input, "-o", &output, "--layout", "linux"]);
    let said_so = format!("kallsyms: {input}: 2 symbols of modules left out: Linux's tables hold none\n");
    assert!(run.code == Some(0) && run.err.starts_with(&said_so), "{}", run.err);
    assert_eq!(kallsyms(&["list", &output]), said(own()));
}

/// The gate of the kernel: `_stext` without `_end` or `_etext` is none, with one nothing outside has a name.
#[test]
fn commands_answer_from_a_folder() {
    let folder = Folder::new("linux-commands");
    let text = own() + "ffffffff81000300 T _etext\nffffffff81000400 D _end\n";
    let (input, tables) = (folder.write("text", text), folder.path("tables"));
    assert_eq!(kallsyms(&["build", &input, "-o", &tables, "--layout", "linux"]).code, Some(0));
    let run = kallsyms(&["addr", &tables, "ffffffff8100011c", "ffffffff81000400", "0", "ffffffff810003ff"]);
    assert_eq!(run, said("do_work+0xc/0xf0\n0xffffffff81000400\n0x0\n_etext+0xff/0x100\n"));
    let run = kallsyms(&["addr", &tables, "--return-address", "ffffffff81000200"]);
    assert_eq!(run, said("do_work+0xf0/0xf0\n"));
    let run = kallsyms(&["addr", &tables, "--slide", "1000000", "ffffffff82000114"]);
    assert_eq!(run, said("do_work+0x4/0xf0\n"));
    let run = kallsyms(&["lookup", &tables, "helper", "missing"]);
    let missing = format!("kallsyms: {tables}: no symbol `missing`\n");
    assert_eq!(run, Run { code: Some(1), out: "ffffffff81000200 t helper\n".into(), err: missing });
    let output = kallsyms_with_input(&["decode", &tables], b"at ffffffff81000205\n");
    assert_eq!(output.stdout, b"at ffffffff81000205 <helper+0x5/0x100>\n");
    let run = kallsyms(&["list", "--demangle", &tables]);
    assert!(
        run.err.contains("holds Linux's tables: the options for reading symbols change nothing"),
        "{}",
        run.err
    );
}

#[test]
fn stats_of_a_folder_add_up() {
    let folder = Folder::new("linux-stats");
    let (input, tables) = (folder.write("text", own()), folder.path("tables"));
    assert_eq!(kallsyms(&["build", &input, "-o", &tables, "--layout", "linux"]).code, Some(0));
    let run = kallsyms(&["stats", &tables]);
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
    let (facts, parts) = run.out.split_once("\n\n").expect("two parts");
    for fact in [
        "symbols          6",
        "encoding         signed-percpu, base 0xffffffff81000000",
        "lengths          one or two bytes",
        "byte order       little-endian",
        "lookup range     everywhere: the bounds are not known",
    ] {
        assert!(facts.contains(fact), "{facts}");
    }
    let rows: Vec<(&str, u64)> = parts
        .lines()
        .skip(1)
        .map(|row| {
            let mut words = row.split_whitespace();
            (words.next().expect("a name"), words.next().expect("bytes").parse().expect("a number"))
        })
        .collect();
    let (total, tables) = rows.split_last().expect("rows");
    assert_eq!(*total, ("total", tables.iter().map(|(_, bytes)| bytes).sum()));
    for &(table, bytes) in tables {
        assert_eq!(folder.read(&format!("tables/{table}.bin")).len() as u64, bytes, "{table}");
    }
}

#[test]
fn a_folder_is_an_input() {
    let folder = Folder::new("linux-input");
    let (input, tables, image) = (folder.write("text", own()), folder.path("tables"), folder.path("k.img"));
    assert_eq!(kallsyms(&["build", &input, "-o", &tables, "--layout", "linux"]).code, Some(0));
    assert_eq!(kallsyms(&["build", &tables, "-o", &image]).code, Some(0));
    assert_eq!(kallsyms(&["list", &image]), said(own()));
    let verified = format!("{image}: all 6 symbols found by name and by address\n");
    assert_eq!(kallsyms(&["verify", &image, &tables]), said(verified));
    assert_eq!(kallsyms(&["build", &tables, "-o", &image, "--drop-padding"]).code, Some(0));
    assert_eq!(kallsyms(&["list", &image]).out, own().replace("ffffffff81000100 t __pfx_do_work\n", ""));
    let verified = format!("{tables}: all 6 symbols found by name and by address\n");
    assert_eq!(kallsyms(&["verify", &tables, &input]), said(verified));
    let other = folder.write("other", own().replace("do_work", "do_walk"));
    let run = kallsyms(&["verify", &tables, &other]);
    assert!(run.code == Some(1) && run.out.starts_with(&format!("{tables}: symbol 3 is ")), "{}", run.out);
    // Tables into tables: the same bytes again, and what else was known of the kernel.
    let meta = String::from_utf8(folder.read("tables/meta.json")).expect("UTF-8");
    folder.write("tables/meta.json", meta.replacen('{', "{\"kernel\": \"6.12.107\",", 1));
    let again = folder.path("again");
    assert_eq!(kallsyms(&["build", &tables, "-o", &again, "--layout", "linux"]).code, Some(0));
    for table in ["names", "offsets", "markers", "token_table", "token_index", "seqs_of_names"] {
        assert_eq!(folder.read(&format!("again/{table}.bin")), folder.read(&format!("tables/{table}.bin")));
    }
    assert!(kallsyms(&["stats", &again]).out.contains("kernel           6.12.107\n"));
}

#[test]
fn only_folders_of_tables_are_replaced_unasked() {
    let folder = Folder::new("linux-force");
    let (input, tables) = (folder.write("text", own()), folder.path("tables"));
    let build =
        |more: &[&str]| kallsyms(&[&["build", &input, "-o", &tables, "--layout", "linux"], more].concat());
    fs::create_dir(&tables).expect("a folder");
    assert_eq!(build(&[]).code, Some(0), "an empty folder");
    assert_eq!(build(&[]).code, Some(0), "a folder of tables");
    fs::remove_file(folder.path("tables/meta.json")).expect("removed");
    let refused =
        format!("kallsyms: {tables} holds other files and is no folder of tables (--force writes there)\n");
    assert_eq!(build(&[]), Run { code: Some(2), out: String::new(), err: refused });
    assert_eq!(build(&["--force"]).code, Some(0));
    for output in [&input, "-"] {
        let run = kallsyms(&["build", &input, "-o", output, "--layout", "linux", "--force"]);
        let error = format!("kallsyms: {output}: Linux's tables are several files: give a folder\n");
        assert_eq!((run.code, run.err), (Some(2), error));
    }
}

#[test]
fn options_of_the_other_layout_are_refused() {
    let folder = Folder::new("linux-usage");
    let (input, output) = (folder.write("text", own()), folder.path("out"));
    for options in [
        &["--encoding", "absolute"][..],
        &["--offsets-address", "0"],
        &["--endian", "big"],
        &["--pointer-bits", "32"],
        &["--lengths", "byte"],
        &["--marker-bits", "32"],
        &["--names-offsets-endian", "big"],
        &["--name-order", "whole"],
        &["--no-seqs"],
        &["--object", "--layout", "linux"],
        &["--layout", "linux", "--no-seqs", "--name-order", "whole"],
    ] {
        let run = kallsyms(&[&["build", &input, "-o", &output], options].concat());
        assert_eq!(run.code, Some(2), "{options:?} {}", run.err);
        assert!(!fs::exists(&output).expect("known"));
    }
}

#[test]
fn what_does_not_fit_is_named() {
    let folder = Folder::new("linux-fit");
    let output = folder.path("out");
    let long = format!("ffffffff81000000 T {}\n", "n".repeat(512));
    let modules = "ffffffffc0000000 t helper\t[xfs]\n";
    let far = "0000000000000000 T a\nffffffff81000000 T b\n";
    for (text, options, message) in [
        (long.as_str(), &[][..], ": symbol 0 `nnn"),
        (modules, &[], ": no symbol is left"),
        (far, &[], ": symbol 1 `b` at 0xffffffff81000000 is out of the reach of `signed-percpu`"),
        (far, &["--encoding", "pc-relative"], "is out of the reach of `pc-relative`"),
        (far, &["--pointer-bits", "32", "--encoding", "absolute"], "needs pointers of 64 bits"),
    ] {
        let input = folder.write("text", text);
        let run = kallsyms(&[&["build", &input, "-o", &output, "--layout", "linux"], options].concat());
        assert_eq!(run.code, Some(3), "{}", run.err);
        let line = run.err.lines().last().expect("a line");
        assert!(line.starts_with(&format!("kallsyms: {input}: ")) && line.contains(message), "{}", run.err);
        assert!(!fs::exists(&output).expect("known"));
    }
}

#[test]
fn a_damaged_folder_says_what_is_wrong() {
    let folder = Folder::new("linux-damaged");
    let (input, tables) = (folder.write("text", own()), folder.path("tables"));
    assert_eq!(kallsyms(&["build", &input, "-o", &tables, "--layout", "linux"]).code, Some(0));
    let offsets = folder.read("tables/offsets.bin");
    folder.write("tables/offsets.bin", &offsets[..20]);
    let image = folder.path("k.img");
    for arguments in [&["list", &tables][..], &["stats", &tables], &["build", &tables, "-o", &image]] {
        let run = kallsyms(arguments);
        assert_eq!((run.code, run.out.as_str()), (Some(3), ""));
        assert!(run.err.contains("offsets or kallsyms_addresses has 20 bytes"), "{}", run.err);
    }
    fs::remove_file(folder.path("tables/token_index.bin")).expect("removed");
    let run = kallsyms(&["list", &tables]);
    assert!(run.code == Some(3) && run.err.contains("tables/token_index.bin: "), "{}", run.err);
    let run = kallsyms(&["list", &folder.path("")]);
    assert!(run.code == Some(3) && run.err.contains("meta.json: "), "{}", run.err);
}
