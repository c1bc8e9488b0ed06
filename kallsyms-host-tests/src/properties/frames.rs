//! The frame walker over a machine that may hold anything.

use std::cell::Cell;

use kallsyms_core::backtrace::{
    Backtrace, End, Frame, FrameKind, Frames, MAX_FRAMES, Stack, StackMemory, TrapFrame,
};

use super::input::Parts;

/// Where the text begins; it has as many bytes as the input tells.
const TEXT: u64 = 0xffff_ffff_8010_0000;

/// Most reads of the stack in one step, of which 16 search for the caller of interrupted code.
const MAX_STACK_READS: u32 = 22;

/// Most reads of code in one step.
const MAX_CODE_READS: u32 = 360;

/// Stacks and text, which asserts what the walker owes its machine, and counts.
struct Machine<'a> {
    /// Address of the first byte, and the words.
    stacks: Vec<(u64, Vec<u64>)>,
    code: &'a [u8],
    reads_code: bool,
    functions: u64,
    stack_reads: Cell<u32>,
    code_reads: Cell<u32>,
}

impl<'a> Machine<'a> {
    fn read(parts: &mut Parts<'a>) -> Self {
        let flags = parts.byte();
        let code = parts.part();
        let functions = u64::from(parts.byte());
        let mut stacks: Vec<(u64, Vec<u64>)> = Vec::new();
        for _ in 0..1 + (flags & 3) {
            let words = words(parts.part());
            let place = parts.byte() % 4;
            let Some(ahead) = (8 * words.len() as u64).checked_sub(1) else { continue };
            let first = match place {
                0 => 0,
                1 => u64::MAX - ahead,
                number => 0x1000 * u64::from(number),
            };
            let stack = Stack { first, last: first + ahead };
            let is_apart = |other: Stack| stack.last < other.first || other.last < stack.first;
            if stacks.iter().map(Self::bounds).all(is_apart) {
                stacks.push((first, words));
            }
        }
        Self {
            stacks,
            code,
            reads_code: flags & 4 != 0,
            functions,
            stack_reads: Cell::new(0),
            code_reads: Cell::new(0),
        }
    }

    fn bounds((first, words): &(u64, Vec<u64>)) -> Stack {
        Stack { first: *first, last: first + (8 * words.len() as u64 - 1) }
    }
}

/// The words of a stack.
fn words(part: &[u8]) -> Vec<u64> {
    let mut parts = Parts::new(part);
    std::iter::from_fn(|| (!parts.is_empty()).then(|| word(&mut parts))).collect()
}

/// An address of a kind that the walker tells apart.
fn word(parts: &mut Parts<'_>) -> u64 {
    match parts.byte() % 8 {
        0 => 0,
        1 => parts.number(),
        2 | 3 => TEXT + u64::from(parts.half() % 0x400),
        4 => u64::MAX - u64::from(parts.half() % 0x400),
        5 => u64::from(parts.half() % 0x400),
        6 => 0x2000 + u64::from(parts.half() % 0x400),
        _ => 0x3000 + u64::from(parts.half() % 0x400),
    }
}

impl StackMemory for Machine<'_> {
    fn stack_of(&self, address: u64) -> Option<Stack> {
        self.stacks.iter().map(Self::bounds).find(|stack| stack.first <= address && address <= stack.last)
    }

    fn read(&self, address: u64) -> Option<u64> {
        assert_eq!(address % 8, 0, "{address:#x} is not aligned");
        self.stack_reads.set(self.stack_reads.get() + 1);
        let holds = |stack: &&(u64, Vec<u64>)| {
            let bounds = Self::bounds(stack);
            bounds.first <= address && address.checked_add(7).is_some_and(|last| last <= bounds.last)
        };
        let (first, words) = self.stacks.iter().find(holds).expect("a word within a stack");
        Some(words[((address - first) / 8) as usize])
    }

    fn is_text(&self, address: u64) -> bool {
        address.checked_sub(TEXT).is_some_and(|at| at < self.code.len() as u64)
    }

    fn code(&self, address: u64) -> Option<u8> {
        assert!(self.is_text(address), "{address:#x} is not text");
        self.code_reads.set(self.code_reads.get() + 1);
        self.reads_code.then(|| self.code[(address - TEXT) as usize])
    }

    fn function_start(&self, pc: u64) -> Option<u64> {
        let at = pc.checked_sub(TEXT)?;
        (self.functions != 0).then(|| TEXT + at - at % self.functions)
    }
}

/// A walk from running code and one from a trap: each ends, asks for aligned words of known stacks only and for a
/// bounded number of them, and as far as no trap frame lies on the way gives the frames that a plain reading of
/// the rules does.
///
/// # Panics
///
/// Where it is not so.
pub fn check(input: &[u8]) {
    let mut parts = Parts::new(input);
    let machine = Machine::read(&mut parts);
    let trap =
        TrapFrame { pc: word(&mut parts), stack_pointer: word(&mut parts), frame_pointer: word(&mut parts) };
    let (frames, end) = walk(&machine, Frames::new(&machine, trap.pc, trap.frame_pointer));
    let (plain, plain_end) = plain(&machine, trap.pc, trap.frame_pointer);
    match plain_end {
        Some(plain_end) => assert_eq!((frames, end), (plain, plain_end)),
        None => assert!(frames.starts_with(&plain)),
    }
    let (frames, _) = walk(&machine, Frames::from_trap(&machine, trap));
    assert_eq!(frames[0], Frame { address: trap.pc, kind: FrameKind::Exact });
}

fn walk(machine: &Machine<'_>, mut walk: Frames<&Machine<'_>>) -> (Vec<Frame>, End) {
    let captured = Backtrace::<8>::capture(walk.clone());
    let mut frames = Vec::new();
    loop {
        machine.stack_reads.set(0);
        machine.code_reads.set(0);
        assert_eq!(walk.end(), None);
        let frame = walk.next();
        let (stack_reads, code_reads) = (machine.stack_reads.get(), machine.code_reads.get());
        assert!(stack_reads <= MAX_STACK_READS, "{stack_reads} reads of the stack");
        assert!(code_reads <= MAX_CODE_READS, "{code_reads} reads of code");
        let Some(frame) = frame else { break };
        assert!(
            frame.kind != FrameKind::Return || machine.is_text(frame.address.wrapping_sub(1)),
            "{frame:x?}"
        );
        frames.push(frame);
        assert!(frames.len() <= MAX_FRAMES as usize);
    }
    let end = walk.end().expect("it has ended");
    assert_eq!((walk.next(), walk.end()), (None, Some(end)));
    assert!(!end.to_string().is_empty());
    assert_eq!(captured.frames(), &frames[..frames.len().min(8)]);
    assert_eq!(captured.end(), (frames.len() <= 8).then_some(end));
    (frames, end)
}

/// The rules for a chain, one after the other; no end where a trap frame lies on the way.
fn plain(machine: &Machine<'_>, pc: u64, mut pointer: u64) -> (Vec<Frame>, Option<End>) {
    let mut frames = vec![Frame { address: pc, kind: FrameKind::Exact }];
    let (mut stack, mut lowest) = (None, 0);
    let end = loop {
        if pointer == 0 {
            break End::Done;
        }
        if pointer % 8 == 1 {
            return (frames, None);
        }
        if !pointer.is_multiple_of(8) {
            break End::Unaligned(pointer);
        }
        let Some(holder) = machine.stack_of(pointer) else { break End::Outside(pointer) };
        if *stack.get_or_insert(holder) != holder {
            break End::Outside(pointer);
        }
        if pointer < lowest {
            break End::NotRising(pointer);
        }
        if holder.last - pointer < 15 {
            break End::Outside(pointer);
        }
        let (next, address) =
            (machine.read(pointer).expect("a word"), machine.read(pointer + 8).expect("a word"));
        if address == 0 {
            break End::Done;
        }
        if !machine.is_text(address.wrapping_sub(1)) {
            break End::NotText(address);
        }
        if frames.len() == MAX_FRAMES as usize {
            break End::TooDeep;
        }
        frames.push(Frame { address, kind: FrameKind::Return });
        lowest = pointer.saturating_add(16);
        pointer = next;
    };
    (frames, Some(end))
}
