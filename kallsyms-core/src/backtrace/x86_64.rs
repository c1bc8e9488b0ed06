//! What the walker knows of x86_64: the trap frame, the prologue, the call instruction.

use super::{Stack, StackMemory, TrapFrame};

/// What a trap stub adds to the address of its trap frame to make the frame pointer that marks it
/// (`lea rbp, [rsp + 1]`).
pub const TRAP_MARK: u64 = 1;

/// Bytes of a marked trap frame, in the order of Linux's `pt_regs`: r15, r14, r13, r12, rbp, rbx, r11 to r8,
/// rax, rcx, rdx, rsi, rdi, an error code, then what the processor pushes: rip, cs, rflags, rsp, ss.
pub const TRAP_FRAME_BYTES: u64 = 168;

/// Offset of rbp in a marked trap frame.
const SAVED_RBP: u64 = 32;
/// Offset of rip in a marked trap frame.
const SAVED_RIP: u64 = 128;
/// Offset of rsp in a marked trap frame.
const SAVED_RSP: u64 = 152;

/// `endbr64`, which may stand before a prologue.
const ENDBR64: [u8; 4] = [0xf3, 0x0f, 0x1e, 0xfa];
/// `push rbp; mov rbp, rsp`.
const PROLOGUE: [u8; 4] = [0x55, 0x48, 0x89, 0xe5];
/// `ret`.
const RET: u8 = 0xc3;
/// `call rel32`.
const CALL_NEAR: u8 = 0xe8;
/// Opcode of `call` through a register or through memory, with 2 in the middle field of the byte after it.
const CALL_INDIRECT: u8 = 0xff;
/// Words of the stack that are searched for the caller of a function without a frame.
const SCAN_WORDS: u64 = 16;

/// Where interrupted code keeps the address that it returns to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Caller {
    /// In its frame: the frame pointer is its own.
    InFrame,
    /// It has no frame at this instruction: this is the return address.
    Known(u64),
    /// It has no frame, and this word of the stack is the first that looks like a return address.
    Guessed(u64),
}

/// The three registers of the trap frame at `at`, which lies in `stack`; 3 reads.
pub(super) fn trap_frame<M: StackMemory>(memory: &M, stack: Stack, at: u64) -> Option<TrapFrame> {
    if !stack.holds(at, TRAP_FRAME_BYTES) {
        return None;
    }
    let saved = |offset: u64| memory.read(at.wrapping_add(offset));
    Some(TrapFrame {
        pc: saved(SAVED_RIP)?,
        stack_pointer: saved(SAVED_RSP)?,
        frame_pointer: saved(SAVED_RBP)?,
    })
}

/// How to go on from interrupted code; at most 16 reads of the stack and 350 of code.
pub(super) fn caller<M: StackMemory>(memory: &M, trap: &TrapFrame) -> Caller {
    let known = |offset: u64| {
        let word = stack_word(memory, trap.stack_pointer.checked_add(offset)?)?;
        may_return_to(memory, word).then_some(Caller::Known(word))
    };
    if !memory.is_text(trap.pc) {
        return known(0).unwrap_or(Caller::InFrame);
    }
    let Some(start) = memory.function_start(trap.pc) else { return Caller::InFrame };
    if code(memory, start).is_none() {
        return Caller::InFrame;
    }
    let body = if has_bytes(memory, start, ENDBR64) { start.wrapping_add(4) } else { start };
    if trap.pc <= body || code(memory, trap.pc) == Some(RET) {
        return known(0).unwrap_or(Caller::InFrame);
    }
    if !has_bytes(memory, body, PROLOGUE) {
        return scan(memory, trap).map_or(Caller::InFrame, Caller::Guessed);
    }
    if trap.pc == body.wrapping_add(1) {
        return known(8).unwrap_or(Caller::InFrame);
    }
    Caller::InFrame
}

/// Whether `address` is in text and, as far as code can be read, behind a call.
fn may_return_to<M: StackMemory>(memory: &M, address: u64) -> bool {
    let before = address.wrapping_sub(1);
    memory.is_text(before) && (memory.code(before).is_none() || is_after_call(memory, address))
}

/// Whether the instruction that ends at `address` is a call; at most 20 reads of code.
pub(super) fn is_after_call<M: StackMemory>(memory: &M, address: u64) -> bool {
    let before = |count: u64| code(memory, address.checked_sub(count)?);
    if before(5) == Some(CALL_NEAR) {
        return true;
    }
    (2..=7).any(|len: u64| {
        before(len) == Some(CALL_INDIRECT)
            && before(len.wrapping_sub(1)).is_some_and(|modrm| {
                let sib = before(len.wrapping_sub(2)).unwrap_or(0);
                modrm >> 3 & 7 == 2 && indirect_len(modrm, sib) == len
            })
    })
}

/// Bytes of an indirect call without its prefixes, from the two bytes after the opcode.
const fn indirect_len(modrm: u8, sib: u8) -> u64 {
    let (mode, rm) = (modrm >> 6, modrm & 7);
    let has_sib = mode != 3 && rm == 4;
    let displacement: u64 = match mode {
        0 if rm == 5 || (has_sib && sib & 7 == 5) => 4,
        1 => 1,
        2 => 4,
        _ => 0,
    };
    displacement.wrapping_add(if has_sib { 3 } else { 2 })
}

/// The first word from the stack pointer up to the frame pointer that looks like a return address.
///
/// At the frame pointer the caller's own frame begins, which the chain reads. A frame pointer that is not
/// above the stack pointer bounds nothing: the function may use rbp for something else.
fn scan<M: StackMemory>(memory: &M, trap: &TrapFrame) -> Option<u64> {
    let limit = if trap.frame_pointer > trap.stack_pointer { trap.frame_pointer } else { u64::MAX };
    (0..SCAN_WORDS)
        .map_while(|index| trap.stack_pointer.checked_add(index.wrapping_mul(8)))
        .take_while(|&at| at < limit)
        .map_while(|at| stack_word(memory, at))
        .find(|&word| is_after_call(memory, word))
}

/// The word at `address`, if it is aligned and in a stack.
pub(super) fn stack_word<M: StackMemory>(memory: &M, address: u64) -> Option<u64> {
    let readable = address & 7 == 0 && memory.stack_of(address)?.holds(address, 8);
    if readable { memory.read(address) } else { None }
}

fn code<M: StackMemory>(memory: &M, address: u64) -> Option<u8> {
    if memory.is_text(address) { memory.code(address) } else { None }
}

fn has_bytes<M: StackMemory>(memory: &M, start: u64, bytes: [u8; 4]) -> bool {
    (0..u64::MAX).zip(bytes).all(|(ahead, byte)| code(memory, start.wrapping_add(ahead)) == Some(byte))
}

#[cfg(test)]
mod tests {
    use super::super::fake::{Memory, TEXT};
    use super::super::{Backtrace, FrameKind::*, Frames};
    use super::*;

    const LOW: u64 = 0x1000;
    const CALLER: u64 = TEXT + 0x100;
    const WITH_FRAME: &[u8] = &[0x55, 0x48, 0x89, 0xe5, 0x90, 0xc3];
    const LEAF: &[u8] = &[0x8b, 0x07, 0x90, 0xc3];

    /// A call right before `CALLER`, and one function at `TEXT`.
    fn code(function: &[u8]) -> [u8; 0x200] {
        let mut code = [0x90; 0x200];
        code[..function.len()].copy_from_slice(function);
        code[0x100 - 5] = CALL_NEAR;
        code
    }

    fn trace(function: &[u8], stack: &[u64], trap: TrapFrame) -> Backtrace<8> {
        let code = code(function);
        let memory = Memory::with_code(&[(LOW, stack)], &code);
        Backtrace::capture(Frames::from_trap(&memory, trap))
    }

    fn trap(pc: u64, stack_pointer: u64, frame_pointer: u64) -> TrapFrame {
        TrapFrame { pc, stack_pointer, frame_pointer }
    }

    fn lines(trace: &Backtrace<8>) -> heapless::Vec<(u64, crate::backtrace::FrameKind), 8> {
        trace.frames().iter().map(|frame| (frame.address, frame.kind)).collect()
    }

    #[test]
    fn a_wild_pc_returns_to_the_top_of_the_stack() {
        let trace = trace(WITH_FRAME, &[CALLER, 0, 0, CALLER + 8], trap(0xdead_0000, LOW, LOW + 16));
        assert_eq!(lines(&trace), [(0xdead_0000, Exact), (CALLER, Return), (CALLER + 8, Return)]);
    }

    #[test]
    fn a_wild_pc_without_a_return_address_goes_on_from_the_frame() {
        for word in [0, LOW, TEXT + 0x80] {
            let trace = trace(WITH_FRAME, &[word, 0, 0, CALLER], trap(0, LOW, LOW + 16));
            assert_eq!(lines(&trace), [(0, Exact), (CALLER, Return)], "{word:#x}");
        }
    }

    #[test]
    fn without_code_to_read_nothing_is_guessed() {
        let memory = Memory::new(&[(LOW, &[TEXT + 0x80, TEXT + 0x90, 0, TEXT + 0xa0])]);
        let wild = Backtrace::capture(Frames::from_trap(&memory, trap(0, LOW, LOW + 16)));
        assert_eq!(lines(&wild), [(0, Exact), (TEXT + 0x80, Return), (TEXT + 0xa0, Return)]);
        let in_text = Backtrace::capture(Frames::from_trap(&memory, trap(TEXT + 2, LOW, LOW + 16)));
        assert_eq!(lines(&in_text), [(TEXT + 2, Exact), (TEXT + 0xa0, Return)]);
    }

    #[test]
    fn the_prologue_and_the_return_are_exact() {
        // At `push rbp`, between it and `mov`, after both, and at `ret`.
        let stack = [TEXT + 1, CALLER, 0, CALLER + 8];
        for (pc, stack_pointer) in [(0, LOW + 8), (1, LOW), (5, LOW + 8)] {
            let trace = trace(WITH_FRAME, &stack, trap(TEXT + pc, stack_pointer, LOW + 16));
            assert_eq!(lines(&trace), [(TEXT + pc, Exact), (CALLER, Return), (CALLER + 8, Return)], "{pc}");
        }
        let trace = trace(WITH_FRAME, &stack, trap(TEXT + 4, LOW, LOW + 16));
        assert_eq!(lines(&trace), [(TEXT + 4, Exact), (CALLER + 8, Return)]);
    }

    #[test]
    fn an_endbr_may_stand_before_the_prologue() {
        let function = [0xf3, 0x0f, 0x1e, 0xfa, 0x55, 0x48, 0x89, 0xe5, 0x90];
        let stack = [0, CALLER, 0, CALLER + 8];
        let at_push = trace(&function, &stack, trap(TEXT + 4, LOW + 8, LOW + 16));
        assert_eq!(lines(&at_push).get(1), Some(&(CALLER, Return)));
        let in_body = trace(&function, &stack, trap(TEXT + 8, LOW, LOW + 16));
        assert_eq!(lines(&in_body), [(TEXT + 8, Exact), (CALLER + 8, Return)]);
    }

    #[test]
    fn a_leaf_without_a_frame_is_scanned_for() {
        // A data word, an address that no call is before, the return address; then the caller's own record.
        let stack = [7, TEXT + 0x80, CALLER, CALLER, 0, CALLER + 8];
        let trace = trace(LEAF, &stack, trap(TEXT + 2, LOW, LOW + 32));
        assert_eq!(lines(&trace), [(TEXT + 2, Exact), (CALLER, Uncertain), (CALLER + 8, Return)]);
    }

    #[test]
    fn the_scan_ends_at_the_frame_and_after_16_words() {
        let stack = [7, 7, 0, CALLER];
        let own_frame = trace(LEAF, &stack, trap(TEXT + 2, LOW, LOW + 16));
        assert_eq!(lines(&own_frame), [(TEXT + 2, Exact), (CALLER, Return)], "not the same address twice");
        let mut far = [7; 20];
        far[16] = CALLER;
        assert_eq!(lines(&trace(LEAF, &far, trap(TEXT + 2, LOW, 0))), [(TEXT + 2, Exact)]);
        far[15] = CALLER;
        assert_eq!(lines(&trace(LEAF, &far, trap(TEXT + 2, LOW, 0))).len(), 2);
        assert_eq!(lines(&trace(LEAF, &far, trap(TEXT + 2, LOW + 4, 0))).len(), 1, "unaligned stack pointer");
    }

    #[test]
    fn every_form_of_a_call_counts() {
        let calls: [&[u8]; 11] = [
            &[0xe8, 1, 2, 3, 4],
            &[0xff, 0xd0],
            &[0x41, 0xff, 0xd3],
            &[0xff, 0x10],
            &[0xff, 0x50, 0x18],
            &[0xff, 0x90, 1, 2, 3, 4],
            &[0xff, 0x15, 1, 2, 3, 4],
            &[0xff, 0x14, 0x24],
            &[0xff, 0x54, 0x24, 8],
            &[0xff, 0x94, 0x24, 1, 2, 3, 4],
            &[0xff, 0x14, 0x25, 1, 2, 3, 4],
        ];
        for call in calls {
            let memory = Memory::with_code(&[], call);
            assert!(is_after_call(&memory, TEXT + call.len() as u64), "{call:02x?}");
        }
        let others: [&[u8]; 6] =
            [&[0xe9, 1, 2, 3, 4], &[0xff, 0xe0], &[0xff, 0x30], &[0xff, 0x10, 0], &[0xd0], &[]];
        for other in others {
            let memory = Memory::with_code(&[], other);
            assert!(!is_after_call(&memory, TEXT + other.len() as u64), "{other:02x?}");
        }
        assert!(!is_after_call(&Memory::new(&[]), 0) && !is_after_call(&Memory::new(&[]), u64::MAX));
    }
}
