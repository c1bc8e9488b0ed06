//! The first serial port, polled.

use crate::cpu::port::Port;
use core::fmt;
use core::sync::atomic::{AtomicBool, Ordering::Relaxed};

const DATA: Port = Port::serial(0);
const INTERRUPTS: Port = Port::serial(1);
const FIFO: Port = Port::serial(2);
const LINE: Port = Port::serial(3);
const STATUS: Port = Port::serial(5);

const EIGHT_BITS: u8 = 3;
const SET_DIVISOR: u8 = 0x80;
const ENABLE_AND_CLEAR: u8 = 7;
const EMPTY: u8 = 0x20;

/// 115,200 baud, 8 bits, no interrupts.
pub(crate) fn init() {
    INTERRUPTS.write(0);
    LINE.write(SET_DIVISOR);
    DATA.write(1);
    INTERRUPTS.write(0);
    LINE.write(EIGHT_BITS);
    FIFO.write(ENABLE_AND_CLEAR);
}

/// Whether the last byte left a line open.
static IN_LINE: AtomicBool = AtomicBool::new(false);

/// Has no state that a panic in the middle of a line could leave half changed.
struct Serial;

impl fmt::Write for Serial {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for byte in text.bytes() {
            while STATUS.read() & EMPTY == 0 {
                core::hint::spin_loop();
            }
            DATA.write(byte);
            IN_LINE.store(byte != b'\n', Relaxed);
        }
        Ok(())
    }
}

/// Ends the line that a fault has left open.
pub(crate) fn fresh_line() {
    if IN_LINE.load(Relaxed) {
        print(format_args!("\n"));
    }
}

/// Prints and takes no lock.
#[inline(never)]
pub(crate) fn print(text: fmt::Arguments<'_>) {
    // The port takes everything; an error can only come from a `Display` that gives one, and then the text is
    // cut short, as it should be.
    let _cut_short = fmt::write(&mut Serial, text);
}
