//! A call through a wild pointer: the program counter is outside text, and its caller is still found.

use crate::cpu::provoke;
use core::hint::black_box;

pub(super) fn run() {
    println!("calls through a wild pointer");
    black_box(dispatch(black_box(7)));
}

#[inline(never)]
fn dispatch(event: u64) -> u64 {
    black_box(call_handler(event)) + 1
}

#[inline(never)]
fn call_handler(event: u64) -> u64 {
    provoke::call_wild();
    black_box(event)
}
