//! The time stamp counter: under `-icount shift=0` it counts guest instructions.
#![expect(unsafe_code, reason = "an instruction of the processor")]

use core::arch::x86_64::{_mm_lfence, _rdtsc};

/// Instructions so far.
#[inline(always)]
pub(crate) fn instructions() -> u64 {
    // SAFETY: SSE2 is part of x86_64, and boot.S switched it on.
    unsafe { _mm_lfence() }
    // SAFETY: reads a counter that ring 0 may always read.
    unsafe { _rdtsc() }
}
