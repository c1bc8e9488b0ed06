//! Tables for a terminal.

use std::fmt::Write;

use super::{BASELINE, Column, Report, short, targets};
use crate::question::Question;

const ONE: [Question; 5] =
    [Question::NameHit, Question::NameMiss, Question::Address, Question::AddressName, Question::AddressText];
const MANY: [Question; 6] = [
    Question::Walk,
    Question::Prefix,
    Question::Infix,
    Question::Batch50,
    Question::Batch3344,
    Question::BatchAll,
];

/// Figures with their ratios to Linux's row, what they spread, bytes by part, targets.
pub(crate) fn text(report: &Report) -> String {
    let [prefix, infix] = &report.patterns;
    let mut out = format!(
        "{}; load {}\n{}: {} symbols, {} names; prefix {}, infix {}{}\n",
        report.machine,
        report.load,
        report.source,
        report.symbols,
        report.names,
        prefix.text,
        infix.text,
        if report.quick { "; few rounds (--quick)" } else { "" },
    );
    let _ = writeln!(out, "Beside each time: how many times as fast as {BASELINE}");
    sizes(&mut out, report);
    times(&mut out, report, "One name or address, ns", &ONE.map(Column::Warm));
    times(
        &mut out,
        report,
        "Many: ns a symbol of the table (walk, patterns); µs a batch of 50, ms one of 3,344 and one of all names",
        &MANY.map(Column::Warm),
    );
    times(
        &mut out,
        report,
        "One name or address, ns, the caches emptied before each",
        &Question::SINGLE.map(Column::Cold),
    );
    spread(&mut out, report);
    parts(&mut out, report);
    instructions(&mut out, report);
    wanted(&mut out, report);
    out
}

fn sizes(out: &mut String, report: &Report) {
    let _ = writeln!(
        out,
        "\nBytes a symbol, and as a share of those of {BASELINE}; seconds to build; bytes of stack of one question and of a batch"
    );
    let titles = ["bytes", "share", "build", "stack", "batch"];
    line(out, "", titles.into_iter().map(String::from));
    for row in &report.results {
        let stack = |bytes: Option<usize>| bytes.map_or_else(absent, |bytes| bytes.to_string());
        let cells = [
            short(report.bytes_per_symbol(row)),
            report.share(row, BASELINE).map_or_else(absent, |share| format!("{share:.2}")),
            short(row.build.as_secs_f64()),
            stack(row.stack.single),
            stack(row.stack.batch),
        ];
        line(out, row.key, cells.into_iter());
    }
}

fn times(out: &mut String, report: &Report, title: &str, columns: &[Column]) {
    let _ = writeln!(out, "\n{title}");
    let cell = |time: &str, ratio: &str| format!("{time:>7} {ratio:<6}");
    line(out, "", columns.iter().map(|column| cell(column.title(), "")));
    for row in &report.results {
        let cells = columns.iter().map(|column| {
            let Some(figure) = column.figure(row) else { return cell(&absent(), "") };
            let times = report.times(row, BASELINE, *column);
            cell(&short(figure.value), &times.map_or_else(String::new, |times| format!("×{}", short(times))))
        });
        line(out, row.key, cells);
    }
}

fn spread(out: &mut String, report: &Report) {
    out.push_str(
        "\nFrom the lower quartile, which the figures are, to the upper, in % of the lower; cold ones last\n",
    );
    line(out, "", Column::all().map(|column| column.title().into()));
    for row in &report.results {
        let cells = Column::all().map(|column| {
            column.figure(row).map_or_else(absent, |figure| format!("{:.0}", figure.spread * 100.0))
        });
        line(out, row.key, cells);
    }
}

fn parts(out: &mut String, report: &Report) {
    out.push_str("\nBytes a symbol by part\n");
    for row in &report.results {
        let part = |(part, bytes): &(&str, usize)| {
            format!("{part} {}", short(*bytes as f64 / report.symbols as f64))
        };
        let parts: Vec<String> = row.parts.iter().map(part).collect();
        let _ = writeln!(out, "{:<16} {}", row.key, parts.join(", "));
    }
}

/// Nothing where none could be counted.
fn instructions(out: &mut String, report: &Report) {
    if report.instructions.is_empty() {
        return;
    }
    out.push_str("\nInstructions of a hit, a miss, an address, an address with its name\n");
    for row in &report.results {
        let counts = report.instructions.of(row.key);
        line(out, row.key, counts.map(|(_, count)| count.map_or_else(absent, |count| format!("{count:.0}"))));
    }
}

fn wanted(out: &mut String, report: &Report) {
    out.push_str("\nTargets, set for tables of 100,000 symbols: times as fast, or share of the bytes\n");
    for target in targets::of(report) {
        let verdict = if target.is_met() { "" } else { "  missed" };
        let sign = if target.at_most { '≤' } else { '≥' };
        let _ = writeln!(
            out,
            "{:<16} beside {:<14} {:<32} {:>7}  {sign} {}{verdict}",
            target.row,
            target.beside,
            target.what,
            short(target.found),
            short(target.wanted),
        );
    }
}

fn absent() -> String {
    "–".into()
}

fn line(out: &mut String, key: &str, cells: impl Iterator<Item = String>) {
    let mut line = format!("{key:<16}");
    for cell in cells {
        let _ = write!(line, " {cell:>7}");
    }
    out.push_str(line.trim_end());
    out.push('\n');
}
