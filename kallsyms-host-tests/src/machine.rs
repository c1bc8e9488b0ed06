//! What a measurement was made on.

use std::fs;
use std::process::Command;

/// Processor and compiler, in a line.
#[must_use]
pub fn description() -> String {
    let cpus = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpus.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let count = cpus.lines().filter(|line| line.starts_with("processor")).count();
    let model = model.map_or("unknown processor", |(_, model)| model);
    format!("{count} × {model}, {}", compiler())
}

/// What `rustc --version` prints.
#[must_use]
pub fn compiler() -> String {
    Command::new("rustc").arg("--version").output().map_or_else(
        |_| "unknown compiler".into(),
        |output| String::from_utf8_lossy(&output.stdout).trim().to_owned(),
    )
}
