//! A picture: a panel a question, a bar a row, lengths by their logarithm.

use std::fmt::Write;

use super::{Report, short};
use crate::measure::Measured;
use crate::question::Question;

const PANEL_WIDTH: usize = 400;
const LABELS: usize = 120;
const BARS: f64 = 200.0;
const LINE: usize = 16;
const TOP: usize = 48;

/// Ours, Linux's, the others'.
const COLOURS: [&str; 3] = ["#1f77b4", "#d62728", "#7f7f7f"];

pub(crate) fn text(report: &Report) -> String {
    let of = |question: Question| move |row: &Measured| row.figure(question).map(|figure| figure.value);
    let size = |row: &Measured| Some(report.bytes_per_symbol(row));
    let panels = [
        panel(report, "bytes a symbol", size),
        panel(report, "name → address, ns", of(Question::NameHit)),
        panel(report, "name that is not there, ns", of(Question::NameMiss)),
        panel(report, "address → symbol, ns", of(Question::Address)),
        panel(report, "address → name, ns", of(Question::AddressName)),
        panel(report, "walk with names, ns a symbol", of(Question::Walk)),
    ];
    let height = (report.results.len() + 2) * LINE;
    let whole = TOP + panels.len().div_ceil(2) * height;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{whole}\" font-family=\"sans-serif\" \
         font-size=\"11\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
        2 * PANEL_WIDTH
    );
    let _ = writeln!(
        out,
        "<text x=\"8\" y=\"18\" font-size=\"13\">{}: {} symbols; shorter is better, bars are logarithmic</text>",
        escaped(&report.source),
        report.symbols
    );
    let _ = writeln!(out, "<text x=\"8\" y=\"34\" fill=\"#555\">{}</text>", escaped(&report.machine));
    for (at, panel) in panels.iter().enumerate() {
        let (x, y) = (at % 2 * PANEL_WIDTH, TOP + at / 2 * height);
        let _ = writeln!(out, "<g transform=\"translate({x} {y})\">\n{panel}</g>");
    }
    out.push_str("</svg>\n");
    out
}

fn panel(report: &Report, title: &str, value: impl Fn(&Measured) -> Option<f64>) -> String {
    let values: Vec<(&str, f64)> =
        report.results.iter().filter_map(|row| Some((row.key, value(row)?))).collect();
    let bound =
        |pick: fn(f64, f64) -> f64, start| values.iter().fold(start, |most, (_, value)| pick(most, *value));
    let (lowest, highest) = (bound(f64::min, f64::MAX), bound(f64::max, 0.0));
    // The shortest bar is not nothing.
    let scale =
        |value: f64| BARS * (1.0 + 9.0 * (value / lowest).ln() / (highest / lowest).ln().max(1e-9)) / 10.0;
    let mut out = format!("<text x=\"8\" y=\"12\" font-weight=\"bold\">{}</text>\n", escaped(title));
    for (line, (key, value)) in values.iter().enumerate() {
        let y = (line + 1) * LINE;
        let (text_y, width) = (y + 12, scale(*value));
        let _ = writeln!(out, "<text x=\"{LABELS}\" y=\"{text_y}\" text-anchor=\"end\">{key}</text>");
        let _ = writeln!(
            out,
            "<rect x=\"{}\" y=\"{}\" width=\"{width:.1}\" height=\"{}\" fill=\"{}\"/>",
            LABELS + 6,
            y + 2,
            LINE - 4,
            colour(key)
        );
        let x = LABELS as f64 + 10.0 + width;
        let _ = writeln!(out, "<text x=\"{x:.1}\" y=\"{text_y}\">{}</text>", short(*value));
    }
    out
}

fn colour(key: &str) -> &'static str {
    let is = |prefix| key.starts_with(prefix);
    COLOURS[if is("image") || is("overlay") { 0 } else { 2 - usize::from(is("linux")) }]
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
