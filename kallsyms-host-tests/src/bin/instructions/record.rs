//! The counts that were recorded, by compiler: another one writes other code.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use std::{fs, io};

use crate::label::Figures;

/// A count may rise by this share.
const MARGIN: f64 = 0.03;

const HEAD: &str = "\
# Instructions an answer, as Callgrind counts them; `cargo xtask instructions` compares with them and
# `cargo xtask instructions --record` writes those of the installed compiler. The memcmp of the C library is in them.
";

/// The file.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Record(BTreeMap<String, Figures>);

impl Record {
    /// An empty one where there is no file.
    pub(crate) fn read(path: &Path) -> Result<Self, String> {
        match fs::read_to_string(path) {
            Ok(text) => Self::parse(&text).map_err(|line| format!("{}: {line}", path.display())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(format!("{}: {error}", path.display())),
        }
    }

    fn parse(text: &str) -> Result<Self, String> {
        let mut record = Self::default();
        let mut section = None;
        for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            if let Some(compiler) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
                section = Some(record.0.entry(compiler.to_owned()).or_default());
                continue;
            }
            let figure =
                line.rsplit_once(' ').and_then(|(label, figure)| Some((label, figure.parse().ok()?)));
            match (&mut section, figure) {
                (Some(section), Some((label, figure))) => section.insert(label.trim_end().to_owned(), figure),
                _ => return Err(format!("neither a compiler nor a count: {line}")),
            };
        }
        Ok(record)
    }

    fn text(&self) -> String {
        let mut out = HEAD.to_owned();
        for (compiler, figures) in &self.0 {
            let _ = writeln!(out, "\n[{compiler}]");
            for (label, figure) in figures {
                let _ = writeln!(out, "{label:<45} {figure:>10.1}");
            }
        }
        out
    }

    pub(crate) fn write(&self, path: &Path) -> Result<(), String> {
        fs::write(path, self.text()).map_err(|error| format!("{}: {error}", path.display()))
    }

    pub(crate) fn set(&mut self, compiler: &str, figures: &Figures) {
        self.0.insert(compiler.into(), figures.clone());
    }

    pub(crate) fn of(&self, compiler: &str) -> Option<&Figures> {
        self.0.get(compiler)
    }

    pub(crate) fn compilers(&self) -> Vec<&str> {
        self.0.keys().map(String::as_str).collect()
    }
}

/// A line a count: recorded, now, how it has changed.
pub(crate) fn table(now: &Figures, before: Option<&Figures>) -> String {
    let mut out = format!("{:<45} {:>10} {:>10} {:>8}\n", "", "recorded", "now", "change");
    for (label, now) in now {
        let before = before.and_then(|before| before.get(label));
        let recorded = before.map_or_else(|| "–".into(), |before| format!("{before:.1}"));
        let change =
            before.map_or_else(String::new, |before| format!("{:+.1} %", (now / before - 1.0) * 100.0));
        let _ = writeln!(out, "{label:<45} {recorded:>10} {now:>10.1} {change:>8}");
    }
    out
}

/// Prints what has risen, and what only one of both has; whether that is nothing.
pub(crate) fn is_as_before(before: &Figures, now: &Figures) -> bool {
    let faults = faults(before, now);
    for fault in &faults {
        println!("FAILED: {fault}");
    }
    if !faults.is_empty() {
        println!("where that is meant: cargo xtask instructions --record");
    }
    faults.is_empty()
}

fn faults(before: &Figures, now: &Figures) -> Vec<String> {
    let risen = now.iter().filter_map(|(label, now)| match before.get(label) {
        None => Some(format!("{label}: {now:.1}, and nothing is recorded")),
        Some(before) if *now > before * (1.0 + MARGIN) => {
            Some(format!("{label}: {now:.1}, and {before:.1} is recorded: more than {} % up", MARGIN * 100.0))
        }
        Some(_) => None,
    });
    let gone = before.keys().filter(|label| !now.contains_key(*label));
    risen.chain(gone.map(|label| format!("{label}: recorded, but not counted"))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figures(list: &[(&str, f64)]) -> Figures {
        list.iter().map(|(label, figure)| ((*label).to_owned(), *figure)).collect()
    }

    #[test]
    fn what_is_written_is_read() {
        let mut record = Record::default();
        record.set(
            "rustc 1.95.0 (abc 2026-04-14)",
            &figures(&[("image-fast hit", 700.5), ("walk, a symbol", 31.0)]),
        );
        record.set("rustc 1.96.0", &figures(&[("image-fast hit", 690.0)]));
        assert_eq!(Record::parse(&record.text()), Ok(record));
        assert!(Record::parse("hit 3\n").is_err(), "of no compiler");
        assert!(Record::parse("[rustc]\nhit three\n").is_err());
    }

    #[test]
    fn a_rise_is_a_fault_and_a_fall_is_not() {
        let before = figures(&[("hit", 1_000.0), ("miss", 100.0)]);
        assert!(faults(&before, &figures(&[("hit", 1_029.0), ("miss", 50.0)])).is_empty());
        let found = faults(&before, &figures(&[("hit", 1_031.0), ("miss", 100.0)]));
        assert_eq!(found, ["hit: 1031.0, and 1000.0 is recorded: more than 3 % up"]);
        let found = faults(&before, &figures(&[("hit", 1.0), ("walk", 1.0)]));
        assert_eq!(found, ["walk: 1.0, and nothing is recorded", "miss: recorded, but not counted"]);
    }
}
