//! What libFuzzer says of a run, as a table.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, io};

/// What came of a target.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) target: &'static str,
    executions: u64,
    /// Edges that were reached, and features: edges with how often, and values compared.
    edges: u64,
    features: u64,
    /// Inputs that are kept.
    corpus: u64,
    seconds: u64,
    /// What went wrong, where, and how to see it again.
    pub(super) failure: Option<String>,
}

impl Row {
    /// Of a target that did not run.
    pub(super) fn failed(target: &'static str, failure: String) -> Self {
        let failure = Some(failure);
        Self { target, executions: 0, edges: 0, features: 0, corpus: 0, seconds: 0, failure }
    }
}

/// Reads a log.
pub(super) fn row(target: &'static str, succeeded: bool, log: &str, path: &Path) -> Row {
    // `#1234 DONE cov: 12 ft: 34 corp: 5/67b …`, of which the last line counts.
    let status =
        log.lines().rfind(|line| line.starts_with('#') && line.contains(" cov: ")).unwrap_or_default();
    let after = |line: &str, key: &str| -> u64 {
        let value = line.split_once(key).map_or("", |(_, rest)| rest.trim_start());
        value
            .split(|letter: char| !letter.is_ascii_digit())
            .next()
            .and_then(|value| value.parse().ok())
            .unwrap_or(0)
    };
    let executions = log.lines().rfind(|line| line.starts_with("stat::number_of_executed_units:"));
    let seconds = log.lines().rfind(|line| line.starts_with("Done ") && line.contains(" runs in "));
    Row {
        target,
        executions: executions.map_or_else(|| after(status, "#"), |line| after(line, "units:")),
        edges: after(status, " cov:"),
        features: after(status, " ft:"),
        corpus: after(status, " corp:"),
        seconds: seconds.map_or(0, |line| after(line, " runs in")),
        failure: (!succeeded).then(|| failure(target, log, path)),
    }
}

/// The fault in a line or two, the input that shows it, and the command.
fn failure(target: &str, log: &str, path: &Path) -> String {
    let fault: Vec<&str> = log
        .lines()
        .filter(|line| line.contains("panicked at") || line.starts_with("==") && line.contains("ERROR:"))
        .take(3)
        .collect();
    let written =
        log.lines().find_map(|line| line.split_once("Test unit written to ").map(|(_, path)| path.trim()));
    let again = match written {
        Some(input) => format!("input: {input}\nagain: RUSTC_BOOTSTRAP=1 cargo fuzz run {target} {input}"),
        None => "no input was written".into(),
    };
    format!("{}\n{again}\nlog: {}", fault.join("\n"), path.display())
}

/// The figures of all targets.
pub(super) fn table(rows: &[Row], seconds: u32) -> String {
    let mut text = format!(
        "cargo xtask fuzz --seconds {seconds}\n{}\n{:<10} {:>12} {:>9} {:>7} {:>9} {:>7} {:>8}\n",
        machine(),
        "target",
        "executions",
        "exec/s",
        "cov",
        "features",
        "corpus",
        "seconds"
    );
    for row in rows {
        let rate = row.executions / row.seconds.max(1);
        let end = if row.failure.is_some() { "  FAILED" } else { "" };
        // A String takes every line.
        let _ = writeln!(
            text,
            "{:<10} {:>12} {rate:>9} {:>7} {:>9} {:>7} {:>8}{end}",
            row.target, row.executions, row.edges, row.features, row.corpus, row.seconds
        );
    }
    text
}

/// Keeps a table under the day's date.
pub(super) fn record(table: &str) -> io::Result<PathBuf> {
    let folder = crate::root().join("fuzz/record");
    fs::create_dir_all(&folder)?;
    let path = folder.join(format!("{}.txt", said("date", &["+%F"]).unwrap_or_else(|| "undated".into())));
    fs::write(&path, table)?;
    Ok(path)
}

/// Processors, compiler and cargo-fuzz, in a line.
fn machine() -> String {
    let processors = std::thread::available_parallelism().map_or(0, usize::from);
    let compiler = said("rustc", &["--version"]).unwrap_or_else(|| "unknown compiler".into());
    let fuzzer = said("cargo", &["fuzz", "--version"]).unwrap_or_else(|| "unknown cargo-fuzz".into());
    format!("{processors} processors, {compiler}, {fuzzer}, address sanitizer")
}

fn said(program: &str, arguments: &[&str]) -> Option<String> {
    let output =
        Command::new(program).args(arguments).output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
