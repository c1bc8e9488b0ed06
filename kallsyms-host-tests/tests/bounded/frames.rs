//! Stacks that lead in circles, or on and on.

use std::cell::Cell;

use kallsyms_core::backtrace::x86_64::TRAP_FRAME_BYTES;
use kallsyms_core::backtrace::{End, Frames, MAX_FRAMES, Stack, StackMemory, TrapFrame};

const TEXT: u64 = 0xffff_ffff_8100_0000;
const LOW: u64 = 0x10_0000;
const WORDS: u64 = 1 << 16;

/// A stack whose words are computed, and text of one byte over and over; counts what is asked.
struct Memory<W> {
    word: W,
    text: u8,
    reads: Cell<u32>,
    codes: Cell<u32>,
}

impl<W: Fn(u64) -> u64> Memory<W> {
    fn new(text: u8, word: W) -> Self {
        Self { word, text, reads: Cell::new(0), codes: Cell::new(0) }
    }
}

impl<W: Fn(u64) -> u64> StackMemory for Memory<W> {
    fn stack_of(&self, address: u64) -> Option<Stack> {
        let stack = Stack { first: LOW, last: LOW + WORDS * 8 - 1 };
        stack.holds(address, 1).then_some(stack)
    }

    fn read(&self, address: u64) -> Option<u64> {
        self.reads.set(self.reads.get() + 1);
        Some((self.word)(address))
    }

    fn is_text(&self, address: u64) -> bool {
        address.wrapping_sub(TEXT) < 1 << 20
    }

    fn code(&self, _: u64) -> Option<u8> {
        self.codes.set(self.codes.get() + 1);
        Some(self.text)
    }

    fn function_start(&self, _: u64) -> Option<u64> {
        Some(TEXT)
    }
}

/// Even words lead on, odd ones return to text.
fn chain(step: u64) -> impl Fn(u64) -> u64 {
    move |at| if at % 16 == 0 { at + step } else { TEXT + 0x100 }
}

#[test]
fn chains() {
    for (what, step, end, frames) in [
        ("self-linked", 0, None, 2),
        ("as long as the stack", 16, Some(End::TooDeep), MAX_FRAMES),
        ("in wide steps", 256, Some(End::TooDeep), MAX_FRAMES),
    ] {
        let memory = Memory::new(0x90, chain(step));
        let mut walk = Frames::new(&memory, TEXT, LOW);
        assert_eq!(walk.by_ref().count(), frames as usize, "{what}");
        assert!(end.is_none_or(|end| walk.end() == Some(end)), "{what}: {:?}", walk.end());
        assert!(memory.reads.get() <= 2 * (frames + 1), "{what}: {} reads", memory.reads.get());
        assert_eq!(memory.codes.get(), 0, "{what}");
    }
}

/// Every frame is a trap's, whose caller is searched for on the stack: what a step can cost at most.
#[test]
fn traps_all_the_way() {
    // A marked frame pointer leads to the trap frame behind; all return into the middle of text that has no
    // prologue and no call.
    let next = |at: u64| (at - LOW) / TRAP_FRAME_BYTES * TRAP_FRAME_BYTES + LOW + TRAP_FRAME_BYTES;
    for text in [0x90, 0xe8, 0xff, 0x55, 0xc3] {
        let memory = Memory::new(text, |at| match (at - LOW) % TRAP_FRAME_BYTES / 8 {
            4 => next(at) + 1,
            16 => TEXT + 0x200,
            19 => next(at),
            _ => TEXT + 0x100,
        });
        let trap = TrapFrame { pc: TEXT + 0x200, stack_pointer: LOW, frame_pointer: LOW + 1 };
        let mut walk = Frames::from_trap(&memory, trap);
        let frames = walk.by_ref().count() as u32;
        assert!(frames <= MAX_FRAMES && walk.end().is_some());
        // 3 registers and 16 words of a scan; 20 bytes of code a word, and those of a prologue.
        assert!(memory.reads.get() <= (3 + 16) * (frames + 1), "{text:#x}: {} reads", memory.reads.get());
        assert!(memory.codes.get() <= (16 * 21 + 16) * (frames + 1), "{text:#x}: {}", memory.codes.get());
        println!("{text:#x}: {frames} frames, {} reads, {} of code", memory.reads.get(), memory.codes.get());
    }
}
