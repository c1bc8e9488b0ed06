//! The segments, and the stacks that exceptions switch to.
#![expect(unsafe_code, reason = "loads segment registers and the task register")]

use super::once::Once;
use crate::memory::place;
use crate::stack;
use core::arch::asm;
use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Selector of the code segment.
pub(super) const CODE: u16 = 8;
const DATA: u16 = 16;
const TASK: u16 = 24;

const CODE_DESCRIPTOR: u64 = 0x0020_9a00_0000_0000;
const DATA_DESCRIPTOR: u64 = 0x0000_9200_0000_0000;
const TASK_TYPE: u64 = 0x89 << 40;
const TASK_BYTES: usize = 104;

/// An entry of the interrupt stack table, as an IDT gate names it.
#[derive(Debug, Clone, Copy)]
#[repr(u8)]
pub(super) enum InterruptStack {
    Debug = 1,
    PageFault = 2,
    DoubleFault = 3,
    Other = 4,
}

/// What `lgdt` and `lidt` read.
#[repr(C, packed(2))]
pub(super) struct TablePointer {
    /// Bytes of the table minus 1.
    pub(super) limit: u16,
    /// Address of the table.
    pub(super) base: u64,
}

/// The task state segment as 32-bit words.
#[repr(C, align(8))]
struct TaskState([AtomicU32; TASK_BYTES / 4]);

static TASK_STATE: TaskState = TaskState([const { AtomicU32::new(0) }; TASK_BYTES / 4]);
static SEGMENTS: Once<[u64; 5]> = Once::new();

/// Builds and loads both tables; does nothing the second time.
pub(super) fn load() {
    lower_stacks(0);
    // No I/O permissions.
    TASK_STATE.0[25].store((TASK_BYTES as u32) << 16, Relaxed);
    let base = place(&TASK_STATE);
    let low = TASK_TYPE | (TASK_BYTES as u64 - 1) | (base & 0xff_ffff) << 16 | (base >> 24 & 0xff) << 56;
    let Some(segments) = SEGMENTS.set([0, CODE_DESCRIPTOR, DATA_DESCRIPTOR, low, base >> 32]) else { return };
    let pointer = TablePointer { limit: size_of_val(segments) as u16 - 1, base: place(segments) };
    // SAFETY: the table is static and holds the code segment at `CODE`, a data segment at `DATA` and an
    // unused 64-bit task state segment of the full length at `TASK`, so none of the loads can fault. The
    // code segment is as the current one, and the far return continues after itself; it pushes and pops
    // two words.
    unsafe {
        asm!(
            "lgdt [{pointer}]",
            "push {code}",
            "lea {scratch}, [rip + 2f]",
            "push {scratch}",
            "retfq",
            "2:",
            "mov ss, {data:x}",
            "mov ds, {data:x}",
            "mov es, {data:x}",
            "ltr {task:x}",
            pointer = in(reg) &raw const pointer,
            code = in(reg) u64::from(CODE),
            data = in(reg) DATA,
            task = in(reg) TASK,
            scratch = out(reg) _,
        );
    }
}

/// Leaves the parts of the interrupt stacks that reports up to this level are using to them: an exception
/// would overwrite the frames of the one before. The double fault has its stack to itself.
pub(super) fn lower_stacks(level: u32) {
    let stacks = [
        (InterruptStack::Debug, stack::DEBUG.top()),
        (InterruptStack::PageFault, stack::PAGE_FAULT.part(level)),
        (InterruptStack::DoubleFault, stack::DOUBLE_FAULT.top()),
        (InterruptStack::Other, stack::OTHER.part(level)),
    ];
    for (entry, top) in stacks {
        // Entry 1 is at byte 36.
        let word = 9 + 2 * (entry as usize - 1);
        TASK_STATE.0[word].store(top as u32, Relaxed);
        TASK_STATE.0[word + 1].store((top >> 32) as u32, Relaxed);
    }
}
