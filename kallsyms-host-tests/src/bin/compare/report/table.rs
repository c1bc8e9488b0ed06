//! Tables for a terminal.

use std::fmt::Write;

use super::{Report, short};
use crate::measure::Measured;
use crate::question::Question;

/// The figures, their spread, and the ratios to Linux's row.
pub(crate) fn text(report: &Report) -> String {
    let [prefix, infix] = &report.patterns;
    let mut out = format!(
        "{}; load {}\n{}: {} symbols; prefix {}, infix {}{}\n",
        report.machine,
        report.load,
        report.source,
        report.symbols,
        prefix.text,
        infix.text,
        if report.quick { "; few rounds (--quick)" } else { "" },
    );
    out.push_str("\nBytes a symbol; seconds to build; ns an answer (walk and patterns: a symbol of the table); µs a batch of 50,\nms one of 3,344 and one of all names\n");
    part(
        &mut out,
        report,
        |row, question| row.figure(question).map(|figure| short(figure.value)),
        |row| [short(report.bytes_per_symbol(row)), short(row.build.as_secs_f64())],
    );
    out.push_str("\nFrom the lower to the upper quartile, in % of the lower\n");
    part(
        &mut out,
        report,
        |row, question| row.figure(question).map(|figure| format!("{:.0}", figure.spread * 100.0)),
        |_| [String::new(), String::new()],
    );
    out.push_str("\nTimes as fast as linux-markers; bytes as a share of its\n");
    part(
        &mut out,
        report,
        |row, question| report.times(row, question).map(short),
        |row| [report.size_ratio(row).map_or_else(String::new, |ratio| format!("{ratio:.2}")), String::new()],
    );
    out
}

fn part(
    out: &mut String,
    report: &Report,
    cell: impl Fn(&Measured, Question) -> Option<String>,
    lead: impl Fn(&Measured) -> [String; 2],
) {
    let titles = Question::ALL.map(Question::title);
    line(out, "", &["bytes".into(), "build".into()], &titles.map(String::from));
    for row in &report.results {
        let cells = Question::ALL.map(|question| cell(row, question).unwrap_or_else(|| "–".into()));
        line(out, row.key, &lead(row), &cells);
    }
}

fn line(out: &mut String, key: &str, lead: &[String; 2], cells: &[String]) {
    let _ = write!(out, "{key:<16}");
    for cell in lead.iter().chain(cells) {
        let _ = write!(out, " {cell:>7}");
    }
    out.push('\n');
}
