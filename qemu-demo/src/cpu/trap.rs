//! Exceptions: from the stub to a report.
#![expect(unsafe_code, reason = "trap stubs in assembly, and cr2")]

use super::gdt;
use crate::exit::{Outcome, exit};
use crate::memory::{Region, place};
use crate::{level, report, stack, symbols};
use core::arch::{asm, global_asm};
use kallsyms_core::backtrace::TrapFrame;

global_asm!(include_str!("trap.S"));

/// Vectors that the processor reserves for exceptions.
pub(super) const EXCEPTIONS: usize = 32;
const STUB_BYTES: u64 = 16;

/// Single step and hardware breakpoints.
pub(super) const DEBUG: u64 = 1;
/// `int3`.
pub(super) const BREAKPOINT: u64 = 3;
/// An exception while another one was delivered.
pub(super) const DOUBLE_FAULT: u64 = 8;
/// A page that is not mapped, or not for this access.
pub(super) const PAGE_FAULT: u64 = 14;

/// Bits of a page fault's error code.
const ON_PRESENT_PAGE: u64 = 1;
const ON_WRITE: u64 = 1 << 1;
const ON_EXECUTE: u64 = 1 << 4;

/// What a stub saves: the walker's marked trap frame.
#[derive(Debug)]
#[repr(C)]
struct Registers {
    r15_to_r12: [u64; 4],
    rbp: u64,
    rbx_to_rdi: [u64; 10],
    error_code: u64,
    rip: u64,
    cs: u64,
    rflags: u64,
    rsp: u64,
    ss: u64,
}

const _: () = assert!(size_of::<Registers>() as u64 == kallsyms_core::backtrace::x86_64::TRAP_FRAME_BYTES);

// SAFETY: trap.S defines it. Only its address is taken.
unsafe extern "C" {
    safe static trap_stubs: u8;
}

/// Address of a vector's stub.
pub(super) fn stub(vector: usize) -> u64 {
    place(&trap_stubs) + vector as u64 * STUB_BYTES
}

/// Called by the stubs; returns only from a breakpoint.
// SAFETY: no other symbol has this name: it is the kernel's own.
#[unsafe(no_mangle)]
extern "sysv64" fn trap_entry(vector: u64, registers: &Registers) {
    let trap = TrapFrame { pc: registers.rip, stack_pointer: registers.rsp, frame_pointer: registers.rbp };
    if vector == BREAKPOINT {
        reportln!("breakpoint: exception {vector}");
        // Through the handler and the trap frame into the interrupted chain.
        report::backtrace(stack::here());
        return;
    }
    let level = level::begin();
    // This stack is in use: the next exception takes what is left of it.
    gdt::lower_stacks(level);
    match vector {
        PAGE_FAULT => page_fault(registers.error_code),
        DOUBLE_FAULT => double_fault(),
        _ => reportln!("{}: exception {vector}, error code {:#x}", name(vector), registers.error_code),
    }
    defmt::error!("exception {=u64} at {=u64:#x}", vector, registers.rip);
    report::rest();
    report::backtrace(stack::interrupted(trap));
    exit(if level == 1 { Outcome::Fault } else { Outcome::NestedFault })
}

/// The first line of a page fault's report.
fn page_fault(error_code: u64) {
    let address = fault_address();
    let region = Region::of(address);
    if let Region::Guard(stack) = region {
        reportln!("stack overflow: the {stack} stack ran into its guard page at {address:016x}");
        return;
    }
    let access = match error_code {
        code if code & ON_EXECUTE != 0 => "execute",
        code if code & ON_WRITE != 0 => "write to",
        _ => "read of",
    };
    let rights = if error_code & ON_PRESENT_PAGE != 0 { "not allowed" } else { "not mapped" };
    report!("page fault: {access} {address:016x}: {rights}: {region}");
    if symbols::holds(address) { reportln!(": the symbol table") } else { reportln!() }
}

/// The first line of a double fault's report; the page fault that could not be delivered left its address.
fn double_fault() {
    match Region::of(fault_address()) {
        Region::Guard(stack) => reportln!("double fault: the {stack} stack is used up"),
        _ => reportln!("double fault"),
    }
}

/// Address that the last page fault was about.
fn fault_address() -> u64 {
    let address;
    // SAFETY: reads a register.
    unsafe { asm!("mov {}, cr2", out(reg) address, options(nomem, nostack, preserves_flags)) }
    address
}

const fn name(vector: u64) -> &'static str {
    match vector {
        0 => "divide error",
        DEBUG => "debug",
        2 => "non-maskable interrupt",
        4 => "overflow",
        5 => "bound range",
        6 => "invalid opcode",
        7 => "device not available",
        DOUBLE_FAULT => "double fault",
        PAGE_FAULT => "page fault",
        10 => "invalid TSS",
        11 => "segment not present",
        12 => "stack segment fault",
        13 => "general protection fault",
        16 => "x87 fault",
        17 => "alignment check",
        18 => "machine check",
        19 => "SIMD fault",
        _ => "exception",
    }
}
