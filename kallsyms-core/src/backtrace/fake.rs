//! A machine of a few words, for the tests.

extern crate std;

use super::{Stack, StackMemory};
use std::vec::Vec;

/// Where its text starts; it has 4 KiB of it.
pub(super) const TEXT: u64 = 0xffff_ffff_8010_0000;
const TEXT_BYTES: u64 = 0x1000;

/// Stacks by the address of their first word, and the code from [`TEXT`] on: one function.
#[derive(Debug)]
pub(super) struct Memory {
    pub(super) stacks: Vec<(u64, Vec<u64>)>,
    pub(super) code: Vec<u8>,
}

impl Memory {
    /// A machine whose code cannot be read.
    pub(super) fn new(stacks: &[(u64, &[u64])]) -> Self {
        Self::with_code(stacks, &[])
    }

    pub(super) fn with_code(stacks: &[(u64, &[u64])], code: &[u8]) -> Self {
        let stacks = stacks.iter().map(|&(first, words)| (first, words.to_vec())).collect();
        Self { stacks, code: code.to_vec() }
    }
}

impl StackMemory for Memory {
    fn stack_of(&self, address: u64) -> Option<Stack> {
        let bounds = |(first, words): &(u64, Vec<u64>)| {
            let first = *first;
            Stack { first, last: first + (words.len() as u64 * 8 - 1) }
        };
        self.stacks.iter().map(bounds).find(|stack| stack.holds(address, 1))
    }

    fn read(&self, address: u64) -> Option<u64> {
        assert_eq!(address % 8, 0, "the walker asked for an unaligned word");
        let stack = self.stack_of(address).expect("the walker asked for a word outside of every stack");
        let (first, words) = self.stacks.iter().find(|(first, _)| *first == stack.first)?;
        words.get(((address - first) / 8) as usize).copied()
    }

    fn is_text(&self, address: u64) -> bool {
        address.wrapping_sub(TEXT) < TEXT_BYTES
    }

    fn code(&self, address: u64) -> Option<u8> {
        self.code.get((address - TEXT) as usize).copied()
    }

    fn function_start(&self, pc: u64) -> Option<u64> {
        let len = if self.code.is_empty() { TEXT_BYTES } else { self.code.len() as u64 };
        (pc.wrapping_sub(TEXT) < len).then_some(TEXT)
    }
}
