//! The gates of the 32 exceptions.
#![expect(unsafe_code, reason = "loads the interrupt descriptor table")]

use super::gdt::{CODE, InterruptStack, TablePointer};
use super::once::Once;
use super::trap;
use crate::memory::place;
use core::arch::asm;

/// Present, privilege 0, 64-bit interrupt gate.
const GATE: u64 = 0x8e00 << 32;

static GATES: Once<[[u64; 2]; trap::EXCEPTIONS]> = Once::new();

/// Builds and loads the table; does nothing the second time.
pub(super) fn load() {
    let gates = core::array::from_fn(|vector| gate(trap::stub(vector), stack_for(vector as u64)));
    let Some(gates) = GATES.set(gates) else { return };
    let pointer = TablePointer { limit: size_of_val(gates) as u16 - 1, base: place(gates) };
    // SAFETY: the table is static, and each of its gates leads to the trap stub of its own vector in the code
    // segment that is loaded, on an interrupt stack that the task state names.
    unsafe { asm!("lidt [{}]", in(reg) &raw const pointer, options(readonly, nostack, preserves_flags)) }
}

/// Every exception has an interrupt stack: the red zone of interrupted code stays whole, and an overflow of
/// one stack can be reported on another.
const fn stack_for(vector: u64) -> InterruptStack {
    match vector {
        trap::DEBUG | trap::BREAKPOINT => InterruptStack::Debug,
        trap::PAGE_FAULT => InterruptStack::PageFault,
        trap::DOUBLE_FAULT => InterruptStack::DoubleFault,
        _ => InterruptStack::Other,
    }
}

const fn gate(target: u64, stack: InterruptStack) -> [u64; 2] {
    let low =
        target & 0xffff | (CODE as u64) << 16 | (stack as u64) << 32 | GATE | (target >> 16 & 0xffff) << 48;
    [low, target >> 32]
}
