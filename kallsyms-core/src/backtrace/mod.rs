//! The frame walker: from a frame pointer or a trap frame to the addresses of a call chain.
//!
//! It reads a stack only through [`StackMemory`], so it is safe code that runs on a fake stack as well, and
//! it knows no symbols: an address becomes a name by `Image::lookup` or `Image::lookup_return_address`, by
//! the frame's [`FrameKind`]. It takes no lock and allocates nothing, so it may run in a panic handler and in
//! an NMI.

#[cfg(test)]
mod fake;
mod frames;
pub mod x86_64;

use core::fmt;
pub use frames::Frames;

/// Most frames of one walk; a longer chain ends with [`End::TooDeep`].
pub const MAX_FRAMES: u32 = 256;

/// One of the machine's stacks, by its first and its last byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Stack {
    /// Address of the lowest byte.
    pub first: u64,
    /// Address of the highest byte, inclusive.
    pub last: u64,
}

impl Stack {
    /// Whether the `len` bytes from `address` on are in this stack; constant time.
    #[must_use]
    pub const fn holds(&self, address: u64, len: u64) -> bool {
        let Some(ahead) = len.checked_sub(1) else { return false };
        match address.checked_add(ahead) {
            Some(end) => address >= self.first && end <= self.last,
            None => false,
        }
    }
}

/// What the walker may know of the machine: its stacks, its code, its functions.
pub trait StackMemory {
    /// The known stack that holds this byte.
    fn stack_of(&self, address: u64) -> Option<Stack>;

    /// The 8 bytes at `address`; asked only where `address` is a multiple of 8 and [`Self::stack_of`] gave a
    /// stack that holds all 8.
    fn read(&self, address: u64) -> Option<u64>;

    /// Whether this byte is part of an instruction.
    fn is_text(&self, address: u64) -> bool;

    /// One byte of code; asked only where [`Self::is_text`] holds.
    ///
    /// Without it, as by default, a fault in a function that has no frame loses the function's caller.
    fn code(&self, address: u64) -> Option<u8> {
        let _ = address;
        None
    }

    /// First instruction of the function that holds `pc`.
    ///
    /// Without it, as by default, a fault in a function that has no frame loses the function's caller.
    fn function_start(&self, pc: u64) -> Option<u64> {
        let _ = pc;
        None
    }
}

impl<M: StackMemory + ?Sized> StackMemory for &M {
    fn stack_of(&self, address: u64) -> Option<Stack> {
        (**self).stack_of(address)
    }

    fn read(&self, address: u64) -> Option<u64> {
        (**self).read(address)
    }

    fn is_text(&self, address: u64) -> bool {
        (**self).is_text(address)
    }

    fn code(&self, address: u64) -> Option<u8> {
        (**self).code(address)
    }

    fn function_start(&self, pc: u64) -> Option<u64> {
        (**self).function_start(pc)
    }
}

/// Registers of interrupted code, as a trap saved them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct TrapFrame {
    /// Program counter: the instruction that faulted, or the next one.
    pub pc: u64,
    /// Stack pointer.
    pub stack_pointer: u64,
    /// Frame pointer.
    pub frame_pointer: u64,
}

/// What the address of a frame means, and so how to look it up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum FrameKind {
    /// A program counter, exact: look it up as it is.
    Exact,
    /// A return address: it may be the first byte of the next function, so look up the byte before it.
    Return,
    /// As `Return`, but found by scanning the stack: it may be left over from an earlier call. Print a `?`.
    Uncertain,
}

/// One line of a backtrace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Frame {
    /// An address of code.
    pub address: u64,
    /// What the address means.
    pub kind: FrameKind,
}

/// Why a walk ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum End {
    /// A frame pointer or a return address of 0: the whole chain was seen.
    Done,
    /// This frame pointer is not a multiple of 8, and not the mark of a trap frame.
    Unaligned(u64),
    /// This frame pointer is outside the stack that is being walked.
    Outside(u64),
    /// This frame pointer is not above the frame that it was found in.
    NotRising(u64),
    /// This return address is not in text.
    NotText(u64),
    /// The chain has more than [`MAX_FRAMES`] frames.
    TooDeep,
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Done => f.write_str("end of the chain"),
            Self::Unaligned(at) => write!(f, "frame pointer {at:#x} is not aligned"),
            Self::Outside(at) => write!(f, "frame pointer {at:#x} is outside the stack"),
            Self::NotRising(at) => write!(f, "frame pointer {at:#x} does not rise"),
            Self::NotText(at) => write!(f, "return address {at:#x} is not in text"),
            Self::TooDeep => write!(f, "more than {MAX_FRAMES} frames"),
        }
    }
}

/// A captured backtrace of at most `N` frames, 16 bytes each.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Backtrace<const N: usize> {
    frames: heapless::Vec<Frame, N>,
    end: Option<End>,
}

impl<const N: usize> Backtrace<N> {
    /// Walks until the chain ends or `N` frames are stored.
    ///
    /// Costs what the walk costs, see [`Frames`], and 16 `N` + 24 bytes of stack.
    #[must_use]
    pub fn capture<M: StackMemory>(mut walk: Frames<M>) -> Self {
        let mut frames = heapless::Vec::new();
        for frame in &mut walk {
            if frames.push(frame).is_err() {
                return Self { frames, end: None };
            }
        }
        Self { frames, end: walk.end() }
    }

    /// The frames, innermost first.
    #[must_use]
    pub fn frames(&self) -> &[Frame] {
        &self.frames
    }

    /// Why the walk ended; `None` where the backtrace is truncated.
    #[must_use]
    pub const fn end(&self) -> Option<End> {
        self.end
    }

    /// Whether there were more than `N` frames.
    #[must_use]
    pub const fn truncated(&self) -> bool {
        self.end.is_none()
    }
}
