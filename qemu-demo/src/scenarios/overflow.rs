//! A recursion without end runs into the guard page of its stack.

use core::hint::black_box;

pub(super) fn run() {
    println!("calls itself without end");
    black_box(dig(0));
}

#[inline(never)]
#[expect(unconditional_recursion, reason = "overflows the stack on purpose")]
fn dig(depth: u64) -> u64 {
    black_box(dig(black_box(depth) + 1)) + black_box(depth)
}
