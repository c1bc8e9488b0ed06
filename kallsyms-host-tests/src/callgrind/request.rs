//! What a program can ask of the Valgrind that it runs under.
#![expect(unsafe_code, reason = "a request is a sequence of instructions that means nothing by itself")]

use std::ffi::CStr;

/// Source: `valgrind.h`, `callgrind.h`.
const RUNNING_ON_VALGRIND: usize = 0x1001;
const CALLGRIND: usize = 0x4354_0000;

/// A request of Callgrind's.
#[derive(Debug, Clone, Copy)]
pub(super) enum Request<'n> {
    /// Sets all counts to 0.
    Zero,
    /// Writes the counts to a file under this name, and sets them to 0.
    Dump(&'n CStr),
    /// From here on instructions are counted.
    Start,
    /// From here on the program runs faster and nothing is counted.
    Stop,
}

impl Request<'_> {
    /// Asks it; nothing happens where nobody listens.
    #[inline(always)]
    pub(super) fn ask(self) {
        let (number, argument) = match self {
            Self::Zero => (1, 0),
            Self::Dump(name) => (3, name.as_ptr().addr()),
            Self::Start => (4, 0),
            Self::Stop => (5, 0),
        };
        let _ = send(CALLGRIND + number, argument);
    }
}

/// Whether this process runs under Valgrind, whose every request is understood.
#[must_use]
pub fn is_listening() -> bool {
    send(RUNNING_ON_VALGRIND, 0) != 0
}

/// The answer to a request: 0 where nobody listens.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn send(request: usize, argument: usize) -> usize {
    let words = [request, argument, 0, 0, 0, 0];
    let answer: usize;
    // SAFETY: the four rotations add up to 128 bits, which is none, and the exchange is of a register with itself:
    // the processor changes nothing but flags. Valgrind reads the six words at rax, which live, and puts the answer into rdx.
    unsafe {
        std::arch::asm!(
            "rol rdi, 3",
            "rol rdi, 13",
            "rol rdi, 61",
            "rol rdi, 51",
            "xchg rbx, rbx",
            in("rax") words.as_ptr(),
            inout("rdx") 0_usize => answer,
            options(nostack),
        );
    }
    answer
}

/// Nobody is asked: the instructions of other processors are others.
#[cfg(not(target_arch = "x86_64"))]
fn send(_: usize, _: usize) -> usize {
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_listens() {
        Request::Start.ask();
        Request::Dump(c"nothing").ask();
        assert!(!is_listening(), "tests do not run under Valgrind");
    }
}
