//! The public functions of the core, as rustdoc finds them.

use std::collections::HashSet;
use std::fmt;
use std::fs;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::reached::Place;

/// A public function with a body, or one of a trait that the core implements by hand.
#[derive(Debug)]
pub(super) struct Function {
    name: String,
    /// Its file from the repository on.
    file: String,
    first: u64,
    last: u64,
}

impl Function {
    /// Whether compiled code was declared here.
    pub(super) fn holds(&self, place: &Place) -> bool {
        self.name == place.name && place.file == self.file && (self.first..=self.last).contains(&place.line)
    }
}

impl fmt::Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({}:{})", self.name, self.file, self.first)
    }
}

/// All of them; the format of rustdoc's JSON is not stable, so that the toolchain has to be told that it may.
pub(super) fn functions() -> Result<Vec<Function>> {
    let folder = crate::target_folder("panics/api")?;
    let status = crate::cargo()
        .args(["rustdoc", "--quiet", "--package", "kallsyms-core", "--lib", "--target-dir"])
        .arg(&folder)
        .args(["--", "-Zunstable-options", "--output-format", "json"])
        .current_dir(crate::root())
        .env("RUSTC_BOOTSTRAP", "1")
        .env_remove("RUSTDOCFLAGS")
        .status()?;
    ensure!(status.success(), "rustdoc cannot list the public functions");
    let path = folder.join("doc/kallsyms_core.json");
    let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    functions_of(&serde_json::from_str(&text)?)
}

fn functions_of(document: &Value) -> Result<Vec<Function>> {
    let items = document["index"].as_object().context("rustdoc's list has no index")?;
    // What `derive` writes is not the core's.
    let derived: HashSet<String> = items
        .values()
        .filter(|item| item["attrs"].to_string().contains("automatically_derived"))
        .flat_map(|item| item["inner"]["impl"]["items"].as_array().cloned().unwrap_or_default())
        .map(|id| id.to_string())
        .collect();
    let mut functions = Vec::new();
    for item in items.values().filter(|item| item["inner"]["function"]["has_body"] == true) {
        let file = item["span"]["filename"].as_str().unwrap_or_default();
        if !file.starts_with("kallsyms-core/src/") || derived.contains(&item["id"].to_string()) {
            continue;
        }
        let line = |end: &str| item["span"][end][0].as_u64().context("a function without a line");
        functions.push(Function {
            name: item["name"].as_str().context("a function without a name")?.to_owned(),
            file: file.to_owned(),
            first: line("begin")?,
            last: line("end")?,
        });
    }
    functions.sort_by(|a, b| (&a.file, a.first).cmp(&(&b.file, b.first)));
    ensure!(functions.len() > 100, "rustdoc lists only {} functions", functions.len());
    Ok(functions)
}
