//! `lookup`, `addr`, `decode`, and closed pipes.

use std::io::Read;
use std::process::Stdio;

use crate::{Folder, TEXT, command, kallsyms, kallsyms_with_input};

#[test]
fn lookup_prints_every_symbol_of_each_name() {
    let folder = Folder::new("lookup");
    let (input, image) = (folder.write("kallsyms", TEXT), folder.path("k.img"));
    assert_eq!(kallsyms(&["build", &input, "-o", &image]).code, Some(0));
    for source in [&input, &image] {
        let run = kallsyms(&["lookup", source, "helper", "_text"]);
        let expected = "ffffffff81000200 t helper\nffffffffc0000000 t helper\nffffffff81000000 T _text\n";
        assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (Some(0), expected, ""));
        let run = kallsyms(&["lookup", source, "do_wor", "do_work"]);
        assert_eq!((run.code, run.out.as_str()), (Some(1), "ffffffff81000110 t do_work\n"));
        assert_eq!(run.err, format!("kallsyms: {source}: no symbol `do_wor`\n"));
    }
    assert_eq!(kallsyms(&["lookup", &image]).code, Some(2));
}

#[test]
fn addresses_become_names_one_line_each() {
    let folder = Folder::new("addr");
    let input = folder.write("kallsyms", TEXT);
    let run = kallsyms(&["addr", &input, "ffffffff81000110", "0xFFFFFFFF8100011c", "fffffffffffff000"]);
    assert_eq!(
        (run.code, run.out.as_str()),
        (Some(0), "do_work+0x0/0xf0\ndo_work+0xc/0xf0\n0xfffffffffffff000\n")
    );
    let run = kallsyms(&["addr", &input, "--return-address", "ffffffff81000200", "ffffffff81000205"]);
    assert_eq!(run.out, "do_work+0xf0/0xf0\nhelper+0x5/0x3efffe00\n");
    let run = kallsyms(&["addr", &input, "--slide", "0x1000000", "ffffffff82000114"]);
    assert_eq!(run.out, "do_work+0x4/0xf0\n");
    let run = kallsyms(&["addr", &input, "--slide", "-1000000", "ffffffff80000114"]);
    assert_eq!(run.out, "do_work+0x4/0xf0\n");
    assert_eq!(kallsyms(&["addr", &input, "main"]).code, Some(2));
    assert_eq!(kallsyms(&["addr", &input]).code, Some(2));
}

#[test]
fn addresses_come_from_stdin() {
    let folder = Folder::new("addr-stdin");
    let input = folder.write("kallsyms", TEXT);
    let output =
        kallsyms_with_input(&["addr", &input, "-"], b"ffffffff81000110 ffffffff81000205\n\n0x1\r\nabc");
    assert_eq!(output.status.code(), Some(0));
    let expected = "do_work+0x0/0xf0\nhelper+0x5/0x3efffe00\n";
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(text.starts_with(expected) && text.lines().count() == 4, "{text}");
    let output = kallsyms_with_input(&["addr", &input, "-"], b"ffffffff81000110\nmain\n");
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(output.stdout, b"do_work+0x0/0xf0\n");
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(error.contains("stdin: line 2: expected a hexadecimal address, found `main`"), "{error}");
}

#[test]
fn logs_are_decoded() {
    let folder = Folder::new("decode");
    let input = folder.write("kallsyms", TEXT);
    let log = b"[ 0.1] rip ffffffff8100011c, ra [<0xffffffff81000205>]\xff\r\n\
                do_work+0x10/0xf0 at 0x10, 81000110 and ffffffff8100011c0 are none\n\
                ffffffff81000110 <do_work+0x0/0xf0>\n\
                a call or a start: ffffffff81000200\n\
                no line feed: ffffffff81000110";
    let decoded = b"[ 0.1] rip ffffffff8100011c <do_work+0xc/0xf0>, ra [<0xffffffff81000205 <helper+0x5/0x3efffe00>>]\xff\r\n\
                do_work+0x10/0xf0 at 0x10, 81000110 and ffffffff8100011c0 are none\n\
                ffffffff81000110 <do_work+0x0/0xf0>\n\
                a call or a start: ffffffff81000200 <helper+0x0/0x3efffe00 or return to do_work+0xf0/0xf0>\n\
                no line feed: ffffffff81000110 <do_work+0x0/0xf0>";
    let output = kallsyms_with_input(&["decode", &input], log);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(decoded));
    let again = kallsyms_with_input(&["decode", &input], &output.stdout);
    assert_eq!(again.stdout, output.stdout, "a decoded log stays as it is");
    let output =
        kallsyms_with_input(&["decode", &input, "--slide", "100", "--return-address"], b"ffffffff81000300\n");
    assert_eq!(output.stdout, b"ffffffff81000300 <do_work+0xf0/0xf0>\n");
}

/// A word is not cut where a piece of a long line ends.
#[test]
fn long_lines_are_decoded() {
    let folder = Folder::new("decode-long");
    let input = folder.write("kallsyms", TEXT);
    for blanks in 65_515..65_545 {
        let log = [vec![b' '; blanks], b"ffffffff81000110 +0xffffffff81000110".to_vec()].concat();
        let output = kallsyms_with_input(&["decode", &input], &log);
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        assert_eq!(text.trim_start(), "ffffffff81000110 <do_work+0x0/0xf0> +0xffffffff81000110", "{blanks}");
    }
}

#[test]
fn a_closed_pipe_ends_a_listing_quietly() {
    let folder = Folder::new("pipe");
    let text: String = (0..20_000).map(|number| format!("{number:016x} t symbol_{number}\n")).collect();
    let input = folder.write("kallsyms", text);
    let mut child =
        command(&["list", &input]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it runs");
    let mut start = [0; 27];
    child.stdout.take().expect("a pipe").read_exact(&mut start).expect("a line");
    assert_eq!(&start, b"0000000000000000 t symbol_0");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
}
