//! A division by zero in the processor.

use crate::cpu::provoke;
use core::hint::black_box;

pub(super) fn run() {
    println!("divides by zero");
    black_box(average(black_box(&[])));
}

#[inline(never)]
fn average(samples: &[u64]) -> u64 {
    black_box(scale(samples.iter().sum(), samples.len() as u64)) + 1
}

#[inline(never)]
fn scale(sum: u64, count: u64) -> u64 {
    black_box(provoke::divide(sum, count))
}
