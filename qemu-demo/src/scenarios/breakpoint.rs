//! A breakpoint: the handler looks through its own trap frame, and the kernel goes on.

use crate::cpu::provoke;
use core::hint::black_box;

pub(super) fn run() {
    println!("stops at a breakpoint");
    println!("went on after it: {}", black_box(traced(black_box(20))));
}

#[inline(never)]
fn traced(value: u64) -> u64 {
    black_box(stops_here(value)) * 2
}

#[inline(never)]
fn stops_here(value: u64) -> u64 {
    provoke::breakpoint();
    black_box(value) + 1
}
