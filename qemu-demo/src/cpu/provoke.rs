//! One instruction each that faults, inlined into the scenario that asks for it.
#![expect(unsafe_code, reason = "instructions that fault on purpose")]

use core::arch::{asm, global_asm};

/// An address that is never mapped.
pub(crate) const WILD: u64 = 0xdead_0000;

/// Reads a field of a structure at address 0.
#[inline(always)]
pub(crate) fn read_null_field() -> u64 {
    let value;
    // SAFETY: page 0 is not mapped: the instruction faults, and the report ends the machine.
    unsafe {
        asm!("mov {}, [{}]", out(reg) value, in(reg) 0x18_u64, options(readonly, nostack, preserves_flags))
    }
    value
}

/// `int3`.
#[inline(always)]
pub(crate) fn breakpoint() {
    // SAFETY: the handler saves and restores every register and returns.
    unsafe { asm!("int3", options(nostack)) }
}

/// Divides with the processor's own check, not the compiler's.
#[inline(always)]
pub(crate) fn divide(dividend: u64, divisor: u64) -> u64 {
    let quotient;
    // SAFETY: with a divisor of 0 the instruction faults, and the report ends the machine.
    unsafe {
        asm!("div {}", in(reg) divisor, inout("rax") dividend => quotient, inout("rdx") 0_u64 => _, options(pure, nomem, nostack));
    }
    quotient
}

/// Calls [`WILD`].
#[inline(always)]
pub(crate) fn call_wild() {
    // SAFETY: nothing is mapped there: the fetch faults, and the report ends the machine.
    unsafe { asm!("call {}", in(reg) WILD, clobber_abi("sysv64")) }
}

/// Writes to a constant.
#[inline(always)]
pub(crate) fn write_to(constant: &'static u8) {
    // SAFETY: constants are mapped read-only: the instruction faults, and the report ends the machine.
    unsafe { asm!("mov byte ptr [{}], 0", in(reg) constant, options(nostack, preserves_flags)) }
}

// A leaf that keeps no frame but moves the stack pointer, as compilers make them.
global_asm!(
    ".text",
    ".p2align 4",
    ".globl sum_of_bytes",
    ".type sum_of_bytes, @function",
    "sum_of_bytes:",
    "push rbx",
    "xor ebx, ebx",
    "xor eax, eax",
    "2: test rsi, rsi",
    "je 3f",
    "mov bl, [rdi]",
    "add rax, rbx",
    "inc rdi",
    "dec rsi",
    "jmp 2b",
    "3: pop rbx",
    "ret",
    ".size sum_of_bytes, . - sum_of_bytes",
);

// SAFETY: defined above, with this signature. It reads only what is mapped, or faults.
unsafe extern "sysv64" {
    /// Sum of `len` bytes at `address`.
    pub(crate) safe fn sum_of_bytes(address: u64, len: u64) -> u64;
}

// A function that ends with a call, so that the address it returns to is the first of the next function.
global_asm!(
    ".text",
    ".p2align 4",
    ".globl call_is_last",
    ".type call_is_last, @function",
    "call_is_last:",
    "push rbp",
    "mov rbp, rsp",
    ".fill 10, 1, 0x90",
    "call rdi",
    ".size call_is_last, . - call_is_last",
    ".type next_function, @function",
    "next_function:",
    "ud2",
    ".size next_function, . - next_function",
);

// SAFETY: defined above, with this signature; `action` never returns, so nothing runs after the call.
unsafe extern "sysv64" {
    /// Calls `action` with its last instruction.
    pub(crate) safe fn call_is_last(action: extern "sysv64" fn() -> !) -> !;
}
