//! The address space: what is mapped, with which rights, and what a faulting address means.
#![expect(unsafe_code, reason = "linker symbols, page tables that assembly names, cr3")]

use crate::stack;
use core::arch::asm;
use core::fmt;
use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

#[cfg(target_os = "linux")]
core::arch::global_asm!(include_str!("memory.S"));

/// The kernel's address minus its load address.
pub(crate) const KERNEL_BASE: u64 = 0xffff_ffff_8000_0000;
/// What boot.S maps, from physical address 0.
pub(crate) const MAPPED_BYTES: u64 = 8 << 20;
/// Bytes of a page.
pub(crate) const PAGE: u64 = 4096;

const PRESENT: u64 = 1;
const WRITABLE: u64 = 1 << 1;
const NO_EXECUTE: u64 = 1 << 63;

/// The page tables, in the order that boot.S expects.
#[repr(C, align(4096))]
struct PageTables {
    root: [AtomicU64; 512],
    low: [AtomicU64; 512],
    high: [AtomicU64; 512],
    directory: [AtomicU64; 512],
    pages: [AtomicU64; (MAPPED_BYTES / PAGE) as usize],
}

// SAFETY: no other symbol has this name: it is the kernel's own.
#[unsafe(export_name = "PAGE_TABLES")]
static PAGE_TABLES: PageTables = PageTables {
    root: [const { AtomicU64::new(0) }; 512],
    low: [const { AtomicU64::new(0) }; 512],
    high: [const { AtomicU64::new(0) }; 512],
    directory: [const { AtomicU64::new(0) }; 512],
    pages: [const { AtomicU64::new(0) }; (MAPPED_BYTES / PAGE) as usize],
};

// SAFETY: kernel.ld defines all of them. Only their addresses are taken.
unsafe extern "C" {
    safe static __text_start: u8;
    safe static __text_end: u8;
    safe static __rodata_start: u8;
    safe static __rodata_end: u8;
    safe static __data_start: u8;
    safe static __data_end: u8;
}

/// Part of the address space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Region {
    /// Code.
    Text,
    /// Constants and the symbol table.
    ReadOnly,
    /// Statics and stacks.
    Data,
    /// The unmapped page below this stack.
    Guard(&'static str),
    /// The page at address 0.
    Null,
    /// Nothing is here.
    Unmapped,
}

impl Region {
    /// The region of an address.
    pub(crate) fn of(address: u64) -> Self {
        let within = |first: &u8, end: &u8| address >= place(first) && address < place(end);
        if address < PAGE {
            Self::Null
        } else if let Some(name) = stack::guard_of(address) {
            Self::Guard(name)
        } else if within(&__text_start, &__text_end) {
            Self::Text
        } else if within(&__rodata_start, &__rodata_end) {
            Self::ReadOnly
        } else if within(&__data_start, &__data_end) {
            Self::Data
        } else {
            Self::Unmapped
        }
    }

    /// Page table bits of a page in this region; 0 leaves it unmapped.
    const fn rights(self) -> u64 {
        match self {
            Self::Text => PRESENT,
            Self::ReadOnly => PRESENT | NO_EXECUTE,
            Self::Data => PRESENT | WRITABLE | NO_EXECUTE,
            Self::Guard(_) | Self::Null | Self::Unmapped => 0,
        }
    }
}

impl fmt::Display for Region {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text => f.write_str("text"),
            Self::ReadOnly => f.write_str("read-only data"),
            Self::Data => f.write_str("data"),
            Self::Guard(stack) => write!(f, "guard page of the {stack} stack"),
            Self::Null => f.write_str("null page"),
            Self::Unmapped => f.write_str("unmapped"),
        }
    }
}

/// Whether an address is in the kernel's code.
pub(crate) fn is_text(address: u64) -> bool {
    Region::of(address) == Region::Text
}

/// Gives every page of the kernel the rights of its region and unmaps everything else, page 0 among it.
pub(crate) fn protect() {
    for (page, entry) in (0u64..).zip(&PAGE_TABLES.pages) {
        let physical = page * PAGE;
        let rights = Region::of(KERNEL_BASE + physical).rights();
        entry.store(if rights == 0 { 0 } else { physical | rights }, Relaxed);
    }
    PAGE_TABLES.root[0].store(0, Relaxed);
    let root = place(&PAGE_TABLES.root) - KERNEL_BASE;
    // SAFETY: `root` is the physical address of the tables in use. They still map all of text, the current
    // stack and all statics as before; what they no longer map holds nothing that Rust code owns.
    unsafe { asm!("mov cr3, {}", in(reg) root, options(nostack, preserves_flags)) }
}

/// Takes the page of this address away from the kernel: each access to it faults from here on.
///
/// # Safety
///
/// Nobody may go on that has lost memory by it: what reads it next is the scenario's fault to report, and the
/// report ends the machine.
pub(crate) unsafe fn unmap(address: u64) {
    let page = address.wrapping_sub(KERNEL_BASE) / PAGE;
    if let Some(entry) = PAGE_TABLES.pages.get(page as usize) {
        entry.store(0, Relaxed);
        // SAFETY: forgets a translation; what that means to others is the caller's promise.
        unsafe { asm!("invlpg [{}]", in(reg) address, options(nostack, preserves_flags)) }
    }
}

/// Address of a value as a number.
pub(crate) fn place<T: ?Sized>(value: &T) -> u64 {
    (&raw const *value).addr() as u64
}
