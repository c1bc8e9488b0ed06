//! How deep reports are inside each other: one that fails is followed by one that does without what failed.

use crate::console::{self, debugcon, serial};
use crate::exit::{Outcome, exit};
use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Reports inside each other that still print.
const DEEPEST: u32 = 3;

/// Reports that have begun; none of them returns.
static BEGUN: AtomicU32 = AtomicU32::new(0);

/// Begins a report that ends the machine, on a line of its own; gives its level, 1 where nothing failed
/// before. In the deepest report a further fault ends the machine here, before anything else is touched.
pub(crate) fn begin() -> u32 {
    let level = BEGUN.fetch_add(1, Relaxed) + 1;
    if level > DEEPEST {
        exit(Outcome::TooDeep)
    }
    serial::fresh_line();
    if debugcon::end_torn_frame() {
        defmt::error!("the frame before this one is torn");
    }
    match level {
        1 if console::is_locked() => reportln!("the console is locked: this report goes around the lock"),
        1 => {}
        _ => report!("level {level}: "),
    }
    level
}
