//! `cargo xtask no-std`: builds the core, with every feature, for bare-metal targets.

use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, ExitCode};

/// 64-bit and 32-bit, of three architectures.
const TARGETS: &[&str] =
    &["x86_64-unknown-none", "aarch64-unknown-none", "riscv64gc-unknown-none-elf", "thumbv7em-none-eabi"];

/// A toolchain that can build `core` itself: Debian's `rustc-web`, `cargo-web` and `rust-web-src`.
const DEBIAN_RUSTC: &str = "/usr/bin/rustc";
const DEBIAN_CARGO: &str = "/usr/bin/cargo";
const DEBIAN_SOURCE: &str = "/usr/lib/rustlib/src/rust/library/core";

/// Runs the task.
pub(crate) fn main(_: Vec<OsString>) -> ExitCode {
    let mut built = 0;
    for target in TARGETS {
        let Some(mut cargo) = builder(target) else {
            println!(
                "no-std: {target}: skipped, its core library is not installed (rustup target add {target})"
            );
            continue;
        };
        cargo
            .args(["build", "--quiet", "--release", "--package", "kallsyms-core", "--all-features"])
            .args(["--target", target])
            .arg("--target-dir")
            .arg(crate::root().join("target/no-std"))
            .current_dir(crate::root())
            .env_remove("RUSTFLAGS");
        if !cargo.status().is_ok_and(|status| status.success()) {
            println!("no-std: {target}: does not build");
            return ExitCode::FAILURE;
        }
        println!("no-std: {target}: built");
        built += 1;
    }
    if built == 0 {
        println!(
            "no-std: no bare-metal target is installed: the demo's freestanding link has to stand for them"
        );
    }
    ExitCode::SUCCESS
}

/// A cargo that can build for this target.
fn builder(target: &str) -> Option<Command> {
    let output =
        Command::new("rustc").args(["--print", "target-libdir", "--target", target]).output().ok()?;
    let folder = String::from_utf8(output.stdout).ok()?;
    if Path::new(folder.trim()).is_dir() {
        return Some(crate::cargo());
    }
    if [DEBIAN_RUSTC, DEBIAN_CARGO, DEBIAN_SOURCE].iter().any(|path| !Path::new(path).exists()) {
        return None;
    }
    let mut cargo = Command::new(DEBIAN_CARGO);
    cargo.args(["-Zbuild-std=core,compiler_builtins", "-Zbuild-std-features=compiler-builtins-mem"]);
    cargo.env("RUSTC_BOOTSTRAP", "1").env("RUSTC", DEBIAN_RUSTC).env_remove("RUSTUP_TOOLCHAIN");
    Some(cargo)
}
