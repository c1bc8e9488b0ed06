//! The kernel's stacks, and the frame walker's view of them.
#![expect(
    unsafe_code,
    reason = "stacks are memory that the processor writes; the walker reads raw addresses"
)]

use crate::memory::{self, PAGE, place};
use crate::symbols;
use core::arch::asm;
use core::cell::UnsafeCell;
use kallsyms_core::backtrace::{Backtrace, Frames, Stack, StackMemory, TrapFrame};

/// Most frames that a report holds.
pub(crate) const REPORT_FRAMES: usize = 24;

/// Stack that one report may use.
const REPORT_BYTES: u64 = 16 << 10;

/// A stack of `N` bytes with an unmapped page below it.
#[repr(C, align(4096))]
pub(crate) struct GuardedStack<const N: usize>(UnsafeCell<[u8; N]>);

// SAFETY: no Rust code makes a reference to the bytes: the processor pushes to them, and the walker reads
// them volatile.
unsafe impl<const N: usize> Sync for GuardedStack<N> {}

impl<const N: usize> GuardedStack<N> {
    const fn new() -> Self {
        Self(UnsafeCell::new([0; N]))
    }

    /// First address above the stack: where a stack pointer starts.
    pub(crate) fn top(&self) -> u64 {
        place(self) + N as u64
    }

    /// Top of what is left for a report inside `level` others; the guard page where nothing is.
    pub(crate) fn part(&self, level: u32) -> u64 {
        self.top().saturating_sub(u64::from(level) * REPORT_BYTES).max(self.bounds().first)
    }

    /// What is mapped of it.
    pub(crate) fn bounds(&self) -> Stack {
        Stack { first: place(self) + PAGE, last: self.top() - 1 }
    }
}

/// The stack that the kernel boots and runs on.
pub(crate) type Boot = GuardedStack<{ 64 << 10 }>;
type Interrupt = GuardedStack<{ 32 << 10 }>;

// SAFETY: no other symbol has this name: it is the kernel's own.
#[unsafe(export_name = "BOOT_STACK")]
static BOOT: Boot = GuardedStack::new();
/// For breakpoints and single steps.
pub(crate) static DEBUG: Interrupt = GuardedStack::new();
/// For page faults.
pub(crate) static PAGE_FAULT: Interrupt = GuardedStack::new();
/// For double faults.
pub(crate) static DOUBLE_FAULT: Interrupt = GuardedStack::new();
/// For every other exception.
pub(crate) static OTHER: Interrupt = GuardedStack::new();

/// For what is measured.
pub(crate) static PAINTED: GuardedStack<{ 16 << 10 }> = GuardedStack::new();

/// The highest byte of the boot stack: the frames that everything was called from are around it.
pub(crate) fn boot_stack_end() -> u64 {
    BOOT.bounds().last
}

/// Every stack and its name.
fn all() -> [(&'static str, Stack); 6] {
    [
        ("boot", BOOT.bounds()),
        ("debug", DEBUG.bounds()),
        ("page fault", PAGE_FAULT.bounds()),
        ("double fault", DOUBLE_FAULT.bounds()),
        ("exception", OTHER.bounds()),
        ("painted", PAINTED.bounds()),
    ]
}

/// Name of the stack whose guard page holds this address.
pub(crate) fn guard_of(address: u64) -> Option<&'static str> {
    let (name, _) =
        all().into_iter().find(|(_, stack)| (stack.first - PAGE..stack.first).contains(&address))?;
    Some(name)
}

/// The real machine, as the walker sees it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Machine;

impl StackMemory for Machine {
    fn stack_of(&self, address: u64) -> Option<Stack> {
        all().into_iter().map(|(_, stack)| stack).find(|stack| stack.holds(address, 1))
    }

    fn read(&self, address: u64) -> Option<u64> {
        let readable = address.is_multiple_of(8) && self.stack_of(address)?.holds(address, 8);
        // SAFETY: all 8 bytes are in a stack above its guard page, and the address is aligned. The page is
        // mapped, unless a scenario took it away: then the read faults, and the report ends the machine. A
        // volatile read does not mind that the stack changes.
        readable.then(|| unsafe { (address as *const u64).read_volatile() })
    }

    fn is_text(&self, address: u64) -> bool {
        memory::is_text(address)
    }

    fn code(&self, address: u64) -> Option<u8> {
        // SAFETY: text is always mapped and never written.
        memory::is_text(address).then(|| unsafe { (address as *const u8).read_volatile() })
    }

    fn function_start(&self, pc: u64) -> Option<u64> {
        symbols::function_start(pc)
    }
}

/// The call chain of the function that this is inlined into, which is its first frame.
#[inline(always)]
pub(crate) fn here() -> Frames<Machine> {
    let (pc, frame_pointer): (u64, u64);
    // SAFETY: reads two registers.
    unsafe {
        asm!("lea {}, [rip]", "mov {}, rbp", out(reg) pc, out(reg) frame_pointer, options(nomem, nostack, preserves_flags));
    }
    Frames::new(Machine, pc, frame_pointer)
}

/// The call chain of interrupted code.
pub(crate) fn interrupted(trap: TrapFrame) -> Frames<Machine> {
    Frames::from_trap(Machine, trap)
}

/// Copies a chain.
pub(crate) fn capture(frames: Frames<Machine>) -> Backtrace<REPORT_FRAMES> {
    Backtrace::capture(frames)
}
