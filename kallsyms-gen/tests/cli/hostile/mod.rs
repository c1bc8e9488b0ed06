//! Files made to break the command: each is refused with exit code 3 and a message, within a bound of memory,
//! and leaves no output.

mod btf;
mod elf;
mod payload;
mod text;

use std::process::{Command, Stdio};

use crate::{Folder, Run};

/// Bytes of addresses that a run may have, its program among them.
const MEMORY: u64 = 1 << 30;
/// Seconds of the processor after which a run that does not end is killed; the slowest takes some.
const SECONDS: u32 = 300;

/// A run that cannot take more memory, nor go on for ever.
fn limited(arguments: &[&str], memory: u64) -> Run {
    let script = format!("ulimit -v {} && ulimit -t {SECONDS} && exec \"$@\"", memory >> 10);
    let mut command = Command::new("sh");
    command.args(["-c", &script, "sh", env!("CARGO_BIN_EXE_kallsyms")]).args(arguments);
    command.stdin(Stdio::null()).output().expect("the command runs").into()
}

/// Asserts that a file is refused with a message that has these words.
fn refused(folder: &Folder, name: &str, bytes: &[u8], wanted: &str) {
    let file = folder.write(name, bytes);
    let output = folder.path("output");
    for arguments in [&["list", &file][..], &["build", &file, "-o", &output]] {
        check(&limited(arguments, MEMORY), arguments, wanted);
    }
    assert!(!std::fs::exists(&output).expect("known"), "{name}");
    assert_eq!(folder.names(), [name]);
    std::fs::remove_file(&file).expect("removed");
}

/// Asserts that a run has refused its input in a few lines.
fn check(run: &Run, arguments: &[&str], wanted: &str) {
    assert_eq!((run.code, run.out.as_str()), (Some(3), ""), "{arguments:?}: {}", run.err);
    assert!(run.err.starts_with("kallsyms: ") && run.err.contains(wanted), "{arguments:?}: {}", run.err);
    assert!(run.err.lines().count() <= 3 && run.err.len() < 2000, "{arguments:?}: {}", run.err);
}

/// What has no end is read until there is no memory, which is no reason to be killed.
#[test]
fn a_file_without_end_is_refused() {
    for arguments in [&["list", "/dev/zero"][..], &["btf", "stat", "/dev/zero"], &["extract", "/dev/zero"]] {
        check(&limited(arguments, MEMORY), arguments, "/dev/zero: ");
    }
    let folder = Folder::new("hostile-sparse");
    let file = folder.write("sparse", "");
    std::fs::File::options().write(true).open(&file).and_then(|file| file.set_len(1 << 40)).expect("made");
    check(&limited(&["list", &file], MEMORY), &[&file], "more than 4 GiB: no input is so large");
}
