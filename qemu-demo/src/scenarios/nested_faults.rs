//! A fault whose report faults, and so on, up to the fault that the processor would answer with a reset.
//!
//! The frames that everything was called from lose their page, so every report that walks the stack runs into
//! it: that of a page fault, that of the page fault in that report, and that of a double fault, as no
//! interrupt stack is left for a third page fault. One more fault ends the machine without a word.
#![expect(unsafe_code, reason = "takes a page of the stack away")]

use crate::cpu::provoke;
use crate::memory::{self, PAGE};
use crate::stack;
use core::hint::black_box;

pub(super) fn run() {
    println!("faults on a stack that cannot be walked to its end");
    black_box(go_down());
}

/// Keeps a page between the frames above it and those below.
#[inline(never)]
fn go_down() -> u64 {
    let mut page = [0_u8; PAGE as usize];
    black_box(&mut page);
    black_box(lose_callers())
}

#[inline(never)]
fn lose_callers() -> u64 {
    // SAFETY: the page is above the frames of this function and its caller; nobody returns to those in it.
    unsafe { memory::unmap(stack::boot_stack_end()) }
    black_box(provoke::read_null_field())
}
