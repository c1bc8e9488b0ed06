//! The table in `docs/stack.md`.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};

/// What the table is between.
const BEGIN: &str = "<!-- measured by `cargo xtask stack --record` -->\n";
const END: &str = "<!-- end -->\n";

fn path() -> PathBuf {
    crate::root().join("docs/stack.md")
}

/// The text before the table, the table, and the text behind it.
fn parts(document: &str) -> Result<(&str, &str, &str)> {
    let parts = document
        .split_once(BEGIN)
        .and_then(|(before, rest)| rest.split_once(END).map(|(table, behind)| (before, table, behind)));
    parts.context("docs/stack.md has no place for the table")
}

fn read() -> Result<String> {
    fs::read_to_string(path()).context("cannot read docs/stack.md")
}

/// Puts the table in.
pub(super) fn write(table: &str, lacks: &[String]) -> Result<()> {
    ensure!(lacks.is_empty(), "not recorded: {}", lacks.join(", "));
    let document = read()?;
    let (before, _, behind) = parts(&document)?;
    fs::write(path(), format!("{before}{BEGIN}{table}{END}{behind}"))
        .context("cannot write docs/stack.md")?;
    println!("stack: recorded in docs/stack.md");
    Ok(())
}

/// Whether the table is the recorded one, where that was measured in the same way.
pub(super) fn compare(table: &str, lacks: &[String]) -> Result<bool> {
    let document = read()?;
    let (_, recorded, _) = parts(&document)?;
    let made_with = |table: &str| table.lines().next().unwrap_or_default().to_owned();
    let (ours, theirs) = (made_with(table), made_with(recorded));
    if !lacks.is_empty() {
        println!("stack: NOT COMPARED with docs/stack.md: {}", lacks.join(", "));
    } else if ours != theirs {
        println!("stack: NOT COMPARED with docs/stack.md, which is of another compiler: {theirs}");
    } else if table != recorded {
        let recorded: Vec<&str> = recorded.lines().collect();
        let new = table.lines().filter(|line| !recorded.contains(line));
        new.for_each(|line| eprintln!("stack: not in docs/stack.md: {line}"));
        eprintln!("stack: docs/stack.md says otherwise; `cargo xtask stack --record` rewrites it");
        return Ok(false);
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_between_the_marks() {
        let document = format!("head\n{BEGIN}| a |\n{END}foot\n");
        assert_eq!(parts(&document).unwrap(), ("head\n", "| a |\n", "foot\n"));
        assert!(parts("no marks").is_err());
    }
}
