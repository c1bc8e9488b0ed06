//! The end of the machine.

use crate::cpu::port::Port;

/// How a run ended. QEMU's exit status is twice the value plus 1, and so never 0, which a triple fault gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Outcome {
    /// The scenario returned: status 33.
    Done = 16,
    /// A panic: status 35.
    Panic = 17,
    /// An exception: status 37.
    Fault = 18,
    /// A panic while something was being reported: status 39.
    DoublePanic = 19,
    /// No scenario of this name, or one that could not run: status 41.
    Usage = 20,
    /// An exception while something was being reported: status 43.
    NestedFault = 21,
    /// A panic or an exception in the deepest report: status 45.
    TooDeep = 22,
}

/// Ends the machine.
pub(crate) fn exit(outcome: Outcome) -> ! {
    loop {
        // Where the device is missing, this spins until the host's time limit.
        Port::EXIT.write(outcome as u8);
    }
}
