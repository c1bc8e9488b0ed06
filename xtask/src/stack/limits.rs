//! How much stack a question may take: what its kind may, or, for those that take more, what they take now.

use super::table::Row;

/// Limits of a question, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Limit {
    /// On a painted stack.
    pub(super) painted: u64,
    /// Of the compiler's sizes.
    pub(super) compiled: u64,
}

/// What every question of a kind may take.
const KINDS: [(&str, Limit); 2] =
    [("lookup", Limit { painted: 512, compiled: 512 }), ("batch", Limit { painted: 1024, compiled: 1024 })];

const fn limit(painted: u64, compiled: u64) -> Limit {
    Limit { painted, compiled }
}

const EXCEPTIONS: &[(&str, Limit)] = &[];

/// The limit of a question; 0 where none is known, so that a new one has to be given its own.
pub(super) fn of(question: &str, kind: &str) -> Limit {
    let own = EXCEPTIONS.iter().find(|(name, _)| *name == question).map(|(_, limit)| *limit);
    let of_kind = || KINDS.iter().find(|(name, _)| *name == kind).map(|(_, limit)| *limit);
    own.or_else(of_kind).unwrap_or(limit(0, 0))
}

/// A line for each question that takes more than it may.
pub(super) fn over(rows: &[Row]) -> Vec<String> {
    let mut lines = Vec::new();
    for row in rows {
        let measured = [
            ("on a painted stack", row.painted, row.limit.painted),
            ("compiled", row.compiled, row.limit.compiled),
        ];
        for (how, bytes, limit) in measured.into_iter().filter(|(_, bytes, limit)| bytes > limit) {
            lines.push(format!("{} takes {bytes} bytes {how}, more than its {limit}", row.question));
        }
    }
    lines
}
