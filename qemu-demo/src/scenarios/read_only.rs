//! A write to the symbol table faults.

use crate::cpu::provoke;
use crate::symbols;

pub(super) fn run() {
    println!("writes to the symbol table");
    damage_table();
    println!("the table was writable");
}

#[inline(never)]
fn damage_table() {
    if let Some(byte) = symbols::bytes().first() {
        provoke::write_to(byte);
    }
}
