//! `cargo compare` on a small table: every row answers rightly, and the report has what it should.

use std::fs;
use std::process::Command;

use kallsyms_gen::linux::write::own_symbols;
use kallsyms_host_tests::callgrind;
use kallsyms_host_tests::fixtures::linux_like;
use kallsyms_host_tests::skip::skip_without_valgrind;
use kallsyms_host_tests::tools::Folder;

const ROWS: [&str; 14] = [
    "blazesym",
    "fst",
    "hash-map",
    "image-compact",
    "image-fast",
    "ksym",
    "linux-markers",
    "linux-offsets",
    "overlay-indexed",
    "overlay-markers",
    "overlay-offsets",
    "ptr-hash",
    "sorted",
    "symbol-map",
];

fn compare(arguments: &[&str]) -> (bool, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_compare")).args(arguments).output().expect("it runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.success(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn every_row_is_right_and_reported() {
    let folder = Folder::new();
    let file = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    let (source, json, svg) = (file("symbols"), file("a.json"), file("a.svg"));
    let symbols = own_symbols(&linux_like());
    let line = |symbol: &kallsyms_gen::symbols::Symbol| {
        let name = String::from_utf8_lossy(&symbol.name);
        format!("{:016x} {} {name}\n", symbol.address, char::from(symbol.kind))
    };
    fs::write(&source, symbols.list.iter().map(line).collect::<String>()).expect("a file");

    let (success, stdout, stderr) = compare(&[&source, "--quick", "--json", &json, "--svg", &svg]);
    assert!(success, "{stderr}");
    assert!(ROWS.iter().all(|row| stdout.contains(row)), "{stdout}");
    assert!(fs::read_to_string(svg).expect("a picture").contains("image-fast"));
    let report: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(json).expect("a report")).expect("JSON");
    assert_eq!(report["symbols"], symbols.list.len());
    let layouts = report["layouts"].as_object().expect("layouts");
    assert!(layouts.keys().eq(ROWS), "{:?}", layouts.keys());
    for key in [
        "bytes_per_symbol",
        "name_hit_ns",
        "name_miss_ns",
        "addr_ns",
        "addr_name_ns",
        "walk_ns",
        "batch_all_ms",
        "stack_bytes",
        "batch_stack_bytes",
        "cold_name_hit_ns",
        "cold_name_miss_ns",
        "cold_addr_ns",
        "cold_addr_name_ns",
    ] {
        assert!(layouts["linux-markers"][key].as_f64().is_some_and(|figure| figure > 0.0), "{key}");
    }
    // Linux's code expands a name into a buffer on its stack before it compares it; the crate has one of 4 KiB.
    let stack = |row: &str| layouts[row]["stack_bytes"].as_u64().expect("bytes");
    assert!((512..4096).contains(&stack("linux-markers")), "{}", stack("linux-markers"));
    assert!(stack("linux-offsets") < stack("linux-markers"));
    assert!((4096..65536).contains(&stack("ksym")), "{}", stack("ksym"));
    assert!(report["targets"].as_array().is_some_and(|targets| targets.len() >= 16), "{}", report["targets"]);
    instructions_are_counted(layouts, &stdout);
    let bytes = layouts["linux-markers"]["bytes_by_part"].as_object().expect("parts").values();
    let sum: u64 = bytes.map(|bytes| bytes.as_u64().expect("bytes")).sum();
    let tables = kallsyms_gen::linux::write(&symbols, &Default::default()).expect("tables");
    assert_eq!(sum, tables.len() as u64);
}

/// Where they can be.
fn instructions_are_counted(layouts: &serde_json::Map<String, serde_json::Value>, stdout: &str) {
    match callgrind::available() {
        Err(reason) => skip_without_valgrind("instructions of every row", &reason),
        Ok(()) => {
            for key in
                ["hit_instructions", "miss_instructions", "addr_instructions", "addr_name_instructions"]
            {
                let counts = ROWS.map(|row| (row, layouts[row][key].as_f64()));
                assert!(counts.iter().all(|(_, count)| count.is_none_or(|count| count > 1.0)), "{counts:?}");
                assert!(counts.iter().filter(|(_, count)| count.is_some()).count() > 6, "{counts:?}");
            }
            assert!(stdout.contains("Instructions of a hit, a miss"), "{stdout}");
        }
    }
}

#[test]
fn what_is_wrong_is_said() {
    let (success, _, stderr) = compare(&["--no-such-option"]);
    assert!(!success && stderr.contains("usage: cargo compare"), "{stderr}");
    let (success, _, stderr) = compare(&["no-such-file"]);
    assert!(!success && stderr.contains("no-such-file: "), "{stderr}");
    let (success, _, stderr) = compare(&["synthetic:few"]);
    assert!(!success && stderr.contains("synthetic:few: synthetic:N makes from 256 to "), "{stderr}");
}
