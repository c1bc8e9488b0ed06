//! The walk itself: one frame a step, every step checked.

use super::x86_64::{self, Caller, TRAP_FRAME_BYTES, TRAP_MARK};
use super::{End, Frame, FrameKind, MAX_FRAMES, Stack, StackMemory, TrapFrame};
use core::iter::FusedIterator;

/// Bytes of a frame record: the caller's frame pointer, then the return address.
const RECORD_BYTES: u64 = 16;

/// Where the next frame comes from.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
enum Step {
    /// The program counter of the function that started the walk; then its frame pointer.
    Start { pc: u64, frame_pointer: u64 },
    /// The program counter of interrupted code.
    Trapped(TrapFrame),
    /// The caller of interrupted code, if that has no frame.
    CallerOf(TrapFrame),
    /// The record at this frame pointer.
    Record(u64),
    /// Nothing more.
    Ended(End),
}

/// The frames of a call chain, innermost first.
///
/// A step costs at most 3 reads of the stack; the one after a trap frame at most 16 more and the reads of
/// code that tell a return address. The iterator is 80 bytes; a step takes under 300 bytes of stack beside
/// what the memory's methods take. No chain, however damaged, makes it run over [`MAX_FRAMES`] or read
/// outside the stacks that the memory names.
///
/// A frame pointer must be a multiple of 8, lie in a known stack, rise above the frame that it was found in
/// and lead to a return address in text. A chain changes stacks only through a trap frame, once for each.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Frames<M> {
    memory: M,
    step: Step,
    /// The stack that the next record must be in; `None` where any stack will do.
    stack: Option<Stack>,
    /// Lowest address that the next record may have.
    floor: u64,
    count: u32,
}

impl<M: StackMemory> Frames<M> {
    /// A walk that starts in running code, from one of its addresses and its frame pointer; constant time.
    #[must_use]
    pub const fn new(memory: M, pc: u64, frame_pointer: u64) -> Self {
        Self { memory, step: Step::Start { pc, frame_pointer }, stack: None, floor: 0, count: 0 }
    }

    /// A walk that starts in interrupted code; constant time.
    #[must_use]
    pub const fn from_trap(memory: M, trap: TrapFrame) -> Self {
        Self { memory, step: Step::Trapped(trap), stack: None, floor: 0, count: 0 }
    }

    /// Why the walk ended; `None` as long as the iterator has not returned `None`.
    #[must_use]
    pub const fn end(&self) -> Option<End> {
        match self.step {
            Step::Ended(end) => Some(end),
            _ => None,
        }
    }

    /// The next frame, or the end; also sets the step after it.
    fn advance(&mut self) -> Result<Frame, End> {
        loop {
            match self.step {
                Step::Ended(end) => return Err(end),
                Step::Start { pc, frame_pointer } => {
                    self.step = Step::Record(frame_pointer);
                    return self.frame(pc, FrameKind::Exact);
                }
                Step::Trapped(trap) => {
                    self.step = Step::CallerOf(trap);
                    return self.frame(trap.pc, FrameKind::Exact);
                }
                Step::CallerOf(trap) => {
                    self.step = Step::Record(trap.frame_pointer);
                    let caller = x86_64::caller(&self.memory, &trap);
                    self.enter(trap.stack_pointer);
                    match caller {
                        Caller::InFrame => {}
                        Caller::Known(address) => return self.frame(address, FrameKind::Return),
                        Caller::Guessed(address) => return self.frame(address, FrameKind::Uncertain),
                    }
                }
                Step::Record(0) => return Err(End::Done),
                Step::Record(pointer) if pointer & 7 == TRAP_MARK => {
                    let at = pointer.wrapping_sub(TRAP_MARK);
                    let stack = self.check(at, pointer)?;
                    let trap = x86_64::trap_frame(&self.memory, stack, at).ok_or(End::Outside(pointer))?;
                    self.floor = at.saturating_add(TRAP_FRAME_BYTES);
                    self.step = Step::Trapped(trap);
                }
                Step::Record(pointer) => return self.record(pointer),
            }
        }
    }

    /// The frame of the record at `pointer`.
    fn record(&mut self, pointer: u64) -> Result<Frame, End> {
        if pointer & 7 != 0 {
            return Err(End::Unaligned(pointer));
        }
        let stack = self.check(pointer, pointer)?;
        if !stack.holds(pointer, RECORD_BYTES) {
            return Err(End::Outside(pointer));
        }
        let word = |at: u64| self.memory.read(at).ok_or(End::Outside(pointer));
        let next = word(pointer)?;
        let address = word(pointer.wrapping_add(8))?;
        if address == 0 {
            return Err(End::Done);
        }
        if !self.memory.is_text(address.wrapping_sub(1)) {
            return Err(End::NotText(address));
        }
        // Saturates only at the top of the address space, where nothing is above the record.
        self.floor = pointer.saturating_add(RECORD_BYTES);
        self.step = Step::Record(next);
        self.frame(address, FrameKind::Return)
    }

    /// The stack that holds `at`, after the checks that every frame pointer passes.
    fn check(&mut self, at: u64, pointer: u64) -> Result<Stack, End> {
        let stack = self.memory.stack_of(at).ok_or(End::Outside(pointer))?;
        if *self.stack.get_or_insert(stack) != stack {
            return Err(End::Outside(pointer));
        }
        if at < self.floor {
            return Err(End::NotRising(pointer));
        }
        Ok(stack)
    }

    /// Goes over to the stack of interrupted code: the frames from here on are at its stack pointer or above.
    fn enter(&mut self, stack_pointer: u64) {
        let stack = self.memory.stack_of(stack_pointer);
        let same = stack.is_some() && stack == self.stack;
        self.floor = match stack {
            Some(_) if same => self.floor.max(stack_pointer),
            Some(_) => stack_pointer,
            // After an overflow the stack pointer is below the stack: nothing is known.
            None => 0,
        };
        self.stack = stack;
    }

    fn frame(&mut self, address: u64, kind: FrameKind) -> Result<Frame, End> {
        if self.count >= MAX_FRAMES {
            return Err(End::TooDeep);
        }
        self.count = self.count.wrapping_add(1);
        Ok(Frame { address, kind })
    }
}

impl<M: StackMemory> Iterator for Frames<M> {
    type Item = Frame;

    fn next(&mut self) -> Option<Frame> {
        match self.advance() {
            Ok(frame) => Some(frame),
            Err(end) => {
                self.step = Step::Ended(end);
                None
            }
        }
    }
}

impl<M: StackMemory> FusedIterator for Frames<M> {}

#[cfg(test)]
mod tests {
    use super::super::fake::{Memory, TEXT};
    use super::*;
    use crate::backtrace::{Backtrace, FrameKind::*};

    const LOW: u64 = 0x1000;
    const HIGH: u64 = 0x9000;

    fn walk(memory: &Memory, frame_pointer: u64) -> (Backtrace<8>, End) {
        let mut all = Frames::new(memory, TEXT, frame_pointer);
        let mut frames = heapless::Vec::<Frame, 512>::new();
        frames.extend(&mut all);
        let end = all.end().unwrap();
        assert_eq!(all.next(), None, "fused");
        let captured = Backtrace::capture(Frames::new(memory, TEXT, frame_pointer));
        assert_eq!(captured.truncated(), frames.len() > 8);
        assert_eq!(captured.frames(), frames.get(..captured.frames().len()).unwrap());
        (captured, end)
    }

    fn addresses(trace: &Backtrace<8>) -> heapless::Vec<u64, 8> {
        trace.frames().iter().map(|frame| frame.address).collect()
    }

    #[test]
    fn the_iterator_is_small() {
        assert_eq!(size_of::<Frames<&Memory>>(), 80);
    }

    #[test]
    fn a_whole_chain_ends_at_the_null_frame_pointer() {
        let stack = [LOW + 32, TEXT + 8, 0, 0, LOW + 48, TEXT + 16, 0, TEXT + 24];
        let memory = Memory::new(&[(LOW, &stack)]);
        let (trace, end) = walk(&memory, LOW);
        assert_eq!(end, End::Done);
        assert_eq!(addresses(&trace), [TEXT, TEXT + 8, TEXT + 16, TEXT + 24]);
        assert_eq!(trace.frames().first().unwrap().kind, Exact);
        assert!(trace.frames().iter().skip(1).all(|frame| frame.kind == Return));
        assert_eq!(trace.end(), Some(End::Done));
    }

    #[test]
    fn a_null_return_address_ends_the_chain_too() {
        let memory = Memory::new(&[(LOW, &[LOW + 16, TEXT + 8, LOW + 32, 0, 0, 0])]);
        let (trace, end) = walk(&memory, LOW);
        assert_eq!((addresses(&trace).len(), end), (2, End::Done));
        assert_eq!(walk(&memory, 0).1, End::Done);
    }

    #[test]
    fn unaligned_frame_pointers_end_the_walk() {
        let memory = Memory::new(&[(LOW, &[LOW + 20, TEXT + 8, 0, 0, 0, 0])]);
        let (trace, end) = walk(&memory, LOW);
        assert_eq!((addresses(&trace).len(), end), (2, End::Unaligned(LOW + 20)));
        // The value that made an `unwrap` panic in another kernel.
        assert_eq!(walk(&memory, 0x67).1, End::Unaligned(0x67));
        assert_eq!(walk(&memory, 0x61).1, End::Outside(0x61), "a marked trap frame in no stack");
    }

    #[test]
    fn frame_pointers_outside_the_stack_end_the_walk() {
        for wild in [0x8, LOW - 8, LOW - 16, LOW + 32, LOW + 24, HIGH, 0xffff_8000_0000_0000] {
            let memory = Memory::new(&[(LOW, &[wild, TEXT + 8, 0, 0]), (HIGH, &[0, TEXT + 16])]);
            let (trace, end) = walk(&memory, LOW);
            assert_eq!((addresses(&trace).len(), end), (2, End::Outside(wild)), "{wild:#x}");
        }
    }

    #[test]
    fn frames_that_do_not_rise_end_the_walk() {
        for (next, what) in [(LOW + 16, "self-linked"), (LOW, "falling"), (LOW + 24, "overlapping")] {
            let memory = Memory::new(&[(LOW, &[0, TEXT + 8, next, TEXT + 16, 0, 0])]);
            let (trace, end) = walk(&memory, LOW + 16);
            assert_eq!((addresses(&trace).len(), end), (2, End::NotRising(next)), "{what}");
        }
    }

    #[test]
    fn a_return_address_outside_text_ends_the_walk() {
        for (address, frames) in [(0x10, 1), (TEXT, 1), (TEXT + 1, 2), (TEXT + 0x1000, 2), (TEXT + 0x1001, 1)]
        {
            let stack = [0, address];
            let memory = Memory::new(&[(LOW, &stack)]);
            let (trace, end) = walk(&memory, LOW);
            let expected = if frames == 2 { End::Done } else { End::NotText(address) };
            assert_eq!((addresses(&trace).len(), end), (frames, expected), "{address:#x}");
        }
    }

    #[test]
    fn a_chain_without_end_stops_at_the_limit() {
        let mut stack = [TEXT + 8; 2048];
        for (index, pair) in stack.chunks_exact_mut(2).enumerate() {
            pair[0] = LOW + 16 * (index as u64 + 1);
        }
        let memory = Memory::new(&[(LOW, &stack)]);
        let mut frames = Frames::new(&memory, TEXT, LOW);
        assert_eq!(frames.by_ref().count(), MAX_FRAMES as usize);
        assert_eq!(frames.end(), Some(End::TooDeep));
        let (trace, _) = walk(&memory, LOW);
        assert_eq!((trace.frames().len(), trace.truncated(), trace.end()), (8, true, None));
    }

    #[test]
    fn nothing_wraps_at_either_end_of_the_address_space() {
        let top = u64::MAX - 31;
        let memory = Memory::new(&[(0, &[8, TEXT + 8, 0, 0]), (top, &[top + 16, TEXT + 8, 0, TEXT + 16])]);
        let (trace, end) = walk(&memory, top);
        assert_eq!((addresses(&trace).len(), end), (3, End::Done));
        assert_eq!(walk(&memory, u64::MAX - 7).1, End::Outside(u64::MAX - 7), "record ends past the top");
        assert_eq!(walk(&memory, u64::MAX).1, End::Unaligned(u64::MAX));
        assert_eq!(walk(&memory, u64::MAX - 6).1, End::Outside(u64::MAX - 6), "trap frame past the top");
        assert_eq!(walk(&memory, 1).1, End::Outside(1), "trap frame at 0, stack too short");
        assert_eq!(walk(&memory, 16).1, End::Done, "a stack at address 0");
        let looped = Memory::new(&[(top, &[0, 0, top + 16, TEXT + 8])]);
        assert_eq!(walk(&looped, top + 16).1, End::NotRising(top + 16));
    }

    /// A trap frame of 21 words with these registers.
    fn trap_words(pc: u64, stack_pointer: u64, frame_pointer: u64) -> [u64; 21] {
        let mut words = [0xdead; 21];
        (words[4], words[16], words[19]) = (frame_pointer, pc, stack_pointer);
        words
    }

    #[test]
    fn a_trap_frame_in_the_middle_leads_to_another_stack() {
        // The handler's record on the interrupt stack leads to the marked frame behind it.
        let mut interrupt = [0; 23];
        interrupt[..2].copy_from_slice(&[HIGH + 16 + 1, TEXT + 8]);
        interrupt[2..].copy_from_slice(&trap_words(TEXT + 0x20, LOW, LOW + 16));
        let memory = Memory::new(&[(LOW, &[0, 0, 0, TEXT + 16]), (HIGH, &interrupt)]);
        let (trace, end) = walk(&memory, HIGH);
        assert_eq!(end, End::Done);
        let kinds: heapless::Vec<_, 8> = trace.frames().iter().map(|frame| frame.kind).collect();
        assert_eq!(addresses(&trace), [TEXT, TEXT + 8, TEXT + 0x20, TEXT + 16]);
        assert_eq!(kinds, [Exact, Return, Exact, Return]);
    }

    #[test]
    fn a_trap_on_the_same_stack_must_rise() {
        let mut stack = [0; 25];
        stack[2..23].copy_from_slice(&trap_words(TEXT + 0x20, LOW + 184, LOW + 184));
        stack[24] = TEXT + 16;
        let memory = Memory::new(&[(LOW, &stack)]);
        let (trace, end) = walk(&memory, LOW + 16 + 1);
        assert_eq!((addresses(&trace).as_slice(), end), (&[TEXT, TEXT + 0x20, TEXT + 16][..], End::Done));
        stack[2..23].copy_from_slice(&trap_words(TEXT + 0x20, LOW, LOW));
        let memory = Memory::new(&[(LOW, &stack)]);
        assert_eq!(walk(&memory, LOW + 16 + 1).1, End::NotRising(LOW));
    }

    #[test]
    fn trap_frames_that_lead_to_each_other_stop_at_the_limit() {
        let low = trap_words(TEXT, HIGH, HIGH + 1);
        let high = trap_words(TEXT, LOW, LOW + 1);
        let memory = Memory::new(&[(LOW, &low), (HIGH, &high)]);
        assert_eq!(walk(&memory, LOW + 1).1, End::TooDeep);
    }

    #[test]
    fn after_an_overflow_the_frame_pointer_alone_counts() {
        let memory = Memory::new(&[(LOW, &[0, TEXT + 8])]);
        let trap = TrapFrame { pc: TEXT, stack_pointer: LOW - 8, frame_pointer: LOW };
        let trace = Backtrace::<4>::capture(Frames::from_trap(&memory, trap));
        assert_eq!((trace.frames().len(), trace.end()), (2, Some(End::Done)));
    }

    /// The fake memory asserts that every read is aligned and inside a stack.
    #[test]
    fn noise_never_makes_it_panic_or_run_on() {
        let mut state = 1_u64;
        let mut noise = |choices: &[u64]| {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            let mark = u64::from(state >> 60 == 0);
            choices[(state >> 33) as usize % choices.len()].wrapping_add((state >> 40) & 0x1f8 | mark)
        };
        let mut longest = 0;
        for _ in 0..5_000 {
            // Records, more or less: a pointer, then a return address.
            let words: [u64; 192] = core::array::from_fn(|index| match index % 2 {
                0 => noise(&[LOW, LOW, LOW, HIGH, u64::MAX - 511]),
                _ => noise(&[TEXT, TEXT, TEXT, TEXT, LOW]),
            });
            let (low, rest) = words.split_at(64);
            let (high, top) = rest.split_at(64);
            let code = [[0xff, 0x10, 0xe8, 0x55, 0x48, 0x89, 0xe5, 0xc3]; 8].concat();
            let memory = Memory::with_code(&[(LOW, low), (HIGH, high), (u64::MAX - 511, top)], &code);
            let [pc, stack_pointer, frame_pointer] =
                core::array::from_fn(|_| noise(&[LOW, HIGH, TEXT, u64::MAX - 511]));
            let trap = TrapFrame { pc, stack_pointer, frame_pointer };
            for mut frames in [Frames::new(&memory, pc, frame_pointer), Frames::from_trap(&memory, trap)] {
                let count = frames.by_ref().count();
                assert!(count <= MAX_FRAMES as usize && frames.end().is_some());
                longest = longest.max(count);
            }
        }
        assert!(longest >= 4, "the noise leads somewhere: {longest}");
    }
}
