//! From the firmware to `kernel_main`: the entry code and the command line.
#![expect(unsafe_code, reason = "entry code in assembly, and the boot loader's structures at raw addresses")]

use crate::memory::{KERNEL_BASE, MAPPED_BYTES};
use crate::stack;
use core::arch::global_asm;

global_asm!(include_str!("boot.S"), stack_bytes = const size_of::<stack::Boot>());

/// Longest command line that is read.
const COMMAND_LINE_BYTES: usize = 127;
/// First field of the PVH start info.
const START_INFO_MAGIC: u32 = 0x336e_c578;
/// Offset of the command line's physical address in the start info.
const COMMAND_LINE: u64 = 24;

/// The kernel's command line, copied.
pub(crate) type CommandLine = heapless::String<{ COMMAND_LINE_BYTES + 1 }>;

/// First Rust code: the stack is [`stack::Boot`], interrupts are off, the first 8 MiB are mapped twice.
// SAFETY: no other symbol has this name: it is the kernel's own.
#[unsafe(no_mangle)]
extern "sysv64" fn kernel_main(start_info: u64) -> ! {
    let command_line = command_line(start_info);
    crate::run(&command_line)
}

/// The command line out of the start info; empty where there is none.
fn command_line(start_info: u64) -> CommandLine {
    let mut line = CommandLine::new();
    let word =
        |offset: u64| (0..4).rev().fold(0, |word, at| word << 8 | u32::from(byte(start_info + offset + at)));
    if word(0) != START_INFO_MAGIC {
        return line;
    }
    let text = u64::from(word(COMMAND_LINE));
    let characters = (0..COMMAND_LINE_BYTES as u64).map(|at| byte(text + at)).take_while(|&byte| byte != 0);
    for character in characters {
        if line.push(char::from(character)).is_err() {
            break;
        }
    }
    line
}

/// A byte of physical memory; 0 outside of what is mapped.
fn byte(physical: u64) -> u8 {
    if physical >= MAPPED_BYTES {
        return 0;
    }
    let address = (KERNEL_BASE + physical) as *const u8;
    // SAFETY: boot.S mapped the first `MAPPED_BYTES` of memory at `KERNEL_BASE`, and `memory::protect` has
    // not run yet; a byte is always aligned and every value of it is valid.
    unsafe { address.read_volatile() }
}
