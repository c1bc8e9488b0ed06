//! A message that panics when the panic handler prints it.

use core::fmt;

pub(super) fn run() {
    println!("panics with a message that panics");
    fail();
}

#[inline(never)]
fn fail() -> ! {
    panic!("the message is {Grenade}")
}

struct Grenade;

impl fmt::Display for Grenade {
    #[inline(never)]
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        panic!("no text for this")
    }
}
