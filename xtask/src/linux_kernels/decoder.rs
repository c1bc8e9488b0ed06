//! A decoder of Linux's tables that others wrote: the Python package `vmlinux-to-elf`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::output;

/// The package, and the version that is known to be right where it gives an answer.
pub(super) const NAME: &str = "vmlinux-to-elf 1.4.0";
const REQUIREMENT: &str = "vmlinux-to-elf==1.4.0";

/// The decoder, in an environment of its own.
#[derive(Debug)]
pub(super) struct Decoder {
    programs: PathBuf,
    work: PathBuf,
}

/// A symbol of a listing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) address: u64,
    pub(super) kind: u8,
    pub(super) name: String,
}

impl Decoder {
    /// Installs it, unless it is there.
    pub(super) fn install(folder: &Path) -> Result<Self> {
        let decoder = Self { programs: folder.join("bin"), work: folder.join("work") };
        if !decoder.programs.join("kallsyms-finder").exists() {
            output(Command::new("python3").args(["-m", "venv"]).arg(folder))?;
            let pip = decoder.programs.join("pip");
            output(Command::new(pip).args(["install", "--quiet", REQUIREMENT]))?;
        }
        fs::create_dir_all(&decoder.work)?;
        Ok(decoder)
    }

    /// Its listing of a kernel.
    ///
    /// It guesses the architecture, and does not know all: then it is told the width of a pointer, and given
    /// the kernel as it has unpacked it itself.
    pub(super) fn listing(&self, kernel: &Path, bits: u32) -> Result<Vec<Line>> {
        let bits = bits.to_string();
        let sized = ["--bit-size", bits.as_str()];
        self.finder(kernel, &[]).or_else(|_| self.finder(kernel, &sized)).or_else(|_| {
            let unpacked = self.work.join("unpacked");
            output(self.program("vmlinuz-decompressor").arg(kernel).arg(&unpacked))?;
            self.finder(&unpacked, &sized)
        })
    }

    fn finder(&self, kernel: &Path, options: &[&str]) -> Result<Vec<Line>> {
        let text = output(self.program("kallsyms-finder").args(options).arg(kernel))?;
        text.lines().map(|line| parse(line).with_context(|| format!("its listing: `{line}`"))).collect()
    }

    fn program(&self, name: &str) -> Command {
        Command::new(self.programs.join(name))
    }
}

/// `address type name`.
fn parse(line: &str) -> Option<Line> {
    let mut words = line.splitn(3, ' ');
    let address = u64::from_str_radix(words.next()?, 16).ok()?;
    let kind = *words.next()?.as_bytes().first()?;
    Some(Line { address, kind, name: words.next()?.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_parsed() {
        let line = Line { address: 0xc030_0000, kind: b'T', name: "_stext".into() };
        assert_eq!(parse("c0300000 T _stext"), Some(line));
        assert_eq!(parse("not a line"), None);
        assert_eq!(parse(""), None);
    }
}
