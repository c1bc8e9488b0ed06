//! A stack that tells how much of it a call has used.
#![expect(unsafe_code, reason = "another stack pointer, and memory that the processor writes")]

use crate::stack::PAINTED;
use core::arch::asm;

/// What words are full of that nobody has used.
const PAINT: u64 = 0xa5a5_a5a5_a5a5_a5a5;

/// Bytes of a word.
const WORD: u64 = 8;

/// Paints the stack anew.
pub(crate) fn paint() {
    for address in words() {
        // SAFETY: an aligned word of the painted stack, which is mapped for writing and on which nothing runs:
        // this code itself runs on another, and `call` has come back from it.
        unsafe { (address as *mut u64).write_volatile(PAINT) }
    }
}

/// Bytes from the lowest word that was used since to the top.
pub(crate) fn used() -> u64 {
    // SAFETY: an aligned word of the painted stack, which is mapped; any value is a number.
    let is_painted = |address: &u64| unsafe { (*address as *const u64).read_volatile() } == PAINT;
    let untouched = words().take_while(is_painted).count() as u64;
    words().count() as u64 * WORD - untouched * WORD
}

/// Calls this on the painted stack; must not be called there.
pub(crate) fn call<F: FnMut()>(mut question: F) {
    let top = PAINTED.top();
    // SAFETY: `run::<F>` gets the pointer that it asks for, to `question`, which outlives the call. The stack
    // below `top` is mapped, aligned to 16 and used by nobody else; a fault at its end is reported from another.
    // `r12`, which the callee preserves, brings the stack pointer back; what it does not preserve is given up.
    // A panic does not unwind.
    unsafe {
        asm!(
            "mov r12, rsp", "mov rsp, {top}", "call {run}", "mov rsp, r12",
            top = in(reg) top,
            run = sym run::<F>,
            in("rdi") &raw mut question,
            out("r12") _,
            clobber_abi("sysv64"),
        );
    }
}

/// What the new stack starts with.
///
/// # Safety
///
/// `question` must point at one that nobody else uses meanwhile.
unsafe extern "sysv64" fn run<F: FnMut()>(question: *mut F) {
    // SAFETY: the caller's promise.
    let question = unsafe { &mut *question };
    question();
}

/// Addresses of the stack's words, from the lowest.
fn words() -> impl Iterator<Item = u64> {
    let stack = PAINTED.bounds();
    (stack.first..=stack.last).step_by(WORD as usize)
}
