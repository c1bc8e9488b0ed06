//! What came out, in three forms.

mod column;
pub(crate) mod json;
pub(crate) mod svg;
pub(crate) mod table;
pub(crate) mod targets;

pub(crate) use column::Column;

use crate::instructions::Instructions;
use crate::measure::Measured;
use crate::peer::Pattern;

/// The row that the others are put beside.
const BASELINE: &str = "linux-markers";

/// A run.
#[derive(Debug)]
pub(crate) struct Report {
    pub(crate) source: String,
    /// What had to be left out.
    pub(crate) notes: Vec<String>,
    pub(crate) symbols: usize,
    /// How many names they have in all.
    pub(crate) names: usize,
    pub(crate) kind: targets::Kind,
    pub(crate) machine: String,
    /// `/proc/loadavg` after the run.
    pub(crate) load: String,
    pub(crate) quick: bool,
    pub(crate) patterns: [Pattern; 2],
    pub(crate) results: Vec<Measured>,
    pub(crate) instructions: Instructions,
}

impl Report {
    fn row(&self, key: &str) -> Option<&Measured> {
        self.results.iter().find(|row| row.key == key)
    }

    /// Bytes a symbol.
    fn bytes_per_symbol(&self, row: &Measured) -> f64 {
        row.bytes() as f64 / self.symbols as f64
    }

    /// How many times as fast as another row.
    fn times(&self, row: &Measured, beside: &str, column: Column) -> Option<f64> {
        let (theirs, ours) = (column.figure(self.row(beside)?)?.value, column.figure(row)?.value);
        // A cold answer may take no longer than the clock.
        (ours > 0.0).then(|| theirs / ours)
    }

    /// Bytes as a share of another row's.
    fn share(&self, row: &Measured, beside: &str) -> Option<f64> {
        Some(row.bytes() as f64 / self.row(beside)?.bytes() as f64)
    }
}

/// Three figures, and no more digits than that.
fn short(value: f64) -> String {
    let digits = if value >= 100.0 { 0 } else { usize::from(value < 10.0) + 1 };
    format!("{value:.digits$}")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::measure::Figure;
    use crate::question::Question;
    use crate::stack_use::StackUse;

    fn report() -> Report {
        let row = |key, value| Measured {
            key,
            parts: vec![("names", 300), ("rest", 100)],
            build: Duration::from_millis(1500),
            stack: StackUse { single: Some(464), batch: None },
            figures: Question::ALL
                .iter()
                .map(|question| (*question != Question::Walk).then_some(Figure { value, spread: 0.25 }))
                .collect(),
            cold: vec![Some(Figure { value: 7.0 * value, spread: 0.5 }); Question::SINGLE.len()],
        };
        let pattern = |text: &str| Pattern { text: text.into(), prefix: String::new() };
        Report {
            source: "a \"file\" <of> mine".into(),
            notes: vec!["one & all".into()],
            symbols: 100,
            names: 90,
            kind: targets::Kind::Plain,
            machine: "2 × a machine".into(),
            load: "0.1".into(),
            quick: true,
            patterns: [pattern("tcp_*"), pattern("*lock*")],
            results: vec![row("image-fast", 5.0), row("linux-markers", 1234.0), row("linux-offsets", 35.0)],
            instructions: Instructions::from([("image-fast miss_instructions".into(), 246.5)]),
        }
    }

    #[test]
    fn json_is_json_of_the_agreed_shape() {
        let text = json::text(&report());
        let value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(value["symbols"], 100);
        assert_eq!(value["names"], 90);
        assert_eq!(value["source"], "a \"file\" <of> mine");
        assert_eq!(value["notes"][0], "one & all");
        let fast = &value["layouts"]["image-fast"];
        assert_eq!(fast["bytes_per_symbol"], 4.0);
        assert_eq!(fast["build_s"], 1.5);
        assert_eq!(fast["bytes_by_part"]["names"], 300);
        assert_eq!(fast["name_hit_ns"], 5.0);
        assert_eq!(fast["cold_name_hit_ns"], 35.0);
        assert_eq!(fast["stack_bytes"], 464);
        assert!(fast["batch_stack_bytes"].is_null());
        assert_eq!(fast["spread"]["name_hit_ns"], 0.25);
        assert_eq!(fast["spread"]["cold_addr_name_ns"], 0.5);
        assert_eq!(fast["times_linux_markers"]["name_miss_ns"], 246.8);
        assert_eq!(fast["times_linux_markers"]["cold_addr_ns"], 246.8);
        assert_eq!(fast["times_linux_offsets"]["addr_name_ns"], 7.0);
        assert_eq!(fast["times_linux_offsets"]["bytes_share"], 1.0);
        assert!(fast["walk_ns"].is_null());
        assert_eq!(fast["miss_instructions"], 246.5);
        assert!(fast["hit_instructions"].is_null());
    }

    #[test]
    fn targets_are_met_or_missed() {
        let all = targets::of(&report());
        let of = |what: &str, beside: &str| {
            let found = all.iter().find(|target| target.what == what && target.beside == beside);
            found.map(|target| (target.found, target.is_met()))
        };
        assert_eq!(of("name_hit_ns", "linux-markers"), Some((246.8, true)));
        assert_eq!(of("name_hit_ns", "linux-offsets"), Some((7.0, false)));
        assert_eq!(of("walk_ns", "linux-markers"), None);
        // 90 names of 5 ns one by one, and 5 ms in a batch.
        let own = of("batch_all_ms, names one by one", "image-fast").expect("a target");
        assert!((own.0 - 90.0 / 1e6).abs() < 1e-12 && !own.1, "{own:?}");
        assert_eq!(of("bytes_per_symbol, without __pfx_", "linux-offsets"), Some((1.0, false)));
    }

    #[test]
    fn the_table_has_a_line_a_row_in_each_part() {
        let text = table::text(&report());
        let lines: Vec<&str> = text.lines().filter(|line| line.starts_with("linux-offsets")).collect();
        assert_eq!(lines.len(), 7, "{text}");
        assert_eq!(
            lines[0].split_whitespace().skip(1).collect::<Vec<_>>(),
            ["4.00", "1.00", "1.50", "464", "–"]
        );
        // Hit and miss, each with its ratio.
        let words: Vec<&str> = lines[1].split_whitespace().collect();
        assert_eq!(words[1..5], ["35.0", "×35.3", "35.0", "×35.3"]);
        assert!(lines[2].contains('–'), "no walk: {}", lines[2]);
        assert!(lines[3].contains("245 ×35.3"), "cold: {}", lines[3]);
        assert!(lines[4].ends_with("50"), "spread: {}", lines[4]);
        assert!(lines[5].ends_with("names 3.00, rest 1.00"), "{}", lines[5]);
        assert!(lines[6].split_whitespace().skip(1).all(|count| count == "–"), "{}", lines[6]);
        let counted = text.lines().rfind(|line| line.starts_with("image-fast  ") && line.contains("246"));
        assert!(counted.is_some(), "{text}");
        assert!(text.contains("≥ 8.00  missed"), "{text}");
    }

    #[test]
    fn the_picture_is_xml_with_the_figures_in_it() {
        let text = svg::text(&report());
        let picture = roxmltree::Document::parse(&text).expect("well-formed");
        let texts: Vec<&str> =
            picture.descendants().filter(|node| node.is_text()).filter_map(|node| node.text()).collect();
        assert!(texts.iter().any(|text| text.starts_with("a \"file\" <of> mine: 100 symbols")), "{texts:?}");
        let count = |wanted: &str| texts.iter().filter(|text| **text == wanted).count();
        // Of the six panels one has no figures, and that of bytes other ones.
        assert_eq!(count("5.00 ×247"), 4, "{texts:?}");
        assert_eq!(count("1234"), 4, "{texts:?}");
        assert_eq!(count("4.00"), 3, "{texts:?}");
        let bars = |class: &str| {
            let bars = picture.descendants().filter(|node| node.attribute("class") == Some(class));
            bars.map(|bar| {
                bar.attribute("width").and_then(|width| width.parse::<f64>().ok()).expect("a width")
            })
            .collect::<Vec<_>>()
        };
        assert!(text.contains("prefers-color-scheme: dark"));
        let (ours, linux) = (bars("ours"), bars("linux"));
        // One of each is in the legend.
        assert_eq!((ours.len(), linux.len()), (6, 11));
        assert!(ours.iter().chain(&linux).all(|width| *width > 0.0 && width.is_finite()));
        assert!(ours.iter().sum::<f64>() < linux.iter().sum(), "less time is a shorter bar");
    }

    #[test]
    fn three_figures() {
        assert_eq!(
            [1234.4, 99.96, 45.67, 4.567, 0.123].map(short),
            ["1234", "100.0", "45.7", "4.57", "0.12"]
        );
    }
}
