//! `cargo xtask unsafe`: every use of `unsafe` by file, each with its proof; the core has none.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, anyhow, ensure};
use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// The folder that may have none.
const SAFE: &str = "kallsyms-core/src";
/// Lines above a use in which its proof begins.
const ABOVE: usize = 20;

/// One use.
#[derive(Debug, PartialEq, Eq)]
struct Use {
    line: usize,
    kind: &'static str,
    /// The first line of the proof.
    proof: Option<String>,
}

/// Runs the task.
pub(crate) fn main(_: Vec<OsString>) -> ExitCode {
    crate::verdict("unsafe", check())
}

fn check() -> Result<Vec<String>> {
    let root = crate::root();
    let manifest = fs::read_to_string(root.join("Cargo.toml"))?;
    let mut faults = lints(&manifest);
    let (mut files, mut all) = (0, 0);
    for package in packages(root)? {
        let sources = crate::layers::sources(&package);
        ensure!(!sources.is_empty(), "{} has no sources", package.display());
        for path in &sources {
            let text = fs::read_to_string(path)?;
            let file = path.strip_prefix(root)?.display().to_string();
            let uses = uses(&text).with_context(|| file.clone())?;
            files += usize::from(!uses.is_empty());
            all += uses.len();
            if !uses.is_empty() {
                println!("{file}");
            }
            for found in uses {
                let proof = found.proof.as_deref().unwrap_or("NO PROOF");
                println!("  {:>4} {:<9} {proof}", found.line, found.kind);
                if found.proof.is_none() {
                    faults.push(format!("{file}:{}: no SAFETY comment", found.line));
                }
                if file.starts_with(SAFE) {
                    faults.push(format!("{file}:{}: the core has no unsafe code", found.line));
                }
            }
        }
    }
    println!("unsafe: {all} uses in {files} files, none in {SAFE}");
    Ok(faults)
}

/// The lints that hold each block to one operation and a proof, where they are not denied.
fn lints(manifest: &str) -> Vec<String> {
    let wanted = [
        "unsafe_code",
        "unsafe_op_in_unsafe_fn",
        "multiple_unsafe_ops_per_block",
        "undocumented_unsafe_blocks",
    ];
    let missing = wanted.iter().filter(|lint| !manifest.contains(&format!("{lint} = \"deny\"")));
    missing.map(|lint| format!("Cargo.toml does not deny {lint}")).collect()
}

/// The folders of all packages, those of no workspace among them.
fn packages(root: &Path) -> Result<Vec<PathBuf>> {
    let folders = fs::read_dir(root)?.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    let mut packages: Vec<_> =
        folders.into_iter().filter(|folder| folder.join("Cargo.toml").is_file()).collect();
    packages.sort();
    ensure!(packages.len() > 1, "{} holds no packages", root.display());
    Ok(packages)
}

/// Every `unsafe` of a file, those in the rules of macros among them.
fn uses(text: &str) -> Result<Vec<Use>> {
    let tokens: TokenStream = text.parse().map_err(|error| anyhow!("cannot be read as Rust: {error}"))?;
    let lines: Vec<&str> = text.lines().collect();
    let mut uses = Vec::new();
    collect(tokens, &lines, &mut uses);
    Ok(uses)
}

fn collect(tokens: TokenStream, lines: &[&str], uses: &mut Vec<Use>) {
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Group(group) => collect(group.stream(), lines, uses),
            TokenTree::Ident(word) if word == "unsafe" => {
                let line = word.span().start().line;
                uses.push(Use { line, kind: kind(tokens.peek()), proof: proof(lines, line) });
            }
            _ => {}
        }
    }
}

/// What the token behind `unsafe` makes of it.
fn kind(next: Option<&TokenTree>) -> &'static str {
    match next {
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => "block",
        Some(TokenTree::Group(_)) => "attribute",
        Some(TokenTree::Ident(word)) if word == "impl" => "impl",
        Some(TokenTree::Ident(word)) if word == "extern" => "extern",
        _ => "function",
    }
}

/// The first line of the comment that proves a use: above it, or the `# Safety` section of a function.
fn proof(lines: &[&str], line: usize) -> Option<String> {
    let above = lines.get(line.saturating_sub(ABOVE)..line)?;
    let mark = |line: &&str| line.contains("SAFETY:") || line.contains("# Safety");
    let at = above.iter().rposition(mark)?;
    let text = above[at].split("SAFETY:").last().unwrap_or_default().trim();
    Some(text.trim_start_matches("///").trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_use_is_found() {
        let gap = "\n".repeat(ABOVE);
        let text = format!(
            "// SAFETY: it is so\nunsafe impl Sync for S {{}}\n{gap}fn f() {{ unsafe {{ g() }} }}\n\
             macro_rules! m {{\n    () => {{\n        // SAFETY: by the macro\n        unsafe {{ h() }}\n    }};\n}}\n\
             const T: &str = \"unsafe {{\"; // unsafe {{\n{gap}/// # Safety\n///\n/// None.\nunsafe fn k() {{}}\n"
        );
        let found = |line, kind, proof: Option<&str>| Use { line, kind, proof: proof.map(str::to_owned) };
        let expected = [
            found(2, "impl", Some("it is so")),
            found(3 + ABOVE, "block", None),
            found(7 + ABOVE, "block", Some("by the macro")),
            found(14 + 2 * ABOVE, "function", Some("# Safety")),
        ];
        assert_eq!(uses(&text).unwrap(), expected);
    }

    #[test]
    fn a_lint_that_is_gone_is_named() {
        let manifest = "unsafe_code = \"deny\"\nunsafe_op_in_unsafe_fn = \"deny\"\nundocumented_unsafe_blocks = \"deny\"";
        assert_eq!(lints(manifest), ["Cargo.toml does not deny multiple_unsafe_ops_per_block"]);
    }
}
