//! `cargo xtask fuzz`: every fuzz target for so many seconds, with the address sanitizer.

mod report;
mod run;
mod targets;

use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};
use clap::Parser;

use report::Row;
use targets::{TARGETS, Target};

/// Runs the fuzz targets, each from seeds that are made first and what earlier runs found.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask fuzz")]
struct Options {
    /// Seconds for each target.
    #[arg(long, default_value_t = 60)]
    seconds: u32,
    /// Only this target; may be given more than once.
    #[arg(long, value_parser = targets::find)]
    only: Vec<&'static Target>,
    /// Targets that run side by side.
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// Keeps the figures in `fuzz/record`.
    #[arg(long)]
    record: bool,
}

/// Runs the task. Where cargo-fuzz is missing says so, which with `REQUIRE_FUZZ=1` is a failure.
pub(crate) fn main(arguments: Vec<OsString>) -> ExitCode {
    let options =
        match Options::try_parse_from([OsString::from("cargo xtask fuzz")].into_iter().chain(arguments)) {
            Ok(options) => options,
            Err(error) => error.exit(),
        };
    if !cargo_fuzz().arg("--version").output().is_ok_and(|output| output.status.success()) {
        eprintln!("fuzz: SKIPPED: no cargo-fuzz (cargo install cargo-fuzz --locked)");
        let required = crate::is_required("REQUIRE_FUZZ");
        return if required { ExitCode::FAILURE } else { ExitCode::SUCCESS };
    }
    match fuzz(&options) {
        Ok(rows) if rows.iter().all(|row| row.failure.is_none()) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("fuzz: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn fuzz(options: &Options) -> Result<Vec<Row>> {
    let targets: Vec<&Target> =
        if options.only.is_empty() { TARGETS.iter().collect() } else { options.only.clone() };
    let folder = crate::root().join("fuzz/corpus");
    seeds(&folder.join("seeds"))?;
    build(&targets)?;
    let rows = run::all(&targets, options.seconds, options.jobs.max(1), &folder);
    let table = report::table(&rows, options.seconds);
    print!("{table}");
    for row in &rows {
        if let Some(failure) = &row.failure {
            println!("\nFAILED: {}\n{failure}", row.target);
        }
    }
    if options.record {
        let path = report::record(&table)?;
        println!("recorded in {}", path.display());
    }
    Ok(rows)
}

/// Writes the inputs that a run begins with.
fn seeds(folder: &Path) -> Result<()> {
    let program = ["run", "--quiet", "--package", "kallsyms-host-tests", "--bin", "fuzz_seeds", "--"];
    let status = crate::cargo().args(program).arg(folder).current_dir(crate::root()).status()?;
    if !status.success() {
        bail!("no seeds were written: {status}");
    }
    Ok(())
}

fn build(targets: &[&Target]) -> Result<()> {
    // All of them share what takes long; one by one only if one is wanted.
    let names: &[&str] = if let [one] = targets { &[one.name] } else { &[] };
    let status = cargo_fuzz().arg("build").args(names).status().context("cargo fuzz build")?;
    if !status.success() {
        bail!("the targets do not build: {status}");
    }
    Ok(())
}

/// `cargo fuzz`, which asks for flags that stable compilers take with this variable only; the sanitizer's runtime
/// comes with them.
fn cargo_fuzz() -> Command {
    let mut command = crate::cargo();
    command.arg("fuzz").env("RUSTC_BOOTSTRAP", "1").current_dir(crate::root());
    command
}
