//! Two ways out: text on the serial port, defmt on the debug console.
//!
//! Ordinary lines take the console's lock, as in a real kernel. Reports go around it: they may have
//! interrupted the code that holds it.

pub(crate) mod debugcon;
mod lock;
pub(crate) mod serial;

pub(crate) use lock::{is_locked, line};

/// Prints a line under the console's lock.
macro_rules! println {
    () => { $crate::console::line(core::format_args!("")) };
    ($($argument:tt)*) => { $crate::console::line(core::format_args!($($argument)*)) };
}

/// Prints for a report: takes no lock.
macro_rules! report {
    ($($argument:tt)*) => { $crate::console::serial::print(core::format_args!($($argument)*)) };
}

/// Prints a line for a report: takes no lock.
macro_rules! reportln {
    () => { report!("\n") };
    ($($argument:tt)*) => { report!("{}\n", core::format_args!($($argument)*)) };
}
