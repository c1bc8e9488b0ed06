//! The panic handler: frames, then names, then text; no lock, bounded.

use crate::exit::{Outcome, exit};
use crate::{level, report, stack};
use core::panic::PanicInfo;

#[panic_handler]
fn panic(info: &PanicInfo<'_>) -> ! {
    let level = level::begin();
    report!("panic");
    if let Some(location) = info.location() {
        report!(" at {}:{}:{}", location.file(), location.line(), location.column());
        defmt::error!("panic at {=str}:{=u32}", location.file(), location.line());
    }
    if level == 1 {
        // Last on its line: the message is foreign code, and may panic itself.
        reportln!(": {}", info.message());
    } else {
        reportln!();
        report::rest();
    }
    report::backtrace(stack::here());
    exit(if level == 1 { Outcome::Panic } else { Outcome::DoublePanic })
}
