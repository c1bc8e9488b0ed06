//! `cargo xtask layers`: no module of the core names one of a higher layer.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Modules of the core, lowest layer first; those of one line may name each other. A module stands for all
/// below it that have no line of their own.
const LAYERS: &[&[&str]] = &[
    // Knows no symbols, and so nothing of the crate; only text puts the two together.
    &["backtrace"],
    &["debug", "num", "pieces"],
    &["bits", "crc", "endian", "lossy"],
    &["image/hash", "image/layout"],
    &["error"],
    &["linux/format", "linux/error", "linux/bounds", "linux/bisect", "llvm"],
    &["linux/numbers"],
    &["linux/tokens", "linux/region", "linux/skip"],
    &["linux/order"],
    &["table"],
    &["name"],
    &["glob"],
    &["procfs"],
    &["linux/records", "linux/addresses", "linux/name_ranks", "linux/name_index"],
    // The symbols of a name are part of what a layout is.
    &["linux/kallsyms", "linux/named"],
    &["linux/indexed"],
    &["linux"],
    &["image/sections", "image/record", "image/tokens", "image/name_index", "image/sizes", "image/modules"],
    &["image/addresses", "image/codes"],
    &["image/native"],
    &["image", "image/verify", "image/reserved"],
    &["query"],
    &["btf/type_id", "btf/kind"],
    &["btf/format", "btf/strings", "btf/offsets"],
    &["btf/header", "btf/name_hash"],
    &["btf/error"],
    // A split names its base, and that the way in which it is searched.
    &["btf/btf", "btf/types", "btf/lists", "btf/layer", "btf/linear", "btf/sorted", "btf/hash_index"],
    &["btf/parse", "btf/resolve"],
    &["btf/check", "btf/member", "btf/find", "btf/permute", "btf/declaration"],
    &["btf"],
    &["text"],
    // Only in tests.
    &["counted", "btf/declaration/tests"],
];

/// The root of the crate, which has names of every layer.
const ROOT: &str = "lib";

/// Runs the task.
pub(crate) fn main(_: Vec<OsString>) -> ExitCode {
    let root = crate::root().join("kallsyms-core/src");
    let mut files = sources(&root);
    // The crate's root names all of them.
    files.retain(|file| !file.ends_with("lib.rs"));
    let mut faults = 0;
    for file in &files {
        let module = module_of(file.strip_prefix(&root).unwrap_or(file));
        let text = fs::read_to_string(file).unwrap_or_default();
        for (line, code) in statements(&text) {
            for named in references(&code, &module) {
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

/// Every file of code in a folder and below it, but for what cargo builds there.
pub(crate) fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    collect(folder, &mut files);
    files.sort();
    files
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for path in entries.map(|entry| entry.path()) {
        if path.is_dir() && !path.ends_with("target") {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

/// `image/mod.rs` is `image`, `image/record.rs` is `image/record`.
fn module_of(file: &Path) -> String {
    let path = file.with_extension("").to_string_lossy().replace('\\', "/");
    path.strip_suffix("/mod").map(str::to_owned).unwrap_or(path)
}

/// The lines of a file with their numbers, without comments and without what only tests have.
fn code(text: &str) -> Vec<(usize, &str)> {
    let mut code = Vec::new();
    let mut lines = (1..).zip(text.lines());
    while let Some((number, line)) = lines.next() {
        if !line.starts_with("#[cfg(test)]") {
            code.push((number, line.split_once("//").map_or(line, |(code, _)| code)));
        } else if !lines.next().is_some_and(|(_, item)| item.ends_with(';')) {
            // The tests themselves, to the end of the file; a module elsewhere is only that line.
            break;
        }
    }
    code
}

/// The code of a file, each import on one line with the number of its first.
fn statements(text: &str) -> Vec<(usize, String)> {
    let mut statements = Vec::new();
    let mut lines = code(text).into_iter();
    while let Some((number, line)) = lines.next() {
        let mut statement = line.trim().to_owned();
        while import(&statement).is_some()
            && !statement.contains(';')
            && let Some((_, next)) = lines.next()
        {
            statement = format!("{statement} {}", next.trim());
        }
        statements.push((number, statement));
    }
    statements
}

/// What stands behind the `use` of an import.
fn import(statement: &str) -> Option<&str> {
    let rest = match statement.strip_prefix("pub") {
        Some(rest) => rest
            .trim_start()
            .strip_prefix('(')
            .map_or(rest, |scope| scope.split_once(')').map_or("", |(_, rest)| rest)),
        None => statement,
    };
    rest.trim_start().strip_prefix("use ")
}

/// The paths of an import: `a::{b, c::{d, e}}` is `a::b`, `a::c::d` and `a::c::e`.
fn paths(tree: &str) -> Vec<String> {
    let tree = tree.trim();
    let Some((prefix, group)) = tree.split_once('{') else { return vec![tree.to_owned()] };
    let mut depth = 0_usize;
    let members = group.trim_end_matches(';').trim_end().strip_suffix('}').unwrap_or(group).split(|c| {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    });
    let members = members.filter(|member| !member.trim().is_empty());
    members.flat_map(paths).map(|path| format!("{}{path}", prefix.trim())).collect()
}

/// The modules that a statement names by `crate::…` or `super::…`.
fn references(statement: &str, module: &str) -> Vec<String> {
    let mut found = match import(statement) {
        Some(tree) => paths(tree).iter().flat_map(|path| named(path, module)).collect(),
        None => named(statement, module),
    };
    found.dedup();
    found
}

/// The same in code without groups.
fn named(code: &str, module: &str) -> Vec<String> {
    let of_crate = code.match_indices("crate::").map(|(at, start)| ("", &code[at + start.len()..]));
    let of_parent = code
        .match_indices("super::")
        .filter(|&(at, start)| !code[..at].ends_with(start))
        .map(|(at, start)| (parent(module), &code[at + start.len()..]));
    let mut found = Vec::new();
    for (mut base, mut rest) in of_crate.chain(of_parent) {
        while let Some(further) = rest.strip_prefix("super::") {
            (base, rest) = (parent(base), further);
        }
        let path = rest
            .split("::")
            .map(|part| part.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or(""))
            .take_while(|part| part.starts_with(|c: char| c.is_ascii_lowercase()) && *part != "self")
            .take(2);
        let path: Vec<&str> = Some(base).filter(|base| !base.is_empty()).into_iter().chain(path).collect();
        found.push(if path.is_empty() { ROOT.to_owned() } else { path.join("/") });
    }
    found
}

fn parent(module: &str) -> &str {
    module.rsplit_once('/').map_or("", |(parent, _)| parent)
}

fn fault(module: &str, named: &str) -> Option<String> {
    match (rank(module), rank(named)) {
        (None, _) => Some(format!("{module} is in no layer: give it one in xtask/src/layers.rs")),
        (_, None) => {
            Some(format!("{module} names {named}, which is in no layer: name the module that has it"))
        }
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

    /// Everything that a file names, each with its line.
    fn all(text: &str, module: &str) -> Vec<(usize, String)> {
        let statements = statements(text).into_iter();
        statements
            .flat_map(|(line, code)| references(&code, module).into_iter().map(move |named| (line, named)))
            .collect()
    }

    #[test]
    fn lower_layers_name_no_higher_ones() {
        assert_eq!(references("use crate::text::Name;", "image/native"), ["text"]);
        assert_eq!(references("use super::native::Native;", "image/addresses"), ["image/native"]);
        assert_eq!(
            references("let a: super::Image = crate::num::index(1);", "image/record"),
            ["num/index", "image"]
        );
        assert!(fault("image/native", "text").is_some());
        assert!(fault("image/addresses", "image/native").is_some());
        assert!(fault("query/by_name", "table").is_none());
        assert!(fault("text/name", "name").is_none());
        assert!(fault("backtrace/frames", "query").is_some());
        assert!(fault("backtrace/frames", "backtrace/x86_64").is_none());
        assert!(fault("unheard_of", "num").is_some());
    }

    #[test]
    fn groups_are_seen() {
        assert_eq!(references("use crate::{image::Image, text::Described};", "name"), ["image", "text"]);
        assert_eq!(
            references(
                "pub(crate) use super::{layout::{self, Header}, native, Image as Table, hash::*};",
                "image/sizes"
            ),
            ["image/layout", "image/native", "image", "image/hash"]
        );
        assert_eq!(references("pub use crate::{a::{b::{C, d}, e}, f};", "name"), ["a/b", "a/e", "f"]);
        assert!(references("use core::{fmt::{self, Write}, iter};", "name").is_empty());
    }

    #[test]
    fn an_import_goes_on_to_its_semicolon() {
        let text = "//! use crate::text::A;\n\
                    use crate::{\n    image::{ // crate::query\n        Image,\n        layout,\n    },\n    text,\n};\n\
                    fn f() {\n    use crate::{query,\n        num};\n    crate::crc::f(); // crate::text\n}\n";
        let expected =
            [(2, "image"), (2, "image/layout"), (2, "text"), (10, "query"), (10, "num"), (12, "crc/f")];
        assert_eq!(all(text, "name"), expected.map(|(line, named)| (line, named.to_owned())));
    }

    #[test]
    fn parents_of_parents_and_the_root() {
        assert_eq!(references("use super::super::text::Name;", "image/native"), ["text"]);
        assert_eq!(references("use super::super::fake::Memory;", "a/b/c"), ["a/fake"]);
        assert_eq!(references("use crate::{Image, num};", "name"), [ROOT, "num"]);
        assert!(fault("name", ROOT).is_some());
    }

    #[test]
    fn only_tests_are_left_out() {
        let text =
            "#[cfg(test)]\nmod fake;\nuse crate::a;\n#[cfg(test)]\nmod tests {\n    use crate::b;\n}\n";
        assert_eq!(all(text, "name"), [(3, "a".to_owned())]);
    }
}
