//! A fault in a function without a frame: its caller is found on the stack, and marked as uncertain.

use crate::cpu::provoke;
use core::hint::black_box;

pub(super) fn run() {
    println!("adds up bytes at a wild address");
    black_box(checksum_packet());
}

#[inline(never)]
fn checksum_packet() -> u64 {
    black_box(checksum(provoke::WILD)) + 1
}

#[inline(never)]
fn checksum(address: u64) -> u64 {
    black_box(provoke::sum_of_bytes(address, 64))
}
