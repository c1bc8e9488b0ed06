//! Two ways out: text on the serial port, defmt on the debug console.

mod debugcon;
pub(crate) mod serial;

/// Prints to the serial port; takes no lock.
macro_rules! print {
    ($($argument:tt)*) => { $crate::console::serial::print(core::format_args!($($argument)*)) };
}

/// Prints a line to the serial port; takes no lock.
macro_rules! println {
    () => { $crate::console::print!("\n") };
    ($($argument:tt)*) => { $crate::console::print!("{}\n", core::format_args!($($argument)*)) };
}

pub(crate) use print;
