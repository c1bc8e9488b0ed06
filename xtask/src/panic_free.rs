//! `cargo xtask panic-free`: the object code of the core, and of a crate that makes every public call of it,
//! calls nothing that panics, allocates, or belongs to the standard library.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use object::read::archive::ArchiveFile;
use object::{Object, ObjectSymbol};

/// Parts of demangled names that only the panic machinery has, and the crates that a kernel lacks.
const FORBIDDEN: &[&str] = &[
    "core::panicking",
    "unwrap_failed",
    "expect_failed",
    "_fail",
    "begin_unwind",
    "__rust_alloc",
    "alloc::",
    "std::",
];

/// Public functions that the probe need not call, each with the reason.
const NOT_CALLED: &[(&str, &str)] = &[];

/// Runs the task.
pub(crate) fn main(_: Vec<OsString>) -> ExitCode {
    match check() {
        Ok((objects, faults)) if faults.is_empty() => {
            println!(
                "panic-free: {objects} object files call nothing that panics, allocates or needs the standard library"
            );
            ExitCode::SUCCESS
        }
        Ok((_, faults)) => {
            faults.iter().for_each(|fault| eprintln!("panic-free: {fault}"));
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("panic-free: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn check() -> anyhow::Result<(usize, Vec<String>)> {
    let target = crate::root().join("target/panic-free");
    let status = crate::cargo()
        .args(["rustc", "--quiet", "--release", "--package", "kallsyms-core", "--example", "panic_free"])
        .arg("--target-dir")
        .arg(&target)
        .args(["--", "-Ccodegen-units=1"])
        .current_dir(crate::root())
        .env_remove("RUSTFLAGS")
        .status()?;
    anyhow::ensure!(status.success(), "the probe does not build");
    let mut objects = 0;
    let mut faults = uncalled()?;
    for rlib in
        ["examples/libpanic_free.rlib", "libkallsyms_core.rlib"].map(|name| target.join("release").join(name))
    {
        let rlib = existing(&rlib)?;
        let bytes = fs::read(&rlib)?;
        let archive = ArchiveFile::parse(&*bytes)?;
        for member in archive.members() {
            let member = member?;
            let name = String::from_utf8_lossy(member.name()).into_owned();
            if !name.ends_with(".o") {
                continue;
            }
            objects += 1;
            let file = object::File::parse(member.data(&*bytes)?)?;
            for symbol in file.symbols().filter(|symbol| symbol.is_undefined()) {
                let called = format!("{:#}", rustc_demangle::demangle(symbol.name().unwrap_or_default()));
                if FORBIDDEN.iter().any(|part| called.contains(part)) {
                    faults.push(format!("{name} calls {called}"));
                }
            }
        }
    }
    anyhow::ensure!(objects >= 2, "only {objects} object files were found");
    Ok((objects, faults))
}

/// Cargo names the library of a dependency with a hash; only the example has a plain name.
fn existing(path: &Path) -> anyhow::Result<PathBuf> {
    if path.exists() {
        return Ok(path.to_owned());
    }
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let deps = path.parent().unwrap_or(path).join("deps");
    let newest = fs::read_dir(&deps)?
        .flatten()
        .map(|entry| entry.path())
        .filter(|file| file.extension().is_some_and(|extension| extension == "rlib"))
        .filter(|file| file.file_stem().unwrap_or_default().to_string_lossy().starts_with(&stem))
        .max_by_key(|file| fs::metadata(file).and_then(|data| data.modified()).ok());
    newest.ok_or_else(|| anyhow::anyhow!("{} is not there", path.display()))
}

/// What the probe leaves out of the core's public functions.
fn uncalled() -> anyhow::Result<Vec<String>> {
    let core = crate::root().join("kallsyms-core");
    let texts = |folder: &str| {
        crate::layers::sources(&core.join(folder))
            .into_iter()
            .map(fs::read_to_string)
            .collect::<Result<Vec<_>, _>>()
    };
    let probe = texts("examples/panic_free")?.concat();
    let sources = texts("src")?;
    let functions = public_functions(&sources);
    anyhow::ensure!(!functions.is_empty(), "the core has no public function");
    Ok(missing(&functions, &probe, NOT_CALLED))
}

/// The name of every `pub fn` outside of tests, and how many have it.
fn public_functions(sources: &[String]) -> BTreeMap<&str, usize> {
    let mut functions = BTreeMap::new();
    for (_, line) in sources.iter().flat_map(|source| crate::layers::code(source)) {
        let Some(rest) = line.trim_start().strip_prefix("pub ") else { continue };
        let Some((qualifiers, name)) = rest.split_once("fn ") else { continue };
        if qualifiers.split_whitespace().all(|word| ["const", "unsafe", "async"].contains(&word)) {
            *functions.entry(word_at_start(name)).or_default() += 1;
        }
    }
    functions
}

/// The functions that a text calls less often than there are ones of the name, and exceptions that are none.
fn missing(functions: &BTreeMap<&str, usize>, probe: &str, exceptions: &[(&str, &str)]) -> Vec<String> {
    let code: String = crate::layers::code(probe).into_iter().flat_map(|(_, line)| [line, "\n"]).collect();
    let excepted = |name: &str| exceptions.iter().any(|(exception, _)| *exception == name);
    let few = functions.iter().filter(|(name, _)| !excepted(name)).filter_map(|(name, &count)| {
        let calls = calls(&code, name);
        (calls < count).then(|| format!("the probe calls {name} {calls} times, the core has {count} of it"))
    });
    let idle = exceptions.iter().filter(|(name, _)| !functions.contains_key(name));
    few.chain(idle.map(|(name, _)| format!("{name} is an exception, and no public function"))).collect()
}

/// How often a name stands before `(`, or before `::<…>(`, and is no definition.
fn calls(code: &str, name: &str) -> usize {
    let is_call = |&(at, _): &(usize, &str)| {
        let (before, after) = (&code[..at], &code[at + name.len()..]);
        let arguments =
            after.strip_prefix("::<").and_then(|types| types.split_once('>')).map_or(after, |(_, rest)| rest);
        !before.ends_with(|c: char| c.is_alphanumeric() || c == '_')
            && !before.ends_with("fn ")
            && arguments.starts_with('(')
    };
    code.match_indices(name).filter(is_call).count()
}

/// The word that a text begins with.
fn word_at_start(text: &str) -> &str {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "/// pub fn no() {}\npub const fn new() {}\n    pub fn new<T>(t: T) {}\npub(crate) fn inner() {}\n\
                          pub struct S;\npub trait T { fn t(); }\npub fn copy<const N: usize>() {}\n\
                          #[cfg(test)]\nmod tests {\n    pub fn test() {}\n}\n";

    #[test]
    fn public_functions_are_counted() {
        assert_eq!(public_functions(&[SOURCE.into()]), BTreeMap::from([("new", 2), ("copy", 1)]));
    }

    #[test]
    fn a_function_that_is_not_called_is_named() {
        let sources = [SOURCE.to_owned()];
        let functions = public_functions(&sources);
        let called = "S::new(); x.new(1); x.copy::<64>(); ";
        assert_eq!(missing(&functions, called, &[]), [""; 0]);
        for probe in [
            "S::new(); x.copy::<64>(); // x.new(1)",
            "S::new(); x.copy::<64>(); x.renew(1); new; newer(1)",
            "S::new(); x.copy::<64>(); fn new() {}",
        ] {
            let fault = "the probe calls new 1 times, the core has 2 of it";
            assert_eq!(missing(&functions, probe, &[]), [fault], "{probe}");
            assert_eq!(missing(&functions, probe, &[("new", "made at compile time")]), [""; 0]);
        }
        let fault = "gone is an exception, and no public function";
        assert_eq!(missing(&functions, called, &[("gone", "no reason")]), [fault]);
    }
}
