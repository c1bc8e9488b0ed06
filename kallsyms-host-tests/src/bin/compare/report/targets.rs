//! What is wanted of our tables, beside what came out.

use super::{Column, Report};
use crate::question::Question;

/// Times as fast as another row, or bytes as a share of its.
#[derive(Debug)]
pub(crate) struct Target {
    pub(crate) what: String,
    pub(crate) row: &'static str,
    pub(crate) beside: &'static str,
    pub(crate) found: f64,
    pub(crate) wanted: f64,
    /// Whether less is better.
    pub(crate) at_most: bool,
}

impl Target {
    pub(crate) fn is_met(&self) -> bool {
        if self.at_most { self.found <= self.wanted } else { self.found >= self.wanted }
    }
}

const OURS: &str = "image-fast";
const MARKERS: &str = "linux-markers";
const OFFSETS: &str = "linux-offsets";

/// Row, the one beside it, question, least times as fast.
const TIMES: [(&str, &str, Question, f64); 15] = [
    (OURS, MARKERS, Question::NameHit, 30.0),
    (OURS, OFFSETS, Question::NameHit, 8.0),
    (OURS, MARKERS, Question::NameMiss, 150.0),
    (OURS, OFFSETS, Question::NameMiss, 35.0),
    (OURS, MARKERS, Question::Address, 1.8),
    (OURS, OFFSETS, Question::Address, 1.8),
    (OURS, MARKERS, Question::AddressName, 4.0),
    (OURS, OFFSETS, Question::AddressName, 3.0),
    (OURS, MARKERS, Question::Walk, 3.5),
    (OURS, OFFSETS, Question::Walk, 3.5),
    (OURS, MARKERS, Question::BatchAll, 30.0),
    (OURS, OFFSETS, Question::BatchAll, 10.0),
    // No more than 1.2 times the time of an uncompressed hash table.
    (OURS, "hash-map", Question::NameHit, 1.0 / 1.2),
    ("overlay-markers", MARKERS, Question::NameHit, 1.7),
    ("overlay-indexed", MARKERS, Question::NameHit, 10.0),
];

/// A batch of all names beside our own single answers.
const OWN_BATCH: f64 = 2.0;

/// All targets that this run says something about.
pub(crate) fn of(report: &Report) -> Vec<Target> {
    let times = TIMES.iter().filter_map(|&(row, beside, question, wanted)| {
        let found = report.times(report.row(row)?, beside, Column::Warm(question))?;
        Some(Target { what: question.key().into(), row, beside, found, wanted, at_most: false })
    });
    let bytes = report.kind.shares().into_iter().filter_map(|(beside, wanted)| {
        let found = report.share(report.row(OURS)?, beside)?;
        let what = format!("bytes_per_symbol, {}", report.kind.text());
        Some(Target { what, row: OURS, beside, found, wanted, at_most: true })
    });
    times.chain(own_batch(report)).chain(bytes).collect()
}

fn own_batch(report: &Report) -> Option<Target> {
    let row = report.row(OURS)?;
    let single = row.figure(Question::NameHit)?.value * report.names as f64 / Question::BatchAll.unit();
    let found = single / row.figure(Question::BatchAll)?.value;
    let what = "batch_all_ms, names one by one".into();
    Some(Target { what, row: OURS, beside: OURS, found, wanted: OWN_BATCH, at_most: false })
}

/// What the names are, which is what the size of a table depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Of a kernel whose functions each have a padding symbol.
    Padded,
    Plain,
    /// As v0 mangling makes them.
    Long,
}

/// Bytes of a name in the mean that no kernel written in C comes near.
const LONG: usize = 60;

impl Kind {
    pub(crate) fn of<'n>(names: impl Iterator<Item = &'n [u8]>) -> Self {
        let (mut count, mut bytes, mut padding) = (0, 0, 0);
        for name in names {
            count += 1;
            bytes += name.len();
            padding += usize::from(name.starts_with(b"__pfx_"));
        }
        match (bytes > LONG * count, padding > count / 4) {
            (true, _) => Self::Long,
            (false, true) => Self::Padded,
            (false, false) => Self::Plain,
        }
    }

    fn text(self) -> &'static str {
        match self {
            Self::Padded => "with __pfx_",
            Self::Plain => "without __pfx_",
            Self::Long => "long names",
        }
    }

    /// Bytes at most, as a share of each of Linux's layouts.
    fn shares(self) -> [(&'static str, f64); 2] {
        match self {
            Self::Padded => [(MARKERS, 0.52), (OFFSETS, 0.46)],
            Self::Plain => [(MARKERS, 0.67), (OFFSETS, 0.58)],
            Self::Long => [(MARKERS, 0.25), (OFFSETS, 0.24)],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_what_they_are() {
        let of = |names: &[&str]| Kind::of(names.iter().map(|name| name.as_bytes()));
        assert_eq!(of(&["vfs_read", "__pfx_vfs_read"]), Kind::Padded);
        assert_eq!(of(&["vfs_read", "vfs_write"]), Kind::Plain);
        assert_eq!(of(&["_RNvMs_NtCs1234_7mycrate3foo".repeat(3).as_str()]), Kind::Long);
    }
}
