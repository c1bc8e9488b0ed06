//! The BTF of a kernel, as the command line gives it: there where the configuration says so, sound, the same as
//! `bpftool` reads, and a base of the kernel's modules.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use kallsyms_gen::extract::{BtfPlace, extract_btf};

use super::package::{self, Package};
use super::{is_there, output, output_bytes};

/// What a kernel is configured with that has BTF, and whose modules have.
pub(super) const BTF: &str = "CONFIG_DEBUG_INFO_BTF";
const BTF_OF_MODULES: &str = "CONFIG_DEBUG_INFO_BTF_MODULES";
/// A structure that every kernel has once.
const STRUCT: &str = "task_struct";

/// What does the checks.
#[derive(Debug)]
pub(super) struct Checker {
    program: PathBuf,
    extracted: PathBuf,
    has_bpftool: bool,
}

/// What the BTF of a kernel turned out to be.
#[derive(Debug)]
pub(super) enum Report {
    /// The kernel is configured without.
    None,
    /// All that was asked holds.
    Sound { types: String, compared: bool, module: Option<String> },
}

impl Checker {
    /// Builds the command line; `cache` gets a folder for what it extracts. Fails without `bpftool` only where
    /// that is asked for.
    pub(super) fn new(cache: &Path) -> Result<Self> {
        let has_bpftool = is_there("bpftool");
        if !has_bpftool {
            let required = crate::is_required("REQUIRE_BTF_PEERS");
            ensure!(!required, "REQUIRE_BTF_PEERS is set, but bpftool is not installed");
            println!("linux-kernels: SKIPPED: the comparison with bpftool: it is not installed");
        }
        Ok(Self { program: build()?, extracted: cache.join("extracted"), has_bpftool })
    }

    /// Fails if the configuration and the kernel disagree, or the BTF is not as it has to be.
    pub(super) fn check(&self, package: &Package) -> Result<Report> {
        let _ = fs::remove_dir_all(&self.extracted);
        self.kallsyms(&["extract", "-o"], &[&self.extracted, &package.kernel])?;
        let btf = self.extracted.join("btf.bin");
        if !package.has(BTF) {
            ensure!(!btf.exists(), "extract writes btf.bin, and {BTF} is not set");
            return Ok(Report::None);
        }
        ensure!(btf.exists(), "extract writes no btf.bin, and {BTF} is set");
        let types = self.sound(&[&btf])?;
        let found = self.kallsyms(&["btf", "find", "--kind", "struct"], &[&btf, Path::new(STRUCT)])?;
        ensure!(is_one_struct(&found), "btf find {STRUCT}: {}", found.trim());
        if self.has_bpftool {
            self.compare(&btf)?;
        }
        let module = if package.has(BTF_OF_MODULES) { Some(self.module(package, &btf)?) } else { None };
        Ok(Report::Sound { types, compared: self.has_bpftool, module })
    }

    /// Every byte of the dump.
    fn compare(&self, btf: &Path) -> Result<()> {
        let own = output_bytes(Command::new(&self.program).args(["btf", "dump"]).arg(btf))?;
        let other = output_bytes(Command::new("bpftool").args(["btf", "dump", "file"]).arg(btf))?;
        match first_difference(&own, &other) {
            None => Ok(()),
            Some((line, own, other)) => {
                bail!("btf dump: line {line} is `{own}`, bpftool has `{other}`")
            }
        }
    }

    /// The first module with a section of BTF, over that of the kernel.
    fn module(&self, package: &Package, base: &Path) -> Result<String> {
        let with_btf = |file: &&PathBuf| {
            let found = fs::read(file).ok().and_then(|bytes| extract_btf(&bytes).ok());
            found.is_some_and(|found| matches!(found.btf.place, BtfPlace::Section(_)))
        };
        let module = package.modules.iter().find(with_btf).with_context(|| {
            format!("none of {} modules has BTF, and {BTF_OF_MODULES} is set", package.modules.len())
        })?;
        let name = package::name(module);
        self.sound(&[Path::new("--base"), base, module]).with_context(|| name.to_owned())?;
        Ok(name.to_owned())
    }

    /// How many types there are, if all references between them are sound.
    fn sound(&self, arguments: &[&Path]) -> Result<String> {
        let stat = self.kallsyms(&["btf", "stat"], arguments)?;
        let references = fact(&stat, "references")?;
        ensure!(references == "sound", "btf stat: references: {references}");
        let types = fact(&stat, "types")?;
        Ok(types.split(',').next().unwrap_or(types).to_owned())
    }

    fn kallsyms(&self, command: &[&str], arguments: &[&Path]) -> Result<String> {
        output(Command::new(&self.program).args(command).args(arguments)).context(command.join(" "))
    }
}

/// The command line, in the same profile and folder as this task.
fn build() -> Result<PathBuf> {
    let own = std::env::current_exe()?;
    let mut build = crate::cargo();
    build
        .args(["build", "--quiet", "--package", "kallsyms-gen", "--bin", "kallsyms"])
        .current_dir(crate::root());
    if own.parent().is_some_and(|folder| folder.ends_with("release")) {
        build.arg("--release");
    }
    output(&mut build)?;
    Ok(own.with_file_name("kallsyms"))
}

/// The first line that is another, by its number, in both; one that is not there is empty.
fn first_difference(own: &[u8], other: &[u8]) -> Option<(usize, String, String)> {
    if own == other {
        return None;
    }
    let lines = |text| <[u8]>::split_inclusive(text, |&byte| byte == b'\n');
    let same = lines(own).zip(lines(other)).take_while(|(own, other)| own == other).count();
    let line = |text| lines(text).nth(same).unwrap_or_default().escape_ascii().to_string();
    Some((same + 1, line(own), line(other)))
}

/// What follows the name of a fact.
fn fact<'t>(stat: &'t str, name: &str) -> Result<&'t str> {
    let value = |line: &'t str| line.strip_prefix(name)?.strip_prefix(' ').map(str::trim);
    stat.lines().find_map(value).with_context(|| format!("btf stat says nothing of `{name}`"))
}

/// Whether the text is `[N] STRUCT 'task_struct'` and nothing else.
fn is_one_struct(found: &str) -> bool {
    let id = || found.strip_prefix('[')?.strip_suffix(&format!("] STRUCT '{STRUCT}'\n"));
    id().is_some_and(|id| id.parse::<u32>().is_ok())
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => write!(f, "no BTF, as configured"),
            Self::Sound { types, compared, module } => {
                let dump = if *compared { "the same as bpftool in every byte" } else { "NOT COMPARED" };
                write!(f, "BTF of {types} types, sound, {dump}, ")?;
                match module {
                    Some(module) => write!(f, "and the base of {module}"),
                    None => write!(f, "and none in its modules, as configured"),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_are_found_by_their_whole_name() {
        let stat = "types            95068, 1 to 95068\nreferences       sound\ntype section     24 bytes\n";
        assert_eq!(fact(stat, "references").ok(), Some("sound"));
        assert_eq!(fact(stat, "type section").ok(), Some("24 bytes"));
        assert_eq!(fact(stat, "types").ok(), Some("95068, 1 to 95068"));
        assert!(fact(stat, "ref").is_err());
    }

    #[test]
    fn the_first_other_line_is_named() {
        assert_eq!(first_difference(b"a\nb\n", b"a\nb\n"), None);
        assert_eq!(first_difference(b"a\nb\n", b"a\n\xff\n"), Some((2, "b\\n".into(), "\\xff\\n".into())));
        assert_eq!(first_difference(b"a\n", b"a"), Some((1, "a\\n".into(), "a".into())));
        assert_eq!(first_difference(b"a\n", b"a\nb"), Some((2, String::new(), "b".into())));
    }

    #[test]
    fn one_struct_is_one_line() {
        let line = "[191] STRUCT 'task_struct'\n";
        assert!(is_one_struct(line));
        assert!(!is_one_struct(&line.repeat(2)));
        assert!(!is_one_struct("[191] FWD 'task_struct'\n"));
        assert!(!is_one_struct(""));
    }
}
