//! A panic in `core`, five calls deep, with a generic function and a closure on the way.

use core::hint::black_box;

#[inline(never)]
pub(super) fn run() {
    println!("reads past the end of a slice");
    black_box(schedule(&black_box([3, 5, 7])));
}

#[inline(never)]
fn schedule(priorities: &[u64]) -> u64 {
    black_box(pick_next(priorities)) + 1
}

#[inline(never)]
fn pick_next(priorities: &[u64]) -> u64 {
    let at = |index: usize| priorities[index];
    black_box(sum_over::<u32>(&[1, 2, 3], black_box(&at)))
}

#[inline(never)]
fn sum_over<T: Copy + Into<u64>>(indexes: &[T], at: &dyn Fn(usize) -> u64) -> u64 {
    indexes.iter().fold(0, |sum, &index| sum + black_box(look_up(at, index.into())))
}

#[inline(never)]
fn look_up<A: Fn(usize) -> u64 + ?Sized>(at: &A, index: u64) -> u64 {
    black_box(at(index as usize))
}
