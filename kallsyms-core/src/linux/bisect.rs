//! Searches in sorted sequences that are only known by a question about a place.

/// First place of `low..high` that is not `before`, or `high`. Steps: log2 of the distance.
#[inline]
pub(super) fn first_not(mut low: u32, mut high: u32, mut before: impl FnMut(u32) -> bool) -> u32 {
    while low < high {
        let middle = low.midpoint(high);
        if before(middle) {
            low = middle.saturating_add(1);
        } else {
            high = middle;
        }
    }
    low
}

/// As [`first_not`], for an answer near `low`. Steps: twice log2 of its distance.
#[inline]
pub(super) fn first_not_near(low: u32, high: u32, mut before: impl FnMut(u32) -> bool) -> u32 {
    if low >= high || !before(low) {
        return low;
    }
    let (mut from, mut step) = (low, 1u32);
    loop {
        let next = from.saturating_add(step).min(high);
        if next == high || !before(next) {
            return first_not(from.saturating_add(1), next, before);
        }
        from = next;
        step = step.saturating_mul(2);
    }
}

/// First place of the run of places below `high` that are `within`, for an answer near `high`.
#[inline]
pub(super) fn start_of_run(high: u32, mut within: impl FnMut(u32) -> bool) -> u32 {
    first_not_near(0, high, |back| {
        high.checked_sub(back).and_then(|above| above.checked_sub(1)).is_some_and(&mut within)
    })
    .abs_diff(high)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The longest run of aliases or of one name costs no more than twice the logarithm of its length.
    #[test]
    fn a_long_run_is_not_walked() {
        for edge in [1u32, 2, 1000, 1 << 20, u32::MAX / 2] {
            let steps = core::cell::Cell::new(0);
            let count = |answer| {
                steps.set(steps.get() + 1);
                answer
            };
            assert_eq!(first_not_near(0, u32::MAX, |at| count(at < edge)), edge);
            assert!(steps.replace(0) <= 2 * (edge.ilog2() + 2), "{edge}");
            assert_eq!(start_of_run(u32::MAX, |at| count(at >= u32::MAX - edge)), u32::MAX - edge);
            assert!(steps.replace(0) <= 2 * (edge.ilog2() + 2), "{edge}");
            assert_eq!(first_not(0, u32::MAX, |at| count(at < edge)), edge);
            assert!(steps.replace(0) <= 32);
        }
    }

    #[test]
    fn all_three_find_every_edge() {
        for len in 0..40u32 {
            for edge in 0..=len {
                assert_eq!(first_not(0, len, |at| at < edge), edge);
                for low in 0..=edge {
                    assert_eq!(first_not_near(low, len, |at| at < edge), edge, "{low} {len}");
                }
                assert_eq!(start_of_run(len, |at| at >= edge), edge);
            }
        }
    }
}
