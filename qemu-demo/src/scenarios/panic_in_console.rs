//! A value that panics while the console is locked for its line: the report does not wait for the lock.

use core::fmt;

pub(super) fn run() {
    println!("prints a value that panics");
    println!("the value is {Grenade} and the line goes on");
}

struct Grenade;

impl fmt::Display for Grenade {
    #[inline(never)]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("half of")?;
        panic!("no text for this")
    }
}
