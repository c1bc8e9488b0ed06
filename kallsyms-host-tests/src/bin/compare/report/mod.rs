//! What came out, in three forms.

pub(crate) mod json;
pub(crate) mod svg;
pub(crate) mod table;

use crate::measure::Measured;
use crate::peer::Pattern;
use crate::question::Question;

/// A run.
#[derive(Debug)]
pub(crate) struct Report {
    pub(crate) source: String,
    pub(crate) symbols: usize,
    pub(crate) machine: String,
    /// `/proc/loadavg` after the run.
    pub(crate) load: String,
    pub(crate) quick: bool,
    pub(crate) patterns: [Pattern; 2],
    pub(crate) results: Vec<Measured>,
}

impl Report {
    /// The row that the others are put beside.
    fn baseline(&self) -> Option<&Measured> {
        self.results.iter().find(|row| row.key == "linux-markers")
    }

    /// Bytes a symbol.
    fn bytes_per_symbol(&self, row: &Measured) -> f64 {
        row.bytes() as f64 / self.symbols as f64
    }

    /// How many times as fast as the baseline.
    fn times(&self, row: &Measured, question: Question) -> Option<f64> {
        Some(self.baseline()?.figure(question)?.value / row.figure(question)?.value)
    }

    /// Bytes as a share of the baseline's.
    fn size_ratio(&self, row: &Measured) -> Option<f64> {
        Some(row.bytes() as f64 / self.baseline()?.bytes() as f64)
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

    fn report() -> Report {
        let row = |key, value| Measured {
            key,
            parts: vec![("names", 300), ("rest", 100)],
            build: Duration::from_millis(1500),
            figures: Question::ALL
                .iter()
                .map(|question| (*question != Question::Walk).then_some(Figure { value, spread: 0.25 }))
                .collect(),
        };
        let pattern = |text: &str| Pattern { text: text.into(), prefix: String::new() };
        Report {
            source: "a \"file\" <of> mine".into(),
            symbols: 100,
            machine: "2 × a machine".into(),
            load: "0.1".into(),
            quick: true,
            patterns: [pattern("tcp_*"), pattern("*lock*")],
            results: vec![row("image-fast", 5.0), row("linux-markers", 1234.0)],
        }
    }

    #[test]
    fn json_is_json_of_the_agreed_shape() {
        let text = json::text(&report());
        let value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(value["symbols"], 100);
        assert_eq!(value["source"], "a \"file\" <of> mine");
        let fast = &value["layouts"]["image-fast"];
        assert_eq!(fast["bytes_per_symbol"], 4.0);
        assert_eq!(fast["build_s"], 1.5);
        assert_eq!(fast["bytes_by_part"]["names"], 300);
        assert_eq!(fast["name_hit_ns"], 5.0);
        assert_eq!(fast["spread"]["name_hit_ns"], 0.25);
        assert!(
            (fast["times_linux_markers"]["name_miss_ns"].as_f64().expect("a number") - 246.8).abs() < 0.01
        );
        assert!(fast["walk_ns"].is_null());
    }

    #[test]
    fn the_table_has_a_line_a_row_in_each_part() {
        let text = table::text(&report());
        assert_eq!(text.lines().filter(|line| line.starts_with("image-fast")).count(), 3);
        assert!(text.contains("246.8") || text.contains("247"), "{text}");
    }

    #[test]
    fn the_picture_escapes_what_it_is_given() {
        let text = svg::text(&report());
        assert!(text.starts_with("<svg ") && text.ends_with("</svg>\n"));
        assert!(text.contains("a &quot;file&quot; &lt;of&gt; mine"));
        assert_eq!(text.matches("<svg").count(), 1);
    }

    #[test]
    fn three_figures() {
        assert_eq!(
            [1234.4, 99.96, 45.67, 4.567, 0.123].map(short),
            ["1234", "100.0", "45.7", "4.57", "0.12"]
        );
    }
}
