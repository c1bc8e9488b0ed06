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
    let mut from = low;
    let mut step = 1u32;
    while from < high && before(from) {
        let next = from.saturating_add(step).min(high);
        if next < high && before(next) {
            from = next;
            step = step.saturating_mul(2);
        } else {
            return first_not(from.saturating_add(1), next, before);
        }
    }
    from
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
