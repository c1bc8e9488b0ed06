//! The panic handler: frames, then names, then text; no lock, bounded.

use crate::exit::{Outcome, exit};
use crate::{report, stack};
use core::panic::PanicInfo;
use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Panics that have begun.
static PANICS: AtomicU32 = AtomicU32::new(0);

#[panic_handler]
fn panic(info: &PanicInfo<'_>) -> ! {
    match PANICS.fetch_add(1, Relaxed) {
        0 => {
            print!("panic");
            place(info);
            // Last on its line: the message is foreign code, and may panic itself.
            println!(": {}", info.message());
            report::backtrace(stack::here());
            exit(Outcome::Panic)
        }
        1 => {
            println!();
            print!("panic in panic");
            place(info);
            println!();
            report::backtrace(stack::here());
            exit(Outcome::DoublePanic)
        }
        // The report itself panics.
        _ => exit(Outcome::DoublePanic),
    }
}

/// Where a panic was raised.
fn place(info: &PanicInfo<'_>) {
    if let Some(location) = info.location() {
        print!(" at {}:{}:{}", location.file(), location.line(), location.column());
    }
}
