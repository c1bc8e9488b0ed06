//! Builds the kernel and gives it its table.

use super::elf::Elf;
use super::scenarios::{Scenario, Table};
use super::table;
use anyhow::{Context, Result, anyhow, ensure};
use std::cell::OnceCell;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// Flags of the kernel and of everything that is linked into it.
const RUST_FLAGS: &[&str] =
    &["--cfg", "kernel", "-Cforce-frame-pointers=yes", "-Csymbol-mangling-version=v0", "-Cpanic=abort"];

/// A kernel with its table.
#[derive(Debug)]
pub(super) struct Kernel {
    /// What QEMU boots.
    pub(super) path: PathBuf,
    /// The same file, read.
    pub(super) elf: Elf,
}

impl Kernel {
    /// Writes a new file: cargo's own outputs are hard links.
    fn write(path: PathBuf, bytes: Vec<u8>) -> Result<Self> {
        fs::write(&path, &bytes).with_context(|| format!("cannot write {}", path.display()))?;
        Ok(Self { path, elf: Elf { bytes } })
    }
}

/// The kernels of one run of the demo, each made, or failed to be made, when it is first asked for.
#[derive(Debug)]
pub(super) struct Kernels {
    target: &'static str,
    root: &'static Path,
    folder: PathBuf,
    embedded: OnceCell<Result<Kernel, String>>,
    damaged: OnceCell<Result<Kernel, String>>,
    linked: OnceCell<Result<Kernel, String>>,
}

impl Kernels {
    /// Kernels for `target`, built in `folder`.
    pub(super) fn new(target: &'static str, root: &'static Path, folder: PathBuf) -> Self {
        let [embedded, damaged, linked] = [const { OnceCell::new() }; 3];
        Self { target, root, folder, embedded, damaged, linked }
    }

    /// The kernel that a scenario boots.
    pub(super) fn for_scenario(&self, scenario: &Scenario) -> Result<&Kernel> {
        match scenario.table {
            Table::Embedded => self.embedded(),
            Table::Damaged => made(&self.damaged, || self.damaged_copy()),
            Table::Linked => made(&self.linked, || self.link_twice()),
        }
    }

    fn embedded(&self) -> Result<&Kernel> {
        made(&self.embedded, || {
            let built = self.build(&[], None)?;
            Kernel::write(self.file("embedded")?, table::embed(built)?)
        })
    }

    /// A copy of the kernel with one byte in the middle of its table changed.
    fn damaged_copy(&self) -> Result<Kernel> {
        let elf = &self.embedded()?.elf;
        let table = elf.data("qemu_demo::symbols::TABLE")?;
        let mut bytes = elf.bytes.clone();
        // Past the header and the section table, inside every image that a kernel has.
        let byte = bytes.get_mut(table.start + 1024).context("the table is too short")?;
        *byte ^= 0x40;
        Kernel::write(self.file("damaged")?, bytes)
    }

    /// Links without a table, makes the table of that, and links again with it.
    fn link_twice(&self) -> Result<Kernel> {
        let feature = ["--features", "two-pass"];
        let first = self.build(&feature, None)?;
        let object = self.file("kallsyms.o")?;
        fs::write(&object, table::object(&first)?)
            .with_context(|| format!("cannot write {}", object.display()))?;
        let second = self.build(&feature, Some(&object))?;
        Kernel::write(self.file("two-pass")?, second)
    }

    /// A file beside cargo's.
    fn file(&self, name: &str) -> Result<PathBuf> {
        let folder = self.folder.join("images");
        fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
        Ok(folder.join(name))
    }

    /// A nested `cargo build`: the kernel as it was linked.
    fn build(&self, options: &[&str], object: Option<&Path>) -> Result<Vec<u8>> {
        let mut cargo = self.cargo("build");
        cargo.args(options);
        if let Some(object) = object {
            cargo.env("KALLSYMS_OBJECT", object);
        }
        let status = cargo.status().context("cannot start cargo")?;
        ensure!(status.success(), "the kernel does not build");
        let path = self.folder.join(self.target).join("kernel/qemu-demo");
        fs::read(&path).with_context(|| format!("cannot read {}", path.display()))
    }

    /// Clippy over what a host build leaves out, with and without the table's object file.
    pub(super) fn clippy(&self) -> Result<()> {
        for features in ["", "two-pass"] {
            let mut cargo = self.cargo("clippy");
            let status = cargo.args(["--features", features, "--", "-D", "warnings"]).status();
            ensure!(status.context("cannot start cargo")?.success(), "clippy has something to say");
        }
        Ok(())
    }

    /// A cargo command on the kernel that nothing in the environment steers.
    fn cargo(&self, command: &str) -> Command {
        let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        for (name, _) in env::vars_os().filter(|(name, _)| steers_a_build(name)) {
            cargo.env_remove(name);
        }
        cargo
            .current_dir(self.root)
            .args([command, "--package", "qemu-demo", "--profile", "kernel", "--target", self.target])
            .arg("--target-dir")
            .arg(&self.folder)
            .env("CARGO_ENCODED_RUSTFLAGS", RUST_FLAGS.join("\x1f"))
            .env("DEFMT_LOG", "info");
        cargo
    }
}

/// Whether a variable would change the nested build.
fn steers_a_build(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    let prefixes = ["CARGO_PROFILE_", "CARGO_BUILD_"];
    let names = ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "KALLSYMS_OBJECT", "DEFMT_LOG"];
    names.contains(&&*name) || prefixes.iter().any(|prefix| name.starts_with(prefix))
}

/// The kernel of a cell, made the first time.
fn made(cell: &OnceCell<Result<Kernel, String>>, make: impl FnOnce() -> Result<Kernel>) -> Result<&Kernel> {
    let made = cell.get_or_init(|| make().map_err(|error| format!("{error:#}")));
    made.as_ref().map_err(|error| anyhow!("{error}"))
}
