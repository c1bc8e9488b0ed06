//! The table: a row a question.

use std::fmt::Write;

use anyhow::{Context, Result};

use super::compiled::Compiled;
use super::limits::{self, Limit};
use super::painted::{GUEST, Painted};

/// Kinds of questions of a table, in the order of the rows.
const KINDS: [&str; 3] = ["lookup", "batch", "walk"];
/// The kind of what is asked beside them.
const OTHER: &str = "other";
/// The columns of painted stacks.
const LAYOUTS: [&str; 6] = ["image", "compact", "markers", "offsets", "indexed", GUEST];

/// What was measured of a question.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) question: String,
    pub(super) kind: String,
    /// The most that the compiler's sizes add up to.
    pub(super) compiled: u64,
    /// The most on a painted stack.
    pub(super) painted: u64,
    pub(super) limit: Limit,
    cells: Vec<Option<u64>>,
}

/// Every question, by kind and name.
pub(super) fn rows(compiled: &Compiled, painted: &Painted) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for kind in KINDS.iter().chain([&OTHER]) {
        for (question, _) in painted.kinds.iter().filter(|(_, of)| of == kind) {
            let added_up = |layout| compiled.get(&(question.clone(), layout)).map(|depth| depth.bytes);
            let on_a_stack =
                |layout: &str| painted.bytes.get(&(question.clone(), layout.to_owned())).copied();
            let added_up =
                if *kind == OTHER { vec![added_up("")] } else { vec![added_up("image"), added_up("Linux")] };
            let layouts = if *kind == OTHER { &["painted"][..] } else { &LAYOUTS };
            rows.push(Row {
                question: question.clone(),
                kind: (*kind).to_owned(),
                compiled: added_up
                    .iter()
                    .flatten()
                    .copied()
                    .max()
                    .with_context(|| format!("{question} is not among what the compiler gave sizes of"))?,
                painted: painted.most(question),
                limit: limits::of(question, kind),
                cells: added_up.into_iter().chain(layouts.iter().map(|layout| on_a_stack(layout))).collect(),
            });
        }
    }
    Ok(rows)
}

/// Both tables, below the line that says what made them.
pub(super) fn text(rows: &[Row], made_with: &str) -> String {
    let mut text = format!("{made_with}\n\n");
    let others = rows.iter().partition::<Vec<_>, _>(|row| row.kind != OTHER);
    text.push_str(
        "| question | kind | compiled, image | compiled, Linux | image | compact | markers | offsets | indexed \
         | guest | limit | compiled, limit |\n|---|---|---|---|---|---|---|---|---|---|---|---|\n",
    );
    others.0.iter().for_each(|row| line(&mut text, row, &[&row.kind]));
    text.push_str("\n| call | compiled | painted | limit | compiled, limit |\n|---|---|---|---|---|\n");
    others.1.iter().for_each(|row| line(&mut text, row, &[]));
    text
}

fn line(text: &mut String, row: &Row, kind: &[&str]) {
    let _ = write!(text, "| `{}` |", row.question);
    kind.iter().for_each(|kind| {
        let _ = write!(text, " {kind} |");
    });
    for cell in &row.cells {
        let _ = match cell {
            Some(bytes) => write!(text, " {bytes} |"),
            None => write!(text, " |"),
        };
    }
    let _ = writeln!(text, " {} | {} |", row.limit.painted, row.limit.compiled);
}
