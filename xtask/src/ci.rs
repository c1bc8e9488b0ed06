//! `cargo xtask ci`: everything that CI asks for beside the README's two commands.

use std::ffi::OsString;
use std::process::ExitCode;

/// A step: its name, and a cargo command line.
type Step = (&'static str, &'static [&'static str], &'static [(&'static str, &'static str)]);

const STEPS: &[Step] = &[
    ("fmt", &["fmt", "--all", "--check"], &[]),
    ("clippy", &["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"], &[]),
    (
        "clippy with defmt",
        &["clippy", "--package", "kallsyms-core", "--features", "defmt", "--", "-D", "warnings"],
        &[],
    ),
    ("clippy on the kernel", &["xtask", "clippy-kernel"], &[]),
    (
        "clippy with compare",
        &[
            "clippy",
            "-p",
            "kallsyms-host-tests",
            "--features",
            "compare",
            "--all-targets",
            "--",
            "-D",
            "warnings",
        ],
        &[],
    ),
    (
        "compare",
        &[
            "test",
            "-p",
            "kallsyms-host-tests",
            "--features",
            "compare",
            "--bin",
            "compare",
            "--test",
            "compare",
        ],
        &[],
    ),
    ("fmt of the fuzz targets", &["fmt", "--manifest-path", "fuzz/Cargo.toml", "--check"], &[]),
    (
        "clippy on the fuzz targets",
        &["clippy", "--locked", "--manifest-path", "fuzz/Cargo.toml", "--", "-D", "warnings"],
        &[],
    ),
    // Half of it is the build: about three minutes on two cores; then two targets side by side.
    ("fuzz", &["xtask", "fuzz", "--seconds", "20"], &[]),
    ("flips", &["xtask", "flips"], &[]),
    ("doc", &["doc", "--workspace", "--no-deps"], &[("RUSTDOCFLAGS", "-D warnings")]),
    ("layers", &["xtask", "layers"], &[]),
    ("panics", &["xtask", "panics"], &[]),
    ("unsafe", &["xtask", "unsafe"], &[]),
    ("no-std", &["xtask", "no-std"], &[]),
    ("libbpf", &["xtask", "libbpf"], &[]),
    ("instructions", &["xtask", "instructions"], &[]),
    ("stack", &["xtask", "stack"], &[]),
    ("Linux kernels", &["xtask", "linux-kernels", "--only", "3"], &[]),
];

/// Runs the task: every step, also after one that failed.
pub(crate) fn main(_: Vec<OsString>) -> ExitCode {
    let mut failed = Vec::new();
    for (name, arguments, environment) in STEPS {
        println!("ci: {name}: cargo {}", arguments.join(" "));
        let status = crate::cargo()
            .args(*arguments)
            .envs(environment.iter().copied())
            .current_dir(crate::root())
            .status();
        if !status.is_ok_and(|status| status.success()) {
            failed.push(*name);
        }
    }
    if failed.is_empty() {
        println!("ci: {} steps passed", STEPS.len());
        ExitCode::SUCCESS
    } else {
        println!("ci: failed: {}", failed.join(", "));
        ExitCode::FAILURE
    }
}
