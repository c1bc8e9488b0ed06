//! With a damaged table: the boot said what is wrong, addresses still print, and the kernel goes on.

use crate::{report, stack};
use core::hint::black_box;

pub(super) fn run() {
    black_box(work(black_box(1)));
    println!("goes on without names");
}

#[inline(never)]
fn work(value: u64) -> u64 {
    black_box(step(value)) + 1
}

#[inline(never)]
fn step(value: u64) -> u64 {
    report::backtrace(stack::here());
    black_box(value)
}
