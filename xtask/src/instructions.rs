//! `cargo xtask instructions`: counts the instructions of the core's queries, as released code has them.

use std::ffi::OsString;
use std::process::ExitCode;

/// Runs the task; the program itself says what it skips.
pub(crate) fn main(arguments: Vec<OsString>) -> ExitCode {
    let program =
        ["run", "--quiet", "--release", "--package", "kallsyms-host-tests", "--bin", "instructions", "--"];
    let status = crate::cargo().args(program).args(arguments).current_dir(crate::root()).status();
    if status.is_ok_and(|status| status.success()) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
