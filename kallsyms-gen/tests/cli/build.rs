//! `build`, `list`, `verify`, `stats`.

use std::fs;

use crate::{Folder, Run, TEXT, kallsyms, skip};

#[test]
fn text_comes_back_byte_for_byte() {
    let folder = Folder::new("round-trip");
    let (input, image) = (folder.write("kallsyms", TEXT), folder.path("k.img"));
    let run = kallsyms(&["build", &input, "-o", &image]);
    assert_eq!((run.code, run.out.as_str()), (Some(0), ""), "{}", run.err);
    assert!(run.err.contains("k.img: 8 symbols, "), "{}", run.err);
    let listed = Run { code: Some(0), out: TEXT.into(), err: String::new() };
    assert_eq!(kallsyms(&["list", &image]), listed);
    assert_eq!(kallsyms(&["list", &input]), listed);
    let run = kallsyms(&["verify", &image, &input]);
    assert_eq!(
        (run.code, run.out),
        (Some(0), format!("{image}: all 8 symbols found by name and by address\n"))
    );
}

#[test]
fn the_hosts_kallsyms_comes_back() {
    let (test, path) = ("build::the_hosts_kallsyms_comes_back", "/proc/kallsyms");
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) => return skip(test, &format!("{path} is not readable: {error}")),
    };
    let folder = Folder::new("host");
    let image = folder.path("k.img");
    let run = kallsyms(&["build", path, "-o", &image]);
    if run.code == Some(3) && run.err.contains("kptr_restrict") {
        return skip(test, &format!("{path} hides its addresses"));
    }
    assert_eq!(run.code, Some(0), "{}", run.err);
    let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
    lines.sort_by_key(|line| line.split(' ').next());
    assert!(kallsyms(&["list", &image]).out == lines.concat(), "the listing differs");
}

#[test]
fn names_that_are_no_utf_8_come_back() {
    let folder = Folder::new("bytes");
    let text = b"ffffffffffffffff T na\xefve \xff\n";
    let (input, image) = (folder.write("text", text), folder.path("k.img"));
    assert_eq!(kallsyms(&["build", &input, "-o", &image]).code, Some(0));
    let output = crate::command(&["list", &image]).output().expect("the command runs");
    assert_eq!(output.stdout, text);
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let folder = Folder::new("same");
    let input = folder.write("kallsyms", TEXT);
    for output in ["a", "b", "b"] {
        assert_eq!(kallsyms(&["build", &input, "-o", &folder.path(output)]).code, Some(0));
    }
    assert_eq!(folder.read("a"), folder.read("b"));
    let output = crate::command(&["build", &input, "-o", "-"]).output().expect("the command runs");
    assert_eq!(output.stdout, folder.read("a"));
}

#[test]
fn options_change_what_is_read() {
    let folder = Folder::new("options");
    let input = folder.write("text", "00000010 t __pfx_f\n00000020 t _ZN1a1bEv\n");
    let run = kallsyms(&["list", &input, "--demangle", "--drop-padding"]);
    assert_eq!((run.code, run.out.as_str()), (Some(0), "00000020 t a::b()\n"));
    assert_eq!(kallsyms(&["list", &input, "--demangle", "--mangled"]).code, Some(2));
}

#[test]
fn only_images_are_replaced_unasked() {
    let folder = Folder::new("force");
    let input = folder.write("kallsyms", TEXT);
    let precious = folder.write("precious", "text");
    let run = kallsyms(&["build", &input, "-o", &precious]);
    assert_eq!(run.code, Some(2));
    assert_eq!(run.err, format!("kallsyms: {precious} is no image and is not replaced (--force does)\n"));
    assert_eq!(folder.read("precious"), b"text");
    assert_eq!(kallsyms(&["build", &input, "-o", &precious, "--force"]).code, Some(0));
    assert_eq!(kallsyms(&["build", &input, "-o", &precious]).code, Some(0), "an image is replaced");
    let empty = folder.write("empty", "");
    assert_eq!(kallsyms(&["build", &input, "-o", &empty]).code, Some(0));
}

#[test]
fn verify_names_what_differs() {
    let folder = Folder::new("verify");
    let (input, image) = (folder.write("kallsyms", TEXT), folder.path("k.img"));
    assert_eq!(kallsyms(&["build", &input, "-o", &image]).code, Some(0));
    let other = folder.write("other", TEXT.replace("do_work", "do_walk"));
    let run = kallsyms(&["verify", &image, &other]);
    assert_eq!(run.code, Some(1));
    assert!(run.out.starts_with(&format!("{image}: symbol 3 is ")), "{}", run.out);
    let mut damaged = folder.read("k.img");
    let last = damaged.len() - 1;
    damaged[last] ^= 1;
    let damaged = folder.write("damaged", damaged);
    let run = kallsyms(&["verify", &damaged, &input]);
    assert_eq!(run.code, Some(3));
    assert!(run.err.contains("damaged: the image is not sound: checksum"), "{}", run.err);
    assert_eq!(kallsyms(&["list", &damaged]).code, Some(3));
    assert_eq!(kallsyms(&["verify", &input, &input]).code, Some(3));
}

#[test]
fn stats_add_up() {
    let folder = Folder::new("stats");
    let (input, image) = (folder.write("kallsyms", TEXT), folder.path("k.img"));
    assert_eq!(kallsyms(&["build", &input, "-o", &image]).code, Some(0));
    let run = kallsyms(&["stats", &image]);
    assert_eq!(run.code, Some(0));
    let value = |name: &str| {
        let line = run.out.lines().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("{name}"));
        line[name.len()..].split_whitespace().next().expect("a value").to_owned()
    };
    assert_eq!((value("symbols"), value("distinct names")), ("8".into(), "7".into()));
    assert_eq!(value("image bytes"), folder.read("k.img").len().to_string());
    assert_eq!(value("total"), value("image bytes"));
    let table = run.out.split_once("section ").expect("the table").1;
    let rows = table.lines().skip(1).filter(|line| !line.starts_with("total"));
    let bytes = rows
        .map(|row| row.split_whitespace().rev().nth(1).expect("bytes").parse::<usize>().expect("a number"));
    assert_eq!(bytes.sum::<usize>().to_string(), value("total"));
}

#[test]
fn unreadable_inputs_exit_3_and_say_where() {
    let folder = Folder::new("unreadable");
    let long = [b"00000010 T ".as_slice(), &vec![b'n'; 2 << 20], b"\n"].concat();
    let cases: [(&str, &[u8], &str); 6] = [
        ("empty", b"", ": the file is empty"),
        ("elf", b"\x7fELF\x02\x01\x01", ": truncated ELF file: the file header at offset 0x0"),
        ("garbage", b"00000010 T a\nwhat is this\n", ": line 2: expected `ADDRESS TYPE NAME`"),
        ("long", &long, ": line 1: a name of 2097152 bytes, at most 1048576 are possible"),
        ("hidden", b"0000000000000000 T a\n0000000000000000 T b\n", "kptr_restrict"),
        ("undefined", b"                 U puts\n", ": no symbol with an address in the text"),
    ];
    for (name, bytes, message) in cases {
        let (input, output) = (folder.write(name, bytes), folder.path("out"));
        let runs = [vec!["build", &input, "-o", &output], vec!["list", &input], vec!["addr", &input, "0"]];
        for run in runs.map(|arguments| kallsyms(&arguments)) {
            assert_eq!((run.code, run.out.as_str()), (Some(3), ""), "{name}");
            assert!(
                run.err.starts_with(&format!("kallsyms: {input}: ")) && run.err.contains(message),
                "{}",
                run.err
            );
        }
        assert!(!fs::exists(&output).expect("known"));
    }
    let run = kallsyms(&["list", &folder.path("missing")]);
    assert!(run.code == Some(3) && run.err.contains("missing: "), "{}", run.err);
    assert_eq!(kallsyms(&["list", &folder.path("")]).code, Some(3));
}

#[test]
fn odd_but_sound_inputs_are_handled() {
    let folder = Folder::new("odd");
    let mut text = b"0000000000000001 T low\n8000000000000000 T ".to_vec();
    text.extend("naïve_€_".bytes().cycle().take(64 << 10));
    text.extend(b"\nffffffffffffffff T last\n");
    let (input, image) = (folder.write("odd", &text), folder.path("k.img"));
    assert_eq!(kallsyms(&["build", &input, "-o", &image]).code, Some(0));
    let output = crate::command(&["list", &image]).output().expect("the command runs");
    assert!(output.stdout == text);
    let run = kallsyms(&["addr", &image, "ffffffffffffffff", "0", "8000000000000001"]);
    let mut lines = run.out.lines();
    assert_eq!(lines.next(), Some("last+0x0"));
    assert_eq!(lines.next(), Some("0x0"));
    assert!(lines.next().is_some_and(|line| line.ends_with("+0x1/0x7fffffffffffffff")));
}
