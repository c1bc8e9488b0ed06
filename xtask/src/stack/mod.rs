//! `cargo xtask stack`: the deepest stack of every public query and text form.

mod graph;

use std::ffi::OsString;
use std::fs;
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use graph::Graph;

/// Runs the task.
pub(crate) fn main(_: Vec<OsString>) -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("stack: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<()> {
    let folder = crate::root().join("target/stack");
    let status = crate::cargo()
        .args(["rustc", "--quiet", "--release", "--package", "kallsyms-core", "--example", "stack"])
        .arg("--target-dir")
        .arg(&folder)
        .args(["--", "-Ccodegen-units=1"])
        .current_dir(crate::root())
        .env("RUSTC_BOOTSTRAP", "1")
        .env("CARGO_ENCODED_RUSTFLAGS", "-Zemit-stack-sizes")
        .status()?;
    ensure!(status.success(), "the questions do not build");
    let release = folder.join("release");
    let mut archives = vec![fs::read(release.join("examples/libstack.rlib"))?];
    for entry in fs::read_dir(release.join("deps"))? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with("libkallsyms_core") && name.ends_with(".rlib") {
            archives.push(fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?);
        }
    }
    let graph = Graph::read(&archives)?;
    for (name, depth) in graph.depths(|name| name.starts_with("stack::questions::"))? {
        println!("{:5} {name}\n      {}\n      {:?}", depth.bytes, depth.path.join(" > "), depth.outside);
    }
    Ok(())
}
