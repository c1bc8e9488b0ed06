//! `cargo xtask stack`: the deepest stack of every public query and text form.

mod compiled;
mod graph;
mod limits;
mod painted;
mod record;
mod table;

use std::ffi::OsString;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result};
use clap::Parser;

use crate::demo;

/// Measures the deepest stack of every public query and text form: added up from the compiler's stack sizes, and
/// on painted stacks of the host and of the demo kernel; fails where one is over its limit, or where docs/stack.md
/// says otherwise.
///
/// Without QEMU the demo kernel is skipped; REQUIRE_QEMU=1 makes that a failure.
#[derive(Parser)]
#[command(name = "cargo xtask stack", bin_name = "cargo xtask stack")]
struct Options {
    /// Write the table into docs/stack.md.
    #[arg(long)]
    record: bool,
    /// Print the calls that lead to the deepest stack of this question.
    #[arg(long, value_name = "QUESTION")]
    path: Option<String>,
}

/// Runs the task.
pub(crate) fn main(arguments: Vec<OsString>) -> ExitCode {
    let options = Options::parse_from(std::iter::once("cargo xtask stack".into()).chain(arguments));
    match run(&options) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("stack: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Whether all is as it should be.
fn run(options: &Options) -> Result<bool> {
    let compiled = compiled::measure()?;
    if let Some(question) = &options.path {
        for ((name, layout), depth) in compiled.iter().filter(|((name, _), _)| name == question) {
            println!("{name} {layout}: {} bytes\n  {}", depth.bytes, depth.path.join("\n  "));
            println!("  and of other libraries: {:?}", depth.outside);
        }
        return Ok(true);
    }
    let painted = painted::measure()?;
    let rows = table::rows(&compiled, &painted)?;
    let text = table::text(&rows, &made_with()?);
    println!("{text}");
    let over = limits::over(&rows);
    over.iter().for_each(|line| eprintln!("stack: {line}"));
    let is_as_recorded = if options.record {
        record::write(&text, &painted.lacks)?;
        true
    } else {
        record::compare(&text, &painted.lacks)?
    };
    Ok(over.is_empty() && is_as_recorded)
}

/// The compiler, and what the kernel is built for.
fn made_with() -> Result<String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("--version").output().context("cannot start rustc")?;
    let version = String::from_utf8(output.stdout)?;
    Ok(format!("{}; demo kernel for {}", version.trim(), demo::target()?))
}
