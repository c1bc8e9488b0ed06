//! What painted stacks tell: on the host over many tables, in the demo kernel over its own.

use std::collections::BTreeMap;

use anyhow::{Context, Result, ensure};

use crate::demo;

/// The column of the demo kernel.
pub(super) const GUEST: &str = "guest";

/// What the host prints last where a kernel's own tables are among those that it asks.
const WITH_A_KERNEL: &str = "with a kernel's own tables";

/// Bytes by question, then by layout; and the kind of each question.
#[derive(Debug, Default)]
pub(super) struct Painted {
    /// The kind of every question.
    pub(super) kinds: BTreeMap<String, String>,
    /// Bytes, by question and layout.
    pub(super) bytes: BTreeMap<(String, String), u64>,
    /// Why they are not those of every table there is, if they are not.
    pub(super) lacks: Vec<String>,
}

impl Painted {
    fn add(&mut self, question: &str, kind: &str, layout: &str, bytes: &str) -> Result<()> {
        let bytes = bytes.parse().with_context(|| format!("bytes of {question}: {bytes}"))?;
        self.kinds.insert(question.to_owned(), kind.to_owned());
        self.bytes.insert((question.to_owned(), layout.to_owned()), bytes);
        Ok(())
    }

    /// The most bytes of a question.
    pub(super) fn most(&self, question: &str) -> u64 {
        let of_it = self.bytes.iter().filter(|((name, _), _)| name == question);
        of_it.map(|(_, &bytes)| bytes).max().unwrap_or(0)
    }
}

/// Measures both.
pub(super) fn measure() -> Result<Painted> {
    let mut painted = Painted::default();
    host(&mut painted)?;
    guest(&mut painted)?;
    Ok(painted)
}

fn host(painted: &mut Painted) -> Result<()> {
    let program = ["run", "--quiet", "--release", "--package", "kallsyms-host-tests", "--bin", "stack"];
    let output = crate::cargo()
        .args(program)
        .current_dir(crate::root())
        .stderr(std::process::Stdio::inherit())
        .output()?;
    ensure!(output.status.success(), "the questions cannot be asked on the host");
    let text = String::from_utf8(output.stdout)?;
    for line in text.lines() {
        if let [question, kind, layout, bytes] = line.split('\t').collect::<Vec<_>>()[..] {
            painted.add(question, kind, layout, bytes)?;
        }
    }
    if !text.lines().any(|line| line == WITH_A_KERNEL) {
        painted.lacks.push("a kernel's own tables are not there".to_owned());
    }
    Ok(())
}

/// The demo kernel; skipped without QEMU, which `REQUIRE_QEMU=1` makes a failure.
fn guest(painted: &mut Painted) -> Result<()> {
    if let Err(error) = demo::has_qemu() {
        let required = crate::is_required("REQUIRE_QEMU");
        ensure!(!required, "REQUIRE_QEMU is set: {error:#}");
        eprintln!("stack: SKIPPED: the demo kernel: {error:#}");
        painted.lacks.push("QEMU is missing".to_owned());
        return Ok(());
    }
    for line in demo::printed("stack")? {
        if let [question, kind, bytes] = line.split_whitespace().collect::<Vec<_>>()[..]
            && line.starts_with("  ")
        {
            painted.add(question, kind, GUEST, bytes)?;
        }
    }
    Ok(())
}
