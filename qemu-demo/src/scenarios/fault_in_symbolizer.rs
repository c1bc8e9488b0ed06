//! A table whose memory is gone when a panic asks it: the report goes on with addresses.
#![expect(unsafe_code, reason = "takes pages away")]

use crate::memory::{self, PAGE, place};
use crate::symbols;

pub(super) fn run() {
    println!("panics with a symbol table that is only partly there");
    lose_table();
    fail();
}

/// Unmaps the table but for its first page, which holds the header.
#[inline(never)]
fn lose_table() {
    let table = symbols::bytes();
    let first = place(table);
    for page in (first + PAGE..first + table.len() as u64).step_by(PAGE as usize) {
        // SAFETY: only reports read the table from here on.
        unsafe { memory::unmap(page) }
    }
}

#[inline(never)]
fn fail() -> ! {
    panic!("now the names are needed")
}
