//! A backtrace as text: frames first, then names.

use crate::stack::{self, Machine, REPORT_FRAMES};
use crate::symbols;
use kallsyms_core::backtrace::{Backtrace, End, Frame, FrameKind, Frames};

/// Prints a call chain; takes no lock.
pub(crate) fn backtrace(frames: Frames<Machine>) {
    lines(&stack::capture(frames));
}

/// Prints a captured call chain; takes no lock.
pub(crate) fn lines(trace: &Backtrace<REPORT_FRAMES>) {
    println!("backtrace:");
    for (index, frame) in trace.frames().iter().enumerate() {
        println!("  #{index:<2} {} {:016x} {}", mark(frame), frame.address, symbols::Named(*frame));
    }
    match trace.end() {
        Some(End::Done) => {}
        Some(end) => println!("  ends: {end}"),
        None => println!("  ends: more than {} frames", REPORT_FRAMES),
    }
}

/// What the address of a frame is.
const fn mark(frame: &Frame) -> &'static str {
    match frame.kind {
        FrameKind::Exact => "pc ",
        FrameKind::Return => "ret",
        FrameKind::Uncertain => "?  ",
    }
}
