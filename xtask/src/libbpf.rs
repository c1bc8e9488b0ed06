//! `cargo xtask libbpf`: the tests that compare BTF with libbpf itself, which is built from its sources.

use std::ffi::OsString;
use std::process::{Command, ExitCode};

/// What the build of libbpf asks `pkg-config` for, and the packages of Debian that it comes with.
const LIBRARIES: &[&str] = &["libelf", "zlib"];
const PACKAGES: &str = "libelf-dev zlib1g-dev pkg-config make gcc";

const COMMANDS: &[&[&str]] = &[
    &[
        "clippy",
        "--package",
        "kallsyms-host-tests",
        "--all-targets",
        "--features",
        "libbpf",
        "--",
        "-D",
        "warnings",
    ],
    &[
        "test",
        "--package",
        "kallsyms-host-tests",
        "--features",
        "libbpf",
        "--lib",
        "--test",
        "btf",
        "--test",
        "btf_permute",
        "--test",
        "btf_command",
    ],
];

/// Runs the task. Where libbpf cannot be built says so, which with `REQUIRE_LIBBPF=1` is a failure.
pub(crate) fn main(_: Vec<OsString>) -> ExitCode {
    let found = Command::new("pkg-config").arg("--exists").args(LIBRARIES).status();
    if !found.is_ok_and(|status| status.success()) {
        eprintln!("libbpf: SKIPPED: pkg-config does not find {} (apt: {PACKAGES})", LIBRARIES.join(" and "));
        let required = crate::is_required("REQUIRE_LIBBPF");
        return if required { ExitCode::FAILURE } else { ExitCode::SUCCESS };
    }
    for arguments in COMMANDS {
        let status = crate::cargo().args(*arguments).current_dir(crate::root()).status();
        if !status.is_ok_and(|status| status.success()) {
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
