//! What the compiler's own stack sizes add up to, of the questions and what they call of the core.

use std::collections::BTreeMap;
use std::fs;

use anyhow::{Context, Result, ensure};

use super::graph::{Depth, Graph};

/// What the functions begin with.
const MODULES: [&str; 2] = ["stack::questions::", "stack::others::"];

/// Of each function: the deepest stack, by what its table is made of, `""` where it asks no table.
pub(super) type Compiled = BTreeMap<(String, &'static str), Depth>;

/// Builds the questions and adds up.
pub(super) fn measure() -> Result<Compiled> {
    let graph = Graph::read(&build()?)?;
    let wanted = |name: &str| MODULES.iter().any(|module| name.starts_with(module)) && !name.contains('{');
    let mut compiled = Compiled::new();
    for (name, depth) in graph.depths(wanted)? {
        let name = MODULES.iter().find_map(|module| name.strip_prefix(module)).unwrap_or(&name);
        let question = name.split("::<").next().unwrap_or(name);
        let layout = if name.contains("native::Native") {
            "image"
        } else if name.contains("linux::") {
            "Linux"
        } else {
            ""
        };
        // Linux's tables with an index of their names and without: the deeper of the two.
        let deepest = compiled.entry((question.to_owned(), layout)).or_insert_with(|| depth.clone());
        if depth.bytes > deepest.bytes {
            *deepest = depth;
        }
    }
    Ok(compiled)
}

/// Builds the example as a kernel would be: no function uses memory below its stack pointer.
fn build() -> Result<Vec<Vec<u8>>> {
    let folder = crate::target_folder("stack")?;
    let status = crate::cargo()
        .args(["rustc", "--quiet", "--release", "--package", "kallsyms-core", "--example", "stack"])
        .arg("--target-dir")
        .arg(&folder)
        .args(["--", "-Ccodegen-units=1"])
        .current_dir(crate::root())
        .env("RUSTC_BOOTSTRAP", "1")
        .env("CARGO_ENCODED_RUSTFLAGS", "-Zemit-stack-sizes\x1f-Cno-redzone=yes")
        .status()?;
    ensure!(status.success(), "the questions do not build");
    let release = folder.join("release");
    let mut archives = vec![fs::read(release.join("examples/libstack.rlib"))?];
    for entry in fs::read_dir(release.join("deps"))? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with("libkallsyms_core") && name.ends_with(".rlib") {
            archives.push(fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?);
        }
    }
    Ok(archives)
}
