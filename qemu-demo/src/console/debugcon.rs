//! defmt over QEMU's debug console.
#![expect(unsafe_code, reason = "the encoder is shared by everything that logs")]

use crate::cpu::port::Port;
use core::cell::UnsafeCell;
use core::sync::atomic::{AtomicU32, Ordering::Relaxed};
use defmt::Encoder;

#[defmt::global_logger]
struct Logger;

/// Ends the frame that a panic or an exception has left open, so that the frames after it are whole; whether
/// there was one.
///
/// Its end asks for more bytes than a frame of under 134 has: a decoder drops it, where zeros for what is
/// missing would make a message of it.
pub(crate) fn end_torn_frame() -> bool {
    let torn = SHARED.depth.swap(1, Relaxed) > 0;
    if torn {
        SHARED.outermost(|encoder| encoder.end_frame(|_| {}));
        send(&[LONGEST_RUN, END_OF_FRAME]);
    }
    SHARED.depth.store(0, Relaxed);
    torn
}

/// What rzCOBS ends a run of 134 bytes with.
const LONGEST_RUN: u8 = 0xff;
const END_OF_FRAME: u8 = 0;

/// The encoder and how many log calls are inside each other: a trap may log in the middle of one.
struct Shared {
    depth: AtomicU32,
    encoder: UnsafeCell<Encoder>,
}

// SAFETY: there is one processor, and `outermost` gives the encoder only to the log call that is not inside
// another one, so that no two references to it exist. Where `end_torn_frame` begins anew, nobody goes on with
// the log call that was interrupted: reports that call it end the machine.
unsafe impl Sync for Shared {}

static SHARED: Shared = Shared { depth: AtomicU32::new(0), encoder: UnsafeCell::new(Encoder::new()) };

impl Shared {
    /// Runs `action` on the encoder, unless this log call is inside another one, whose frame it would tear:
    /// then it is dropped.
    fn outermost(&self, action: impl FnOnce(&mut Encoder)) {
        if self.depth.load(Relaxed) == 1 {
            // SAFETY: the depth is 1, so the one log call that is running is this one; `action` is one of the
            // four of this file, none of which logs.
            action(unsafe { &mut *self.encoder.get() });
        }
    }
}

// SAFETY: `acquire` and `release` count, and between them `write` reaches the encoder for the outermost log
// call only: frames are not torn, and nothing blocks. `flush` has nothing to do, as a port write is done when
// it returns.
unsafe impl defmt::Logger for Logger {
    fn acquire() {
        SHARED.depth.fetch_add(1, Relaxed);
        SHARED.outermost(|encoder| encoder.start_frame(send));
    }

    unsafe fn flush() {}

    unsafe fn release() {
        SHARED.outermost(|encoder| encoder.end_frame(send));
        SHARED.depth.fetch_sub(1, Relaxed);
    }

    unsafe fn write(bytes: &[u8]) {
        SHARED.outermost(|encoder| encoder.write(bytes, send));
    }
}

fn send(bytes: &[u8]) {
    for &byte in bytes {
        Port::DEBUG_CONSOLE.write(byte);
    }
}
