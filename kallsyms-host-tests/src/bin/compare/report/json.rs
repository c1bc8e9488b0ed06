//! JSON: `{"symbols": n, "source": …, "layouts": {"image-fast": {"bytes_per_symbol": …, "name_hit_ns": …}, …}}`.

use serde_json::{Map, Value, json};

use super::{Column, Report, targets};
use crate::measure::Measured;

pub(crate) fn text(report: &Report) -> String {
    let layouts: Map<String, Value> =
        report.results.iter().map(|row| (row.key.to_owned(), layout(report, row))).collect();
    let targets: Vec<Value> = targets::of(report)
        .iter()
        .map(|target| {
            json!({
                "what": target.what,
                "row": target.row,
                "beside": target.beside,
                "found": rounded(target.found),
                if target.at_most { "at_most" } else { "at_least" }: rounded(target.wanted),
                "met": target.is_met(),
            })
        })
        .collect();
    let [prefix, infix] = &report.patterns;
    let value = json!({
        "symbols": report.symbols,
        "names": report.names,
        "source": report.source,
        "notes": report.notes,
        "machine": report.machine,
        "load": report.load,
        "quick": report.quick,
        "patterns": {"prefix": prefix.text, "infix": infix.text},
        "layouts": layouts,
        "targets": targets,
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
    for (key, bytes) in [("stack_bytes", row.stack.single), ("batch_stack_bytes", row.stack.batch)] {
        if let Some(bytes) = bytes {
            layout.insert(key.into(), bytes.into());
        }
    }
    let instructions = report.instructions.of(row.key);
    layout.extend(instructions.filter_map(|(key, count)| Some((key.into(), rounded(count?)))));
    layout.extend(numbers(|column| Some(column.figure(row)?.value)));
    layout.insert("spread".into(), numbers(|column| Some(column.figure(row)?.spread)).into());
    for beside in ["linux-markers", "linux-offsets"] {
        let mut times = numbers(|column| report.times(row, beside, column));
        times.extend(report.share(row, beside).map(|share| ("bytes_share".into(), rounded(share))));
        if !times.is_empty() {
            layout.insert(format!("times_{}", beside.replace('-', "_")), times.into());
        }
    }
    layout.into()
}

fn numbers(of: impl Fn(Column) -> Option<f64>) -> Map<String, Value> {
    Column::all().filter_map(|column| Some((column.key(), rounded(of(column)?)))).collect()
}

/// Four digits behind the point: more say nothing.
fn rounded(value: f64) -> Value {
    json!((value * 1e4).round() / 1e4)
}
