//! `cargo xtask layers`: no module of the core names one of a higher layer.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Modules of the core, lowest layer first; those of one line may name each other. A module stands for all below it that
/// have no line of their own.
const LAYERS: &[&[&str]] = &[
    // Knows no symbols, and so nothing of the crate; only text puts the two together.
    &["backtrace"],
    &["num"],
    &["bits", "crc"],
    &["image/hash", "image/layout"],
    &["error"],
    &["table"],
    &["name"],
    &["image/sections", "image/record", "image/tokens", "image/name_index", "image/sizes", "image/modules"],
    &["image/addresses"],
    &["image/native"],
    &["image", "image/verify", "image/reserved"],
    &["query"],
    &["text"],
];

/// Runs the task.
pub(crate) fn main(_: Vec<OsString>) -> ExitCode {
    let root = crate::root().join("kallsyms-core/src");
    let mut files = Vec::new();
    collect(&root, &mut files);
    let mut faults = 0;
    for file in &files {
        let module = module_of(file.strip_prefix(&root).unwrap_or(file));
        let text = fs::read_to_string(file).unwrap_or_default();
        let lines = text.lines().take_while(|line| !line.starts_with("#[cfg(test)]"));
        for (line, code) in (1..).zip(lines).filter(|(_, code)| !code.trim_start().starts_with("//")) {
            for named in references(code, &module) {
                if let Some(fault) = fault(&module, &named) {
                    faults += 1;
                    eprintln!("kallsyms-core/src/{module}.rs:{line}: {fault}");
                }
            }
        }
    }
    println!("layers: {} files, {faults} faults", files.len());
    if faults == 0 && files.len() > LAYERS.len() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for path in entries.map(|entry| entry.path()) {
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") && !path.ends_with("lib.rs") {
            files.push(path);
        }
    }
    files.sort();
}

/// `image/mod.rs` is `image`, `image/record.rs` is `image/record`.
fn module_of(file: &Path) -> String {
    let path = file.with_extension("").to_string_lossy().replace('\\', "/");
    path.strip_suffix("/mod").map(str::to_owned).unwrap_or(path)
}

/// The modules that a line names by `crate::…` or `super::…`.
fn references(code: &str, module: &str) -> Vec<String> {
    let mut found = Vec::new();
    let parent = module.rsplit_once('/').map_or("", |(parent, _)| parent);
    for (start, base) in [("crate::", ""), ("super::", parent)] {
        for (at, _) in code.match_indices(start) {
            let rest = &code[at + start.len()..];
            let path: Vec<&str> = rest
                .split("::")
                .map(|part| part.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or(""))
                .take_while(|part| part.starts_with(|c: char| c.is_ascii_lowercase()))
                .take(2)
                .collect();
            let path = path.join("/");
            found.push(match (base.is_empty(), path.is_empty()) {
                (true, _) => path,
                (false, true) => base.to_owned(),
                (false, false) => format!("{base}/{path}"),
            });
        }
    }
    found.retain(|named| !named.is_empty());
    found
}

fn fault(module: &str, named: &str) -> Option<String> {
    match (rank(module), rank(named)) {
        (None, _) => Some(format!("{module} is in no layer: give it one in xtask/src/layers.rs")),
        (Some(own), Some(other)) if other > own => Some(format!("{module} names the higher layer {named}")),
        _ => None,
    }
}

/// The layer of the longest known module that holds this path.
fn rank(path: &str) -> Option<usize> {
    let mut path = path;
    loop {
        if let Some(rank) = LAYERS.iter().position(|layer| layer.contains(&path)) {
            return Some(rank);
        }
        path = path.rsplit_once('/')?.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lower_layers_name_no_higher_ones() {
        assert_eq!(
            references("use crate::text::Name;", "image/native"),
            ["text/"].map(|m| m.trim_end_matches('/'))
        );
        assert_eq!(references("use super::native::Native;", "image/addresses"), ["image/native"]);
        assert!(fault("image/native", "text").is_some());
        assert!(fault("image/addresses", "image/native").is_some());
        assert!(fault("query/by_name", "table").is_none());
        assert!(fault("text/name", "name").is_none());
        assert!(fault("backtrace/frames", "query").is_some());
        assert!(fault("backtrace/frames", "backtrace/x86_64").is_none());
        assert!(fault("unheard_of", "num").is_some());
    }
}
