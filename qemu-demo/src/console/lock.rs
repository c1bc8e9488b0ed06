//! The console's lock: one line at a time.

use super::serial;
use core::fmt;
use core::hint::spin_loop;
use core::sync::atomic::{AtomicBool, Ordering};

static LOCKED: AtomicBool = AtomicBool::new(false);

/// Prints a line, holding the lock; for ever where what is printed prints a line itself.
#[inline(never)]
pub(crate) fn line(text: fmt::Arguments<'_>) {
    while LOCKED.swap(true, Ordering::Acquire) {
        spin_loop();
    }
    serial::print(text);
    serial::print(format_args!("\n"));
    LOCKED.store(false, Ordering::Release);
}

/// Whether a line is being printed.
pub(crate) fn is_locked() -> bool {
    LOCKED.load(Ordering::Relaxed)
}
