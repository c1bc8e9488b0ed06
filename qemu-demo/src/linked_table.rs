//! The table as an object file that the second link takes in.
#![expect(unsafe_code, reason = "linker symbols around the table")]

use core::hint::black_box;
use core::slice;

// SAFETY: kernel.ld or the object file defines both. Only their addresses are taken.
unsafe extern "C" {
    safe static __start_kallsyms: u8;
    safe static __stop_kallsyms: u8;
}

/// The bytes between the two symbols; none before the second link.
pub(crate) fn bytes() -> &'static [u8] {
    let start = black_box(&raw const __start_kallsyms);
    let len = (&raw const __stop_kallsyms).addr() - start.addr();
    // SAFETY: both symbols bound one section of the kernel, which is mapped from the first instruction on and
    // which nothing writes to.
    unsafe { slice::from_raw_parts(start, len) }
}
