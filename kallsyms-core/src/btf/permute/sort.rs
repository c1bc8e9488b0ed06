//! Merge sort from the bottom up: no recursion, and the same steps for any input.

use core::cmp::Ordering;
use core::mem::{swap, take};

use super::super::format::copy;

/// Sorts numbers by their keys; those of equal keys stay in their order.
///
/// `spare` has as many places, or more. Steps: `n` log2 `n` compares at most, and as many keys.
pub(super) fn sort<K: Copy>(
    numbers: &mut [u32],
    spare: &mut [u32],
    key: impl Fn(u32) -> K,
    order: impl Fn(K, K) -> Ordering,
) {
    let spare = spare.get_mut(..numbers.len()).unwrap_or_default();
    let (mut from, mut to) = (numbers, spare);
    let mut width = 1_usize;
    let mut in_spare = false;
    while width < from.len() {
        let both = width.saturating_mul(2);
        let (mut unmerged, mut out) = (&*from, &mut *to);
        while !unmerged.is_empty() {
            let (pair, behind) = unmerged.split_at_checked(both).unwrap_or((unmerged, &[]));
            let (left, right) = pair.split_at_checked(width).unwrap_or((pair, &[]));
            let (merged, rest) = take(&mut out).split_at_mut_checked(pair.len()).unwrap_or_default();
            merge(left, right, merged, &key, &order);
            (unmerged, out) = (behind, rest);
        }
        swap(&mut from, &mut to);
        in_spare = !in_spare;
        width = both;
    }
    if in_spare {
        copy(from, to);
    }
}

/// Two sorted lists into one.
fn merge<K: Copy>(
    left: &[u32],
    right: &[u32],
    out: &mut [u32],
    key: impl Fn(u32) -> K,
    order: impl Fn(K, K) -> Ordering,
) {
    let keyed = |number: Option<&u32>| number.map(|&number| (number, key(number)));
    let (mut left, mut right) = (left.iter(), right.iter());
    let (mut one, mut other) = (keyed(left.next()), keyed(right.next()));
    for place in out {
        *place = match (one, other) {
            (Some((number, first)), Some((_, second))) if order(first, second) != Ordering::Greater => {
                one = keyed(left.next());
                number
            }
            (_, Some((number, _))) => {
                other = keyed(right.next());
                number
            }
            (Some((number, _)), None) => {
                one = keyed(left.next());
                number
            }
            (None, None) => return,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::cell::Cell;

    /// Every list of up to seven numbers below four, against the standard library's stable sort; and the
    /// number of compares.
    #[test]
    fn is_stable_and_takes_n_log_n_compares() {
        for len in 0..8_usize {
            for code in 0..1_usize << (2 * len) {
                let keys: [usize; 8] = core::array::from_fn(|place| code >> (2 * place) & 3);
                let mut numbers: [u32; 8] = core::array::from_fn(|place| place as u32);
                let mut expected = numbers;
                expected[..len].sort_by_key(|&number| keys[number as usize]);
                let compares = Cell::new(0);
                let order = |a: usize, b: usize| {
                    compares.set(compares.get() + 1);
                    a.cmp(&b)
                };
                sort(&mut numbers[..len], &mut [9; 8], |number| keys[number as usize], order);
                assert_eq!(numbers, expected);
                assert!(compares.get() <= len * len.next_power_of_two().trailing_zeros() as usize);
            }
        }
    }

    #[test]
    fn sorts_long_lists() {
        for len in [100, 127, 128, 129, 1000] {
            let mut numbers = [0; 1000];
            let numbers = &mut numbers[..len];
            for (number, place) in (0..).zip(numbers.iter_mut()) {
                *place = number;
            }
            sort(
                numbers,
                &mut [0; 1000][..len],
                |number| number.wrapping_mul(0x9e37_79b1) >> 8,
                |a, b| a.cmp(&b),
            );
            assert!(numbers.is_sorted_by_key(|number| number.wrapping_mul(0x9e37_79b1) >> 8));
            let sum: u32 = numbers.iter().sum();
            assert_eq!(sum as usize, len * (len - 1) / 2);
        }
    }
}
