//! JSON: `{"symbols": n, "source": …, "layouts": {"image-fast": {"bytes_per_symbol": …, "name_hit_ns": …}, …}}`.

use serde_json::{Map, Value, json};

use super::Report;
use crate::measure::Measured;
use crate::question::Question;

pub(crate) fn text(report: &Report) -> String {
    let layouts: Map<String, Value> =
        report.results.iter().map(|row| (row.key.to_owned(), layout(report, row))).collect();
    let [prefix, infix] = &report.patterns;
    let value = json!({
        "symbols": report.symbols,
        "source": report.source,
        "machine": report.machine,
        "load": report.load,
        "quick": report.quick,
        "patterns": {"prefix": prefix.text, "infix": infix.text},
        "layouts": layouts,
    });
    format!("{value:#}\n")
}

/// What a row has no answer to is left out.
fn layout(report: &Report, row: &Measured) -> Value {
    let parts: Map<String, Value> =
        row.parts.iter().map(|(part, bytes)| ((*part).to_owned(), json!(bytes))).collect();
    let mut layout = Map::new();
    layout.insert("bytes_per_symbol".into(), rounded(report.bytes_per_symbol(row)));
    layout.insert("bytes_by_part".into(), parts.into());
    layout.insert("build_s".into(), rounded(row.build.as_secs_f64()));
    let (mut spread, mut times) = (Map::new(), Map::new());
    for question in Question::ALL {
        let Some(figure) = row.figure(question) else { continue };
        layout.insert(question.key().into(), rounded(figure.value));
        spread.insert(question.key().into(), rounded(figure.spread));
        if let Some(ratio) = report.times(row, question) {
            times.insert(question.key().into(), rounded(ratio));
        }
    }
    layout.insert("spread".into(), spread.into());
    layout.insert("times_linux_markers".into(), times.into());
    layout.into()
}

/// Four digits behind the point: more say nothing.
fn rounded(value: f64) -> Value {
    json!((value * 1e4).round() / 1e4)
}
