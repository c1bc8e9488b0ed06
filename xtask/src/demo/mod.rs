//! `cargo demo`: builds the kernel, boots its scenarios under QEMU and checks what they print.

mod defmt_log;
mod elf;
mod frames;
mod install;
mod kernel;
mod qemu;
mod scenarios;
mod table;
mod target;
mod transcript;

use crate::root;
use anyhow::{Context, Result, ensure};
use clap::Parser;
use kernel::{Kernel, Kernels};
use scenarios::{Log, SCENARIOS, Scenario};
use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

/// A scenario did not end as it should.
const FAILED: u8 = 1;
/// QEMU is missing.
const NO_QEMU: u8 = 3;

/// Builds the demo kernel, boots every scenario under QEMU and checks what it prints.
#[derive(Parser)]
#[command(name = "cargo demo", bin_name = "cargo demo")]
struct Options {
    /// Install QEMU with the system's package manager if it is missing.
    #[arg(long)]
    install_qemu: bool,
    /// Run only this scenario; may be given more than once.
    #[arg(long, value_name = "NAME", value_parser = scenarios::by_name)]
    scenario: Vec<&'static Scenario>,
    /// Rewrite the expected transcripts that do not fit, hexadecimal numbers replaced by placeholders.
    #[arg(long)]
    bless: bool,
}

/// The command.
pub(crate) fn main(arguments: Vec<OsString>) -> ExitCode {
    let options = Options::parse_from(std::iter::once("cargo demo".into()).chain(arguments));
    if let Err(error) = install::ensure_qemu(options.install_qemu) {
        eprintln!("demo: {error:#}");
        return ExitCode::from(NO_QEMU);
    }
    match run(&options) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(FAILED),
        Err(error) => {
            eprintln!("demo: {error:#}");
            ExitCode::from(FAILED)
        }
    }
}

/// `cargo xtask clippy-kernel`: clippy over the kernel, which a host build leaves out.
pub(crate) fn clippy(_: Vec<OsString>) -> ExitCode {
    let clippy = || Kernels::new(target::choose()?, root(), work_folder()?).clippy();
    match clippy() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("clippy-kernel: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Fails with the line that would install QEMU where it is missing.
pub(crate) fn has_qemu() -> Result<()> {
    install::ensure_qemu(false)
}

/// What the kernel prints in a scenario.
pub(crate) fn printed(scenario: &str) -> Result<Vec<String>> {
    let scenario = scenarios::by_name(scenario).map_err(anyhow::Error::msg)?;
    let kernels = Kernels::new(target::choose()?, root(), work_folder()?);
    boot(scenario, kernels.for_scenario(scenario)?, false)
}

/// The target that the kernel is built for.
pub(crate) fn target() -> Result<&'static str> {
    target::choose()
}

/// Runs the chosen scenarios; whether all of them ended as they should.
fn run(options: &Options) -> Result<bool> {
    let chosen: Vec<_> =
        if options.scenario.is_empty() { SCENARIOS.iter().collect() } else { options.scenario.clone() };
    let target = target::choose()?;
    println!("demo: building for {target} (the first build takes a minute or two)");
    let kernels = Kernels::new(target, root(), work_folder()?);
    let mut failed = Vec::new();
    for scenario in &chosen {
        println!("\n=== {} ===", scenario.name);
        match show(scenario, &kernels, options.bless) {
            Ok(()) => println!("scenario {}: ok", scenario.name),
            Err(error) => {
                println!("scenario {}: FAILED: {error:#}", scenario.name);
                failed.push(scenario.name);
            }
        }
    }
    if failed.is_empty() {
        println!("\ndemo: {} scenarios ok", chosen.len());
    } else {
        eprintln!("\ndemo: failed: {}", failed.join(", "));
    }
    Ok(failed.is_empty())
}

/// Boots a scenario, prints its transcript and checks it.
fn show(scenario: &Scenario, kernels: &Kernels, bless: bool) -> Result<()> {
    let kernel = kernels.for_scenario(scenario)?;
    let printed = boot(scenario, kernel, true)?;
    if scenario.repeatable {
        let again = boot(scenario, kernel, false)?;
        ensure!(again == printed, "a second run printed other figures:\n{}", again.join("\n"));
    }
    let transcript = frames::with_names_of(&printed, &kernel.elf)?;
    let expected = root().join("qemu-demo/expected").join(format!("{}.txt", scenario.name));
    let compare = || {
        let text =
            fs::read_to_string(&expected).with_context(|| format!("cannot read {}", expected.display()))?;
        transcript::compare(&text, &transcript)
    };
    if bless && compare().is_err() {
        fs::write(&expected, transcript::placeholders(&transcript))
            .with_context(|| format!("cannot write {}", expected.display()))?;
    }
    compare()?;
    let checked = frames::check(&printed, &kernel.elf, scenario.named)?;
    if checked.any() {
        println!("checked: {checked}");
    }
    if let Some(reference) = scenario.same_names_with_embedded {
        let embedded = boot(scenario, kernels.for_scenario(reference)?, false)?;
        let (ours, theirs) = (frames::names(&printed), frames::names(&embedded));
        ensure!(!ours.is_empty() && ours == theirs, "the embedded table gives other names: {theirs:?}");
        println!("checked: the embedded table gives the same {} names", ours.len());
    }
    Ok(())
}

/// One boot: what the kernel printed, and what it sent through defmt.
fn boot(scenario: &Scenario, kernel: &Kernel, print: bool) -> Result<Vec<String>> {
    let outcome = qemu::boot(&kernel.path, scenario.name, scenario.count_instructions)?;
    let mut lines: Vec<String> = outcome.serial.lines().map(|line| line.trim_end().to_owned()).collect();
    let log = scenario.defmt.map(|_| defmt_log::decode(&kernel.elf.bytes, &outcome.debug_console));
    if let Some(log) = &log {
        match log {
            Ok(log) => lines.extend(log.iter().map(|line| format!("defmt: {line}"))),
            Err(error) => println!("(defmt: {error:#})"),
        }
    }
    if print {
        println!("{}", lines.join("\n"));
    }
    outcome.check(scenario.status)?;
    if let Some(log) = log.transpose()?
        && scenario.defmt == Some(Log::Frames)
    {
        defmt_log::compare(&lines, &log)?;
    }
    Ok(lines)
}

/// Where the kernels are built.
fn work_folder() -> Result<PathBuf> {
    Ok(crate::target_folder("qemu")?)
}
