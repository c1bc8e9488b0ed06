//! `cargo xtask panic-free`: the object code of the core, and of a crate that makes every public call of it, calls nothing
//! that panics, allocates, or belongs to the standard library.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

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
    let status = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()))
        .args(["rustc", "--quiet", "--release", "--package", "kallsyms-core", "--example", "panic_free"])
        .arg("--target-dir")
        .arg(&target)
        .args(["--", "-Ccodegen-units=1"])
        .current_dir(crate::root())
        .env_remove("RUSTFLAGS")
        .status()?;
    anyhow::ensure!(status.success(), "the probe does not build");
    let mut objects = 0;
    let mut faults = Vec::new();
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
