//! Builds the kernel and gives it its table.

use super::elf::{Elf, Function};
use super::scenarios::{Scenario, Table};
use super::table;
use anyhow::{Context, Result, anyhow, ensure};
use std::cell::OnceCell;
use std::collections::BTreeMap;
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

    /// Links without a table, makes the table of that, and links again with it; no function may have moved.
    fn link_twice(&self) -> Result<Kernel> {
        let feature = ["--features", "two-pass"];
        let first = self.build(&feature, None)?;
        let object = self.file("kallsyms.o")?;
        fs::write(&object, table::object(&first)?)
            .with_context(|| format!("cannot write {}", object.display()))?;
        let second = self.build(&feature, Some(&object))?;
        let second = Kernel::write(self.file("two-pass")?, second)?;
        stayed(&Elf { bytes: first }.functions()?, &second.elf.functions()?)?;
        Ok(second)
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
        let mut cargo = crate::cargo();
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

/// Most moved functions that a message lists.
const LISTED: usize = 10;

/// Fails if the second link moved a function: the table holds the addresses of the first.
fn stayed(first: &[Function], second: &[Function]) -> Result<()> {
    ensure!(!first.is_empty(), "the first link has no function");
    let moved = moved(first, second);
    let listed: String = moved.iter().take(LISTED).map(|line| format!("\n  {line}")).collect();
    let more = if moved.len() > LISTED { "\n  …" } else { "" };
    ensure!(moved.is_empty(), "{} functions moved between the links:{listed}{more}", moved.len());
    Ok(())
}

/// Each function that is not where it was: its name, from where, to where.
fn moved(first: &[Function], second: &[Function]) -> Vec<String> {
    // Instances of a generic function share a name, so a name has several addresses.
    let mut names = BTreeMap::<&str, [Vec<u64>; 2]>::new();
    for (link, functions) in [first, second].into_iter().enumerate() {
        for function in functions {
            names.entry(&function.name).or_default()[link].push(function.address);
        }
    }
    let mut moved = Vec::new();
    for (name, addresses) in names {
        let [from, to] = only_in_one(addresses);
        let place = |address: Option<&u64>| address.map_or("nowhere".into(), |at| format!("{at:#x}"));
        for index in 0..from.len().max(to.len()) {
            moved.push(format!("{name} from {} to {}", place(from.get(index)), place(to.get(index))));
        }
    }
    moved
}

/// The addresses, in order, without those that stand in both lists.
fn only_in_one([mut from, mut to]: [Vec<u64>; 2]) -> [Vec<u64>; 2] {
    from.sort_unstable();
    to.sort_unstable();
    from.retain(|address| match to.binary_search(address) {
        Ok(same) => {
            to.remove(same);
            false
        }
        Err(_) => true,
    });
    [from, to]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn functions(list: &[(&str, u64)]) -> Vec<Function> {
        let function = |&(name, address): &(&str, u64)| Function { name: name.into(), address, size: 16 };
        list.iter().map(function).collect()
    }

    fn message(first: &[(&str, u64)], second: &[(&str, u64)]) -> Result<(), String> {
        stayed(&functions(first), &functions(second)).map_err(|error| error.to_string())
    }

    #[test]
    fn the_order_of_the_symbols_does_not_matter() {
        let first = [("a", 0x10), ("same", 0x20), ("same", 0x30), ("alias", 0x10)];
        let mut second = first;
        second.reverse();
        assert_eq!(message(&first, &second), Ok(()));
    }

    #[test]
    fn what_moved_is_named() {
        let first = [("a", 0x10), ("same", 0x20), ("same", 0x30), ("gone", 0x50), ("same", 0x30)];
        let second = [("same", 0x30), ("same", 0x30), ("a", 0x10), ("same", 0x24), ("new", 0x60)];
        let lines = ["gone from 0x50 to nowhere", "new from nowhere to 0x60", "same from 0x20 to 0x24"];
        let text = format!("3 functions moved between the links:\n  {}", lines.join("\n  "));
        assert_eq!(message(&first, &second), Err(text));
    }

    #[test]
    fn at_most_ten_are_listed() {
        let names: Vec<String> = (0..12).map(|number| format!("f{number:02}")).collect();
        let link =
            |start: u64| -> Vec<(&str, u64)> { names.iter().map(String::as_str).zip(start..).collect() };
        let text = message(&link(0x100), &link(0x200)).unwrap_err();
        assert!(
            text.starts_with("12 functions moved between the links:\n  f00 from 0x100 to 0x200\n"),
            "{text}"
        );
        assert!(text.ends_with("\n  f09 from 0x109 to 0x209\n  …"), "{text}");
    }

    #[test]
    fn a_kernel_without_functions_is_no_proof() {
        assert!(message(&[], &[]).is_err());
    }
}
