//! A backtrace as text: frames first, then names. What a fault cuts short, the next report finishes.

use crate::stack::{Machine, REPORT_FRAMES};
use crate::symbols;
use core::sync::atomic::{AtomicU8, AtomicU64, AtomicUsize, Ordering::Relaxed};
use kallsyms_core::backtrace::{Backtrace, End, Frame, FrameKind, Frames};

/// The call chain of the report that is running, where a fault in that report does not lose it.
struct Chain {
    addresses: [AtomicU64; REPORT_FRAMES],
    kinds: [AtomicU8; REPORT_FRAMES],
    captured: AtomicUsize,
    printed: AtomicUsize,
}

static CHAIN: Chain = Chain {
    addresses: [const { AtomicU64::new(0) }; REPORT_FRAMES],
    kinds: [const { AtomicU8::new(0) }; REPORT_FRAMES],
    captured: AtomicUsize::new(0),
    printed: AtomicUsize::new(0),
};

/// What an address can be; [`Chain`] keeps the index.
const KINDS: [(FrameKind, &str); 3] =
    [(FrameKind::Exact, "pc "), (FrameKind::Return, "ret"), (FrameKind::Uncertain, "?  ")];

impl Chain {
    /// Starts over with these frames; each counts as soon as it is found.
    fn capture(&self, frames: impl Iterator<Item = Frame>) {
        self.captured.store(0, Relaxed);
        self.printed.store(0, Relaxed);
        for ((frame, address), kind) in frames.zip(&self.addresses).zip(&self.kinds) {
            address.store(frame.address, Relaxed);
            let index = KINDS.iter().position(|(kind, _)| *kind == frame.kind);
            kind.store(index.unwrap_or(0) as u8, Relaxed);
            self.captured.fetch_add(1, Relaxed);
        }
    }

    /// Prints the frames that have no line yet.
    fn print(&self) {
        let slots = self.addresses.iter().zip(&self.kinds).enumerate().take(self.captured.load(Relaxed));
        for (index, (address, kind)) in slots.skip(self.printed.load(Relaxed)) {
            let address = address.load(Relaxed);
            let (kind, mark) = KINDS[usize::from(kind.load(Relaxed)) % KINDS.len()];
            let name = symbols::Named(Frame { address, kind });
            reportln!("  #{index:<2} {mark} {address:016x} {name}");
            self.printed.store(index + 1, Relaxed);
        }
    }
}

/// Prints a call chain; takes no lock.
pub(crate) fn backtrace(mut frames: Frames<Machine>) {
    CHAIN.capture(frames.by_ref().take(REPORT_FRAMES));
    let truncated = frames.next().is_some();
    print(if truncated { None } else { frames.end() });
}

/// Prints a captured call chain; takes no lock.
pub(crate) fn lines(trace: &Backtrace<REPORT_FRAMES>) {
    CHAIN.capture(trace.frames().iter().copied());
    print(trace.end());
}

/// Prints the frames that a report which was cut short had found and not printed; takes no lock.
pub(crate) fn rest() {
    if CHAIN.printed.load(Relaxed) < CHAIN.captured.load(Relaxed) {
        reportln!("the rest of the report before:");
        CHAIN.print();
    }
}

/// Prints the chain and why it ends.
fn print(end: Option<End>) {
    reportln!("backtrace:");
    CHAIN.print();
    match end {
        Some(End::Done) => {}
        Some(end) => reportln!("  ends: {end}"),
        None => reportln!("  ends: more than {REPORT_FRAMES} frames"),
    }
}
