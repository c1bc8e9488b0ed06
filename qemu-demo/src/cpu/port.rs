//! I/O ports.
#![expect(unsafe_code, reason = "port instructions")]

use core::arch::asm;

/// A port that the demo's machine has: the type's constants are the only ones.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Port(u16);

impl Port {
    /// isa-debug-exit, as the demo starts QEMU.
    pub(crate) const EXIT: Self = Self(0xf4);
    /// QEMU's debug console.
    pub(crate) const DEBUG_CONSOLE: Self = Self(0xe9);

    /// Register `index`, 0 to 7, of the first serial port.
    pub(crate) const fn serial(index: u16) -> Self {
        Self(0x3f8 + (index & 7))
    }

    /// Writes a byte.
    pub(crate) fn write(self, value: u8) {
        // SAFETY: the ports of this type are a UART, a debug console and the exit device, none of which
        // touches memory.
        unsafe {
            asm!("out dx, al", in("dx") self.0, in("al") value, options(nomem, nostack, preserves_flags))
        }
    }

    /// Reads a byte.
    pub(crate) fn read(self) -> u8 {
        let value: u8;
        // SAFETY: as in `write`.
        unsafe {
            asm!("in al, dx", in("dx") self.0, out("al") value, options(nomem, nostack, preserves_flags))
        }
        value
    }
}
