//! `cargo xtask flips`: 100,000 flips of bits of each kind of table, of which `cargo test` does some.

use std::ffi::OsString;
use std::process::ExitCode;

/// Runs the task.
pub(crate) fn main(_: Vec<OsString>) -> ExitCode {
    let status = crate::cargo()
        .args(["test", "--package", "kallsyms-host-tests", "--test", "flips"])
        .env("FLIPS", "100000")
        .current_dir(crate::root())
        .status();
    if status.is_ok_and(|status| status.success()) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
