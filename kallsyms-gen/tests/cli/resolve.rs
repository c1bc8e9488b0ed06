//! Names and patterns in one batch, and the self-test.

use super::{Folder, TEXT, kallsyms, kallsyms_with_input};

/// The same questions to an image, to Linux's tables and to the text.
fn sources(folder: &Folder) -> [String; 3] {
    let text = folder.write("text", TEXT);
    let image = folder.path("image");
    assert_eq!(kallsyms(&["build", &text, "-o", &image]).code, Some(0));
    let own = TEXT.lines().filter(|line| !line.contains('[')).map(|line| format!("{line}\n"));
    let own = folder.write("own", own.collect::<String>());
    let tables = folder.path("tables");
    assert_eq!(kallsyms(&["build", &own, "--layout", "linux", "-o", &tables]).code, Some(0));
    [text, image, tables]
}

#[test]
fn names_and_patterns_come_in_the_order_asked_for() {
    let folder = Folder::new("resolve");
    for source in sources(&folder) {
        let run = kallsyms(&["resolve", &source, "helper", "*do_[v-z]*", "_text", "helper"]);
        let expected = "ffffffff81000200 helper\nffffffff81000100 __pfx_do_work\nffffffff81000110 do_work\n\
                        ffffffff81000000 _text\nffffffff81000200 helper\n";
        assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (Some(0), expected, ""), "{source}");
    }
}

#[test]
fn what_is_missing_is_named() {
    let folder = Folder::new("resolve-missing");
    for source in sources(&folder) {
        let run = kallsyms(&["resolve", &source, "absent", "helper", "no_*", "[a-z]*_work", "--libbpf"]);
        assert_eq!((run.code, run.out.as_str()), (Some(1), "ffffffff81000200 helper\n"));
        let miss = |pattern| format!("kallsyms: {source}: no symbol `{pattern}`\n");
        assert_eq!(run.err, [miss("absent"), miss("no_*"), miss("[a-z]*_work")].concat());
    }
}

#[test]
fn names_come_from_stdin_too() {
    let folder = Folder::new("resolve-stdin");
    for source in sources(&folder) {
        let run = kallsyms_with_input(&["resolve", &source, "-", "_stext"], b"helper\n\ndo_work");
        let expected = "ffffffff81000200 helper\nffffffff81000110 do_work\nffffffff81000000 _stext\n";
        assert_eq!(String::from_utf8_lossy(&run.stdout), expected);
    }
}

/// The second helper is a module's: where the first is not traceable it is the one.
#[test]
fn only_traceable_functions_are_acceptable() {
    let folder = Folder::new("resolve-only");
    let [text, image, tables] = sources(&folder);
    let names = folder.write("names", "do_work\n__ftrace_invalid_address___17\nhelper [xfs]\n");
    // A landing pad of four bytes stands before the place that ftrace patches.
    let places = folder.write("places", "ffffffff81000114 do_work\nffffffffc0000004 helper [xfs]\n");
    for only in [&names, &places] {
        for source in [&text, &image] {
            let run = kallsyms(&["resolve", source, "helper", "*", "--only", only]);
            let expected = "ffffffffc0000000 helper\nffffffff81000110 do_work\nffffffffc0000000 helper\n";
            assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (Some(0), expected, ""));
        }
        let run = kallsyms(&["resolve", &tables, "helper", "do_work", "absent", "--only", only]);
        assert_eq!((run.code, run.out.as_str()), (Some(1), "ffffffff81000110 do_work\n"));
        let expected = format!(
            "kallsyms: {tables}: `helper`: 1 found, none of them in {only} (modules are compared too)\nkallsyms: {tables}: no symbol `absent`\n"
        );
        assert_eq!(run.err, expected);
    }
    // A function whose name is a hexadecimal number, and its module: no address.
    let number = folder.write("number", "fade [xfs]\nhelper [xfs]\n");
    let run = kallsyms(&["resolve", &text, "helper", "--only", &number]);
    assert_eq!((run.code, run.out.as_str()), (Some(0), "ffffffffc0000000 helper\n"));
    let run = kallsyms(&["resolve", &text, "-", "--only", "-"]);
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("stdin"), "{}", run.err);
    let cut = folder.write("cut", "ffffffff81000114 do_work\nffffffffc0000004 helper [xfs]\n\n");
    let run = kallsyms(&["resolve", &text, "helper", "--only", &cut]);
    assert!(run.code == Some(3) && run.err.contains("line 3"), "{}", run.err);
    let broken = folder.write("broken", "do_work\n\nhelper\n");
    let run = kallsyms(&["resolve", &text, "helper", "--only", &broken]);
    assert_eq!((run.code, run.out.as_str()), (Some(3), ""));
    assert!(run.err.contains("broken") && run.err.contains("line 2"), "{}", run.err);
}

#[test]
fn every_source_passes_its_self_test() {
    let folder = Folder::new("selftest");
    let [text, image, tables] = sources(&folder);
    for (source, symbols) in [(text, 8), (image, 8), (tables.clone(), 6)] {
        let run = kallsyms(&["selftest", &source]);
        assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
        assert!(
            run.out.starts_with(&format!("symbols          {symbols}\nfound by name    {symbols}\n")),
            "{}",
            run.out
        );
    }
    // Two ranks exchanged: the names are no longer in order.
    let mut seqs = folder.read("tables/seqs_of_names.bin");
    seqs.swap(2, 5);
    folder.write("tables/seqs_of_names.bin", seqs);
    let run = kallsyms(&["selftest", &tables]);
    assert_eq!((run.code, run.out.as_str()), (Some(1), ""));
    assert!(run.err.contains("name"), "{}", run.err);
}
