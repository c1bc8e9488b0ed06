//! A call that is the last instruction of its function: the return address belongs to the next one.

use crate::cpu::provoke;
use crate::exit::{Outcome, exit};
use crate::{report, stack};
use core::hint::black_box;

pub(super) fn run() {
    println!("is called by a function's last instruction");
    black_box(shut_down());
}

#[inline(never)]
fn shut_down() -> u64 {
    provoke::call_is_last(halt)
}

#[inline(never)]
extern "sysv64" fn halt() -> ! {
    report::backtrace(stack::here());
    println!("halted");
    exit(Outcome::Done)
}
