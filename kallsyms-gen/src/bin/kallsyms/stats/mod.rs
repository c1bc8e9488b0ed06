//! `kallsyms stats`.

mod image;
mod linux;

use std::fmt::Write as _;
use std::io::{Write, stdout};
use std::process::ExitCode;

use anyhow::Result;
use kallsyms_gen::source::AnyTable;

use crate::cli::TrainedSourceArgs;
use crate::files;

pub(crate) fn stats(args: &TrainedSourceArgs) -> Result<ExitCode> {
    let source = files::trained_source(args)?;
    let report = match source.table()? {
        AnyTable::Image(image) => image::report(&image),
        AnyTable::Linux(kallsyms, tables) => linux::report(&kallsyms, tables),
    };
    stdout().write_all(report.text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

/// Facts, then the bytes of each part.
struct Report {
    symbols: u32,
    text: String,
}

impl Report {
    fn new(symbols: u32, facts: &[(&str, String)]) -> Self {
        let mut text = String::new();
        for (name, value) in facts {
            let _ = writeln!(text, "{name:<16} {value}");
        }
        Self { symbols, text }
    }

    /// The bytes of each part, and of all.
    fn parts(&mut self, heading: &str, parts: &[(&str, usize)], total: usize) {
        let _ = writeln!(self.text, "\n{heading:<16} {:>10} {:>10}", "bytes", "a symbol");
        for &(name, bytes) in parts.iter().chain(&[("total", total)]) {
            let a_symbol = a_symbol(bytes, self.symbols);
            let _ = writeln!(self.text, "{name:<16} {bytes:>10} {a_symbol:>10.2}");
        }
    }
}

fn a_symbol(bytes: usize, symbols: u32) -> f64 {
    bytes as f64 / f64::from(symbols.max(1))
}
