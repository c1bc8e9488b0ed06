//! `cargo xtask linux-kernels`: distribution kernels of several versions and architectures, their tables
//! extracted, checked by themselves and against an independent decoder, and their BTF against `bpftool`.

mod apt;
mod btf;
mod check;
mod decoder;
mod distribution;
mod package;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context, Result, bail};
use clap::Parser;

use decoder::Decoder;
use distribution::{KERNELS, Kernel};
use package::Package;

/// Fewest kernels that have to be checked, where so many are asked for; a mirror in the middle of an update
/// may lack one.
const FEWEST: usize = 2;

/// Downloads distribution kernels with apt, extracts their tables and compares each listing with that of an
/// independent decoder. Where a kernel is configured with BTF, that is extracted too, has to be sound and the same
/// as bpftool reads, and is what the BTF of a module is read over.
///
/// Without apt, or without the decoder (a Python package), what cannot be done is said and skipped;
/// REQUIRE_LINUX_KERNELS=1 makes it a failure, REQUIRE_BTF_PEERS=1 the absence of bpftool.
#[derive(Parser)]
#[command(name = "cargo xtask linux-kernels", bin_name = "cargo xtask linux-kernels")]
struct Options {
    /// Only the first N of the list; the first three are of three versions and three architectures.
    #[arg(long, value_name = "N")]
    only: Option<usize>,
    /// Only those whose line has this text, as `trixie` or `arm64`.
    #[arg(long, value_name = "TEXT")]
    matching: Option<String>,
    /// Print the list and do nothing.
    #[arg(long)]
    list: bool,
}

/// The command.
pub(crate) fn main(arguments: Vec<OsString>) -> ExitCode {
    let options = Options::parse_from(std::iter::once("cargo xtask linux-kernels".into()).chain(arguments));
    let wanted =
        |kernel: &&Kernel| options.matching.as_ref().is_none_or(|text| kernel.to_string().contains(text));
    let chosen: Vec<&Kernel> =
        KERNELS.iter().filter(wanted).take(options.only.unwrap_or(usize::MAX)).collect();
    if options.list {
        chosen.iter().for_each(|kernel| println!("{kernel}"));
        return ExitCode::SUCCESS;
    }
    if let Some(program) =
        ["apt-get", "apt-cache", "dpkg-deb", "tar"].into_iter().find(|program| !is_there(program))
    {
        println!(
            "linux-kernels: SKIPPED: {program} is not installed, and the kernels come from Debian's packages"
        );
        return if is_required() { ExitCode::FAILURE } else { ExitCode::SUCCESS };
    }
    match run(&chosen) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("linux-kernels: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(chosen: &[&Kernel]) -> Result<()> {
    let cache = crate::root().join("target/linux-kernels");
    let mirror = apt::mirror()?;
    let decoder = Decoder::install(&cache.join("decoder"));
    if let Err(error) = &decoder {
        if is_required() {
            bail!("{}: {error:#}", decoder::NAME);
        }
        println!("linux-kernels: SKIPPED: the comparison with {}: {error:#}", decoder::NAME);
    }
    let btf = btf::Checker::new(&cache)?;
    let (mut checked, mut with_btf, mut failed) = (0, 0, Vec::new());
    for kernel in chosen {
        let package = match apt::kernel(kernel, &mirror, &cache) {
            Ok(package) => package,
            Err(error) => {
                println!("linux-kernels: {kernel}: NOT CHECKED: {error:#}");
                continue;
            }
        };
        match check(&package, decoder.as_ref().ok(), &btf) {
            Ok((tables, types)) => {
                println!("linux-kernels: {kernel}: {tables}; {types}");
                with_btf += usize::from(matches!(types, btf::Report::Sound { .. }));
            }
            Err(error) => {
                println!("linux-kernels: {kernel}: FAILED: {error:#}");
                failed.push(kernel.to_string());
            }
        }
        checked += 1;
    }
    if !failed.is_empty() {
        bail!("failed: {}", failed.join(", "));
    }
    if checked < FEWEST.min(chosen.len()) {
        bail!(
            "{checked} kernels could be downloaded, {FEWEST} are wanted: is there a network, and the mirror whole?"
        );
    }
    println!("linux-kernels: {checked} of {} kernels checked, {with_btf} with BTF", chosen.len());
    Ok(())
}

/// The tables of a kernel and its BTF.
fn check(
    package: &Package,
    decoder: Option<&Decoder>,
    btf: &btf::Checker,
) -> Result<(check::Report, btf::Report)> {
    let tables = check::check(&package.kernel, decoder)?;
    Ok((tables, btf.check(package).context("its BTF")?))
}

/// Whether a check that cannot be made is a failure: `REQUIRE_LINUX_KERNELS=1`.
fn is_required() -> bool {
    std::env::var_os("REQUIRE_LINUX_KERNELS").is_some_and(|value| value == "1")
}

/// Whether a program can be started.
fn is_there(program: &str) -> bool {
    Command::new(program)
        .arg("--version")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok()
}

/// As [`output_bytes`], as text.
fn output(command: &mut Command) -> Result<String> {
    Ok(String::from_utf8_lossy(&output_bytes(command)?).into_owned())
}

/// Runs a command, and fails with the end of what it said if it does.
fn output_bytes(command: &mut Command) -> Result<Vec<u8>> {
    const SAID: usize = 300;
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.stdin(Stdio::null()).output().with_context(|| name.clone())?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        let start = said.char_indices().rev().nth(SAID).map_or(0, |(at, _)| at);
        bail!("{name}: {}: {}", output.status, &said[start..]);
    }
    Ok(output.stdout)
}

/// The files of a folder, none if it is not there.
fn files(folder: &Path) -> Vec<PathBuf> {
    std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
}
