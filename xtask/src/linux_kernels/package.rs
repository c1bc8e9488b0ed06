//! What is kept of the packages of a kernel: itself, its configuration and some of its modules.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

use super::files;

/// What `tar` takes out, into one folder.
const KEPT: &[&str] = &["vmlinuz*", "vmlinux*", "config", "config-[0-9]*", "kernel/net/netfilter/*.ko*"];
/// The module that is asked first.
const FIRST: &str = "nf_conntrack.ko";

/// A kernel in a folder.
#[derive(Debug)]
pub(super) struct Package {
    pub(super) kernel: PathBuf,
    /// The text of the configuration that it was built with.
    config: String,
    /// The one that is asked first in front, then by name.
    pub(super) modules: Vec<PathBuf>,
}

impl Package {
    /// Opens a folder that packages were unpacked into.
    pub(super) fn open(folder: &Path) -> Result<Self> {
        let mut files = files(folder);
        files.sort_by_key(|file| (!name(file).starts_with(FIRST), name(file).to_owned()));
        let config =
            files.iter().find(|file| name(file).starts_with("config")).context("no configuration")?;
        let config = fs::read_to_string(config)?;
        let kernel = files.iter().find(|file| name(file).starts_with("vmlinu")).context("no kernel")?.clone();
        files.retain(|file| name(file).contains(".ko"));
        Ok(Self { kernel, config, modules: files })
    }

    /// Whether the kernel was built with an option.
    pub(super) fn has(&self, option: &str) -> bool {
        self.config.lines().any(|line| line.strip_prefix(option) == Some("=y"))
    }
}

/// The name of a file that has one in UTF-8, as all in a package have.
pub(super) fn name(file: &Path) -> &str {
    file.file_name().and_then(|name| name.to_str()).unwrap_or_default()
}

/// Takes what is kept out of a package.
pub(super) fn unpack(package: &Path, folder: &Path) -> Result<()> {
    let mut archive = Command::new("dpkg-deb")
        .arg("--fsys-tarfile")
        .arg(package)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .context("dpkg-deb")?;
    let packed = archive.stdout.take().context("a pipe")?;
    Command::new("tar")
        .args(["-x", "--transform", "s,.*/,,", "--wildcards", "--no-anchored", "-C"])
        .arg(folder)
        .args(KEPT)
        .stdin(packed)
        // Not every pattern finds something.
        .stderr(Stdio::null())
        .status()
        .context("tar")?;
    let status = archive.wait()?;
    ensure!(status.success(), "dpkg-deb: {}: {status}", package.display());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_option_is_set_or_not() {
        let config = "CONFIG_DEBUG_INFO_BTF=y\n# CONFIG_DEBUG_INFO_BTF_MODULES is not set\nCONFIG_A=m\n";
        let package = Package { kernel: PathBuf::new(), config: config.into(), modules: Vec::new() };
        assert!(package.has("CONFIG_DEBUG_INFO_BTF"));
        assert!(!package.has("CONFIG_DEBUG_INFO"));
        assert!(!package.has("CONFIG_DEBUG_INFO_BTF_MODULES"));
        assert!(!package.has("CONFIG_A"));
    }
}
