//! A call that is the last instruction of its function: the return address belongs to the next one.

use crate::cpu::provoke;
use crate::exit::{Outcome, exit};
use crate::{report, stack, symbols};
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
    let trace = stack::capture(stack::here());
    report::lines(&trace);
    if let (Some(image), Some(caller)) = (symbols::image(), trace.frames().get(1)) {
        println!("taken for a program counter, #1 would be {}", image.describe(caller.address));
    }
    exit(Outcome::Done)
}
