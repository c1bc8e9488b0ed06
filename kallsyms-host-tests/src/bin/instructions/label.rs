//! What a count is for: `image-fast hit/1000` is the count of 1,000 answers.

use std::collections::BTreeMap;

use kallsyms_host_tests::asked::ONE_BY_ONE;
use kallsyms_host_tests::callgrind::Counts;

/// The loop that asks them, which is none of the answers' work.
pub(crate) const LOOP: &str = "loop";

/// Instructions an answer, by label.
pub(crate) type Figures = BTreeMap<String, f64>;

pub(crate) fn label(table: &str, question: &str, answers: usize) -> String {
    format!("{table} {question}/{answers}")
}

/// The counts divided by their answers.
pub(crate) fn figures(counts: &Counts) -> Result<Figures, String> {
    let around = counts.get(&format!("{LOOP}/{ONE_BY_ONE}")).ok_or("the loop is not counted")?;
    let mut figures = Figures::new();
    for (name, count) in counts {
        let answers = name.rsplit_once('/').and_then(|(label, answers)| Some((label, answers.parse().ok()?)));
        let (label, answers): (&str, usize) = answers.ok_or_else(|| format!("{name} tells no answers"))?;
        let own = if answers == ONE_BY_ONE { count.saturating_sub(*around) } else { *count };
        if label != LOOP {
            figures.insert(label.into(), own as f64 / answers as f64);
        }
    }
    Ok(figures)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_loop_is_taken_off_what_is_asked_one_by_one() {
        let counts = [("loop/1000", 5_000), ("image hit/1000", 705_000), ("image walk/2000", 64_000)]
            .map(|(name, count)| (name.into(), count));
        let figures = figures(&counts.into()).expect("labels");
        assert_eq!(figures, Figures::from([("image hit".into(), 700.0), ("image walk".into(), 32.0)]));
    }
}
