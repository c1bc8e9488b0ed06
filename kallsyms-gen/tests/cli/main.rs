//! The `kallsyms` command from outside: output forms, exit codes, messages.

mod bench_parse;
mod btf;
mod build;
mod elf;
#[cfg(target_os = "linux")]
mod embed;
mod extract;
#[cfg(target_os = "linux")]
mod hostile;
#[cfg(unix)]
mod interrupted;
mod linux;
mod outputs;
mod queries;
mod resolve;

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// A folder of its own for each test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder =
            PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder for the test");
        Self(folder)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("a UTF-8 path").into()
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        fs::write(self.0.join(name), bytes).expect("written");
        self.path(name)
    }

    /// The names of the files in it, in order.
    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).expect("the folder");
        let name = |entry: std::io::Result<fs::DirEntry>| entry.expect("known").file_name().into_string();
        let mut names: Vec<String> = entries.map(|entry| name(entry).expect("UTF-8")).collect();
        names.sort();
        names
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.0.join(name)).expect("the file")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// What a run of the command gave.
#[derive(Debug, PartialEq, Eq)]
struct Run {
    code: Option<i32>,
    out: String,
    err: String,
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
        let run = Self { code: output.status.code(), out: text(&output.stdout), err: text(&output.stderr) };
        assert!(!run.err.contains("panicked"), "{}", run.err);
        run
    }
}

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kallsyms"));
    command.args(arguments);
    command
}

fn kallsyms(arguments: &[&str]) -> Run {
    command(arguments).stdin(Stdio::null()).output().expect("the command runs").into()
}

fn kallsyms_with_input(arguments: &[&str], input: &[u8]) -> Output {
    let mut command = command(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the command runs");
    child.stdin.take().expect("a pipe").write_all(input).expect("written");
    child.wait_with_output().expect("the command ends")
}

/// Says past the test harness's capture that a test is skipped, and why.
fn skip(test: &str, reason: &str) {
    // Nothing to do about a closed stderr.
    let _ = std::io::stderr().write_all(format!("test {test} ... SKIPPED: {reason}\n").as_bytes());
}

/// A small kernel as text.
const TEXT: &str = "0000000000000000 A fixed_percpu_data\n\
                    ffffffff81000000 T _stext\n\
                    ffffffff81000000 T _text\n\
                    ffffffff81000100 t __pfx_do_work\n\
                    ffffffff81000110 t do_work\n\
                    ffffffff81000200 t helper\n\
                    ffffffffc0000000 t helper\t[xfs]\n\
                    ffffffffc0000100 t xfs_last\t[xfs]\n";
