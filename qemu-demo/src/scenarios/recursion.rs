//! A function that calls itself: every frame is a line of its own.

use crate::{report, stack};
use core::hint::black_box;

/// Frames of the same function.
const FRAMES: u64 = 8;

pub(super) fn run() {
    println!("calls itself until it has {FRAMES} frames");
    black_box(descend(FRAMES - 1));
}

#[inline(never)]
fn descend(left: u64) -> u64 {
    match black_box(left) {
        0 => report::backtrace(stack::here()),
        more => {
            black_box(descend(more - 1));
        }
    }
    black_box(left)
}
