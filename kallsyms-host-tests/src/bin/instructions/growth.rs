//! What a lookup costs among more symbols.

use crate::label::Figures;

/// So many are to be built; the first one is what the others are compared with.
pub(crate) const ALL: [usize; 3] = [1_000, 100_000, 1_500_000];

/// A hit costs no more than so many times the instructions of one among the fewest symbols.
const MOST: f64 = 1.3;

/// Those of every run, or all.
pub(crate) fn counts(all: bool) -> &'static [usize] {
    if all { &ALL } else { &ALL[..2] }
}

/// Of the table of so many symbols.
pub(crate) fn name(count: usize) -> String {
    format!("growth-{count}")
}

/// Takes the counts of a hit, by the number of symbols, out of the figures.
pub(crate) fn take(figures: &mut Figures) -> Result<Vec<(usize, f64)>, String> {
    let of = |count: usize| Some((count, figures.remove(&format!("{} hit", name(count)))?));
    let grown: Vec<_> = ALL.into_iter().filter_map(of).collect();
    if grown.len() >= 2 { Ok(grown) } else { Err("a hit among more symbols is not counted".into()) }
}

/// Prints how it grows; whether that is little enough.
pub(crate) fn is_small(grown: &[(usize, f64)]) -> bool {
    let Some((_, least)) = grown.first() else { return false };
    let mut is_small = true;
    println!("A hit among more symbols, at most {MOST} times the first:");
    for (count, figure) in grown {
        let times = figure / least;
        is_small &= times <= MOST;
        let verdict = if times <= MOST { "" } else { "  TOO MUCH" };
        println!("{count:>10} symbols {figure:>10.1} {times:>8.2} ×{verdict}");
    }
    is_small
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growth_is_told_from_the_fewest() {
        let mut figures = Figures::from([
            ("growth-1000 hit".into(), 600.0),
            ("growth-100000 hit".into(), 700.0),
            ("image-fast hit".into(), 1.0),
        ]);
        let grown = take(&mut figures).expect("two");
        assert_eq!(grown, [(1_000, 600.0), (100_000, 700.0)]);
        assert_eq!(figures.len(), 1);
        assert!(is_small(&grown));
        assert!(!is_small(&[(1_000, 600.0), (100_000, 790.0)]));
    }
}
