//! A value that reads a null pointer while the console is locked for its line.

use crate::cpu::provoke;
use core::fmt;

pub(super) fn run() {
    println!("prints a value through a null pointer");
    println!("the value is {Dangling} and the line goes on");
}

struct Dangling;

impl fmt::Display for Dangling {
    #[inline(never)]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("at ")?;
        provoke::read_null_field().fmt(f)
    }
}
