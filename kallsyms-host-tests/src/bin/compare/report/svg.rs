//! A picture: a panel a question, a bar a row, lengths by their logarithm. It brings its own background, light
//! or dark as the reader's other pages are.

use std::fmt::Write;

use super::{BASELINE, Column, Report, short};
use crate::measure::Measured;
use crate::question::Question;

const PANEL_WIDTH: usize = 460;
/// Where the bars begin.
const LABELS: f64 = 128.0;
const BARS: f64 = 220.0;
const LINE: usize = 18;
/// Above the panels.
const TOP: usize = 84;
/// Of a panel: its title above the bars, the numbers of the scale below.
const TITLE: usize = 26;
const FOOT: usize = 34;

const STYLE: &str = "
  .paper { fill: #ffffff } text { fill: #1f2328 } .quiet { fill: #59636e } .grid { stroke: #d1d9e0 }
  .ours { fill: #0969da } .linux { fill: #cf222e } .others { fill: #8c959f }
  @media (prefers-color-scheme: dark) {
    .paper { fill: #0d1117 } text { fill: #f0f6fc } .quiet { fill: #9198a1 } .grid { stroke: #3d444d }
    .ours { fill: #4493f8 } .linux { fill: #f85149 } .others { fill: #656c76 }
  }
";

pub(crate) fn text(report: &Report) -> String {
    let time = |question: Question| {
        move |row: &Measured| {
            let column = Column::Warm(question);
            let times = report.times(row, BASELINE, column);
            Some((column.figure(row)?.value, times.filter(|_| row.key != BASELINE)))
        }
    };
    let size = |row: &Measured| Some((report.bytes_per_symbol(row), None));
    let panels = [
        panel(report, "Table: bytes a symbol", size),
        panel(report, "Name → address: ns", time(Question::NameHit)),
        panel(report, "A name that is not there: ns", time(Question::NameMiss)),
        panel(report, "Address → symbol: ns", time(Question::Address)),
        panel(report, "Address → name, written out: ns", time(Question::AddressName)),
        panel(report, "Every symbol with its name: ns a symbol", time(Question::Walk)),
    ];
    let panel_height = TITLE + report.results.len() * LINE + FOOT;
    let (width, height) = (2 * PANEL_WIDTH, TOP + panels.len().div_ceil(2) * panel_height);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" font-family=\"system-ui, sans-serif\" font-size=\"12\">\n<style>{STYLE}</style>\n\
         <rect class=\"paper\" width=\"{width}\" height=\"{height}\" rx=\"8\"/>\n"
    );
    head(&mut out, report);
    for (at, panel) in panels.iter().enumerate() {
        let (x, y) = (at % 2 * PANEL_WIDTH, TOP + at / 2 * panel_height);
        let _ = writeln!(out, "<g transform=\"translate({x} {y})\">\n{panel}</g>");
    }
    out.push_str("</svg>\n");
    out
}

/// What was measured, on what, and what the colours mean.
fn head(out: &mut String, report: &Report) {
    let title = format!("{}: {} symbols", ending(&report.source), report.symbols);
    let _ = writeln!(
        out,
        "<text x=\"16\" y=\"26\" font-size=\"15\" font-weight=\"600\">{}</text>",
        escaped(&title)
    );
    let _ = writeln!(out, "<text x=\"16\" y=\"45\" class=\"quiet\">{}</text>", escaped(&report.machine));
    let mut x = 16;
    for (class, meaning) in [("ours", "kallsyms-core"), ("linux", "Linux's algorithms"), ("others", "others")]
    {
        let _ = writeln!(
            out,
            "<rect class=\"{class}\" x=\"{x}\" y=\"56\" width=\"11\" height=\"11\" rx=\"2\"/>\
             <text x=\"{}\" y=\"66\">{meaning}</text>",
            x + 16
        );
        x += 140;
    }
    let _ = writeln!(
        out,
        "<text x=\"{x}\" y=\"66\" class=\"quiet\">shorter is better, scales are logarithmic; × times as fast as \
         {BASELINE}</text>"
    );
}

fn panel(report: &Report, title: &str, value: impl Fn(&Measured) -> Option<(f64, Option<f64>)>) -> String {
    let rows: Vec<_> = report.results.iter().filter_map(|row| Some((row.key, value(row)?))).collect();
    let mut out =
        format!("<text x=\"16\" y=\"15\" font-size=\"13\" font-weight=\"600\">{}</text>\n", escaped(title));
    if rows.is_empty() {
        return out;
    }
    let scale = Scale::of(rows.iter().map(|(_, (value, _))| *value));
    let bottom = TITLE + rows.len() * LINE;
    for power in scale.first..=scale.last {
        let x = LABELS + scale.length(10f64.powi(power));
        let _ = writeln!(
            out,
            "<line class=\"grid\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{}\" y2=\"{bottom}\"/>\
             <text class=\"quiet\" x=\"{x:.1}\" y=\"{}\" font-size=\"10\" text-anchor=\"middle\">{}</text>",
            TITLE - 4,
            bottom + 13,
            10f64.powi(power)
        );
    }
    for (line, (key, (value, times))) in rows.iter().enumerate() {
        let y = TITLE + line * LINE;
        let length = scale.length(*value);
        let times = times.map_or_else(String::new, |times| format!(" ×{}", short(times)));
        let _ = writeln!(
            out,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{key}</text>\
             <rect class=\"{}\" x=\"{LABELS}\" y=\"{}\" width=\"{length:.1}\" height=\"{}\" rx=\"2\"/>\
             <text x=\"{:.1}\" y=\"{}\">{}{times}</text>",
            LABELS - 8.0,
            y + 12,
            class(key),
            y + 2,
            LINE - 5,
            LABELS + length + 6.0,
            y + 12,
            short(*value)
        );
    }
    out
}

/// From a power of ten to another.
struct Scale {
    first: i32,
    last: i32,
}

impl Scale {
    fn of(values: impl Iterator<Item = f64> + Clone) -> Self {
        let lowest = values.clone().fold(f64::MAX, f64::min).max(1e-3);
        let highest = values.fold(0.0, f64::max).max(lowest);
        // A bar of little more than the lowest power would have hardly any length.
        let first = (lowest / 2.0).log10().ceil() as i32 - 1;
        Self { first, last: (highest.log10().ceil() as i32).max(first + 1) }
    }

    fn length(&self, value: f64) -> f64 {
        let share = (value.max(1e-3).log10() - f64::from(self.first)) / f64::from(self.last - self.first);
        (BARS * share).max(0.0)
    }
}

/// As much of a path as there is room for.
fn ending(path: &str) -> String {
    const MOST: usize = 72;
    match path.char_indices().rev().nth(MOST) {
        Some((at, _)) => format!("…{}", &path[at..]),
        None => path.into(),
    }
}

fn class(key: &str) -> &'static str {
    let is = |prefix| key.starts_with(prefix);
    if is("image") || is("overlay") {
        "ours"
    } else if is("linux") {
        "linux"
    } else {
        "others"
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
