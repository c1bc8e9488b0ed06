//! Instructions, counted exactly: a program runs itself again under Callgrind, which counts in a few calls only.
//!
//! A program that wants counts calls [`run`] with arguments that lead it to [`count`]; that is where the process
//! under Callgrind arrives. What is between the calls of [`count`] runs several times as slowly as by itself, what is
//! in them a hundred times.

mod request;

use std::collections::BTreeMap;
use std::ffi::{CString, OsStr};
use std::hint::black_box;
use std::path::Path;
use std::process::{Command, Stdio};
use std::{env, fs};

use request::Request;
pub use request::is_listening;

use crate::tools::{Folder, find};

/// The package that has it, for whoever does not.
const PACKAGE: &str = "valgrind is not installed (apt: valgrind)";

/// What stands before the name of a count in Callgrind's files, and before its number.
const NAME: &str = "desc: Trigger: Client Request: ";
const TOTAL: &str = "totals: ";

/// The count of a call that does nothing.
const NOTHING: &str = "nothing";

/// Instructions by what they were counted for.
pub type Counts = BTreeMap<String, u64>;

/// Why nothing can be counted here; `Ok` where it can.
///
/// # Errors
///
/// The reason, for a person.
pub fn available() -> Result<(), String> {
    if !cfg!(target_arch = "x86_64") {
        return Err("Valgrind is asked in instructions of x86_64 only".into());
    }
    find("valgrind").map(|_| ()).ok_or_else(|| PACKAGE.into())
}

/// Runs this program under Callgrind with these arguments; returns what it has counted.
///
/// # Errors
///
/// Valgrind is missing, the program fails under it or counts nothing.
pub fn run<A: AsRef<OsStr>>(arguments: impl IntoIterator<Item = A>) -> Result<Counts, String> {
    available()?;
    let program = env::current_exe().map_err(|error| format!("this program: {error}"))?;
    let valgrind = find("valgrind").ok_or(PACKAGE)?;
    let folder = Folder::new();
    let mut out_file = std::ffi::OsString::from("--callgrind-out-file=");
    out_file.push(folder.path().join("out"));
    let output = Command::new(valgrind)
        .args(["--tool=callgrind", "--instr-atstart=no", "--dump-line=no", "--quiet"])
        .arg(out_file)
        .arg(program)
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("valgrind does not start: {error}"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(format!("under Callgrind: {}: {}", output.status, said.trim()));
    }
    let mut counts = read(folder.path()).map_err(|error| format!("the files of Callgrind: {error}"))?;
    let nothing = counts.remove(NOTHING).ok_or("Callgrind has counted nothing")?;
    counts.values_mut().for_each(|count| *count = count.saturating_sub(nothing));
    Ok(counts)
}

/// Counts the instructions of one call of `f` under a name without blanks at its ends; `f` is called once before,
/// for what is done only the first time.
///
/// Outside of Callgrind just calls it.
///
/// # Panics
///
/// If the name has a NUL.
pub fn count<T>(name: &str, mut f: impl FnMut() -> T) {
    let mut f = || {
        black_box(f());
    };
    f();
    counted(NOTHING, &mut || ());
    counted(name, &mut f);
}

/// All calls are made from here, by a pointer, so that each has the same around it.
#[inline(never)]
fn counted(name: &str, f: &mut dyn FnMut()) {
    let name = CString::new(name).expect("a name without NUL");
    Request::Start.ask();
    Request::Zero.ask();
    f();
    Request::Dump(&name).ask();
    Request::Stop.ask();
}

/// The counts of the files in a folder.
fn read(folder: &Path) -> std::io::Result<Counts> {
    let mut counts = Counts::new();
    for entry in fs::read_dir(folder)? {
        let text = fs::read_to_string(entry?.path())?;
        let rest = |prefix| text.lines().find_map(|line| line.strip_prefix(prefix));
        if let (Some(name), Some(Ok(total))) = (rest(NAME), rest(TOTAL).map(str::parse)) {
            counts.insert(name.into(), total);
        }
    }
    Ok(counts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_of_callgrind_are_read() {
        let folder = Folder::new();
        let _ = folder.file(
            "out.1",
            b"version: 1\ndesc: Trigger: Client Request: hit\n\nevents: Ir\nfn=f\n0 7\n\ntotals: 123\n",
        );
        let _ = folder
            .file("out.2", b"version: 1\ndesc: Trigger: Program termination\n\nevents: Ir\n\ntotals: 9\n");
        assert_eq!(read(folder.path()).expect("they are there"), Counts::from([("hit".into(), 123)]));
    }

    #[test]
    fn what_is_counted_is_called_twice() {
        let mut calls = 0;
        count("calls", || calls += 1);
        assert_eq!(calls, 2);
    }
}
