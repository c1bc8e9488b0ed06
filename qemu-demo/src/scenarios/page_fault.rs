//! A field of a null pointer: the exact instruction, then the chain that it interrupted.

use crate::cpu::provoke;
use core::hint::black_box;

pub(super) fn run() {
    println!("reads a field of a null pointer");
    black_box(open_file());
}

#[inline(never)]
fn open_file() -> u64 {
    black_box(read_inode()) + 1
}

#[inline(never)]
fn read_inode() -> u64 {
    black_box(provoke::read_null_field())
}
