//! The names of a table that the second link took in as an object file: those of the embedded one.

use core::hint::black_box;

pub(super) fn run() {
    let how =
        if cfg!(feature = "two-pass") { "linked in as an object" } else { "embedded in the reserved static" };
    println!("the table is {how}");
    super::panic::run();
    // Keeps the call above from becoming a jump.
    black_box(());
}
