//! The target that the kernel is built for.

use anyhow::{Context, Result, ensure};
use std::env;
use std::path::Path;
use std::process::Command;

/// The target for kernels.
const BARE: &str = "x86_64-unknown-none";
/// The host target, whose core library serves too.
const HOSTED: &str = "x86_64-unknown-linux-gnu";

/// The bare target where its core library is installed, else the host's, freestanding.
pub(super) fn choose() -> Result<&'static str> {
    for target in [BARE, HOSTED] {
        let output = Command::new(rustc())
            .args(["--print", "target-libdir", "--target", target])
            .output()
            .context("cannot start rustc")?;
        ensure!(output.status.success(), "rustc does not know {target}");
        let folder = String::from_utf8(output.stdout)?;
        if has_core(Path::new(folder.trim())) {
            return Ok(target);
        }
    }
    anyhow::bail!("neither {BARE} nor {HOSTED} is installed: rustup target add {BARE}")
}

/// rustc names the folder of a target that is not installed, too.
fn has_core(folder: &Path) -> bool {
    let Ok(files) = folder.read_dir() else { return false };
    files.flatten().any(|file| file.file_name().to_string_lossy().starts_with("libcore-"))
}

fn rustc() -> std::ffi::OsString {
    env::var_os("RUSTC").unwrap_or_else(|| "rustc".into())
}
