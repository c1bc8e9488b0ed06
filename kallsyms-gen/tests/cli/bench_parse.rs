//! The benchmark of the text parsers; no times, only that it compares what it says.

use super::{Folder, TEXT, kallsyms};

#[test]
fn every_reader_is_named_with_what_it_found() {
    let folder = Folder::new("bench-parse");
    let text = folder.write("text", TEXT);
    let run = kallsyms(&["bench-parse", &text, "--runs", "3", "--name", "helper", "--pattern", "*do_*"]);
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
    assert!(run.out.contains(" 8 symbols, checksum 0x"), "{}", run.out);
    assert!(run.out.contains("3 runs"), "{}", run.out);
    for (question, symbols) in
        [("every symbol", "8"), ("in chunks of the file", "8"), ("one name", "2"), ("a pattern", "2")]
    {
        let rows: Vec<&str> = run.out.lines().filter(|line| line.starts_with(question)).collect();
        assert_eq!(rows.len(), 2, "{}", run.out);
        for (row, reader) in rows.into_iter().zip(["perf's loop", "ours"]) {
            let rest = row[question.len()..].trim_start();
            assert!(rest.starts_with(&format!("{symbols}  {reader}")), "{row}");
        }
    }
}

#[test]
fn what_cannot_be_measured() {
    let folder = Folder::new("bench-parse-faults");
    let code_and_message = |path: &str| {
        let run = kallsyms(&["bench-parse", path, "--runs", "2"]);
        assert_eq!(run.out, "");
        (run.code, run.err)
    };
    // A line that perf's loop would pass over without a word.
    let bad = folder.write("bad", format!("{TEXT}\n{TEXT}"));
    let offset = TEXT.len();
    let said = format!("kallsyms: {bad}: line 9, byte {offset:#x} of the text: a blank line\n");
    assert_eq!(code_and_message(&bad), (Some(3), said));
    let empty = folder.write("empty", "");
    assert_eq!(code_and_message(&empty), (Some(3), format!("kallsyms: {empty}: no symbols\n")));
    // A name that perf's loop has no room for.
    let long = folder.write("long", format!("{TEXT}ffffffffc0000200 t {}\n", "n".repeat(600)));
    let (code, said) = code_and_message(&long);
    assert_eq!(code, Some(1));
    assert!(said.starts_with(&format!("kallsyms: {long}: every symbol: perf's loop reads ")), "{said}");
    let live =
        "is not a saved file, which can be read again and again: copy /proc/kallsyms and give the copy";
    assert_eq!(code_and_message("-"), (Some(2), format!("kallsyms: - {live}\n")));
    assert_eq!(kallsyms(&["bench-parse", &empty, "--runs", "1"]).code, Some(2), "one run has no error");
}
