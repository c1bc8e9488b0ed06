//! One way to answer.

use std::fmt;

use kallsyms_core::glob::Glob;
use kallsyms_host_tests::reference::linux::{Buffer, KSYM_NAME_LEN};

use crate::question::Question;

/// A row of the comparison. Only what it [`can`](Peer::can) do is asked of it.
///
/// The methods over a list are called through a pointer once for many questions, so that a row's own code may be
/// inlined in them.
pub(crate) trait Peer {
    /// Whether it answers this question at all.
    fn can(&self, question: Question) -> bool;

    /// Whether it keeps only the first symbol of a name.
    fn keeps_first_only(&self) -> bool {
        false
    }

    /// Whether it may name any of several symbols at one address, not the first.
    fn any_alias(&self) -> bool {
        false
    }

    /// Whether it has a call for many names at once.
    fn has_batch(&self) -> bool {
        false
    }

    /// Address of the first symbol of a name.
    fn by_name(&self, _name: &str) -> Option<u64> {
        unreachable!("cannot")
    }

    /// Distance of an address from the start of its symbol.
    fn offset(&self, _address: u64) -> Option<u64> {
        unreachable!("cannot")
    }

    /// The same, and the name in a buffer.
    fn name(&self, _address: u64, _out: &mut Text) -> Option<u64> {
        unreachable!("cannot")
    }

    /// `name+0x1c/0x90` in a buffer.
    fn text(&self, _address: u64, _out: &mut Text) {
        unreachable!("cannot")
    }

    /// Every symbol.
    fn walk(&self, _each: &mut dyn FnMut(&[u8], u64)) {
        unreachable!("cannot")
    }

    /// Every address and the bytes of every name, added up: a walk by which every name is read as the row has it,
    /// in a buffer or in pieces.
    fn sum_of_walk(&self) -> u64 {
        let mut sum = 0u64;
        self.walk(&mut |name, address| sum = sum.wrapping_add(address).wrapping_add(name.len() as u64));
        sum
    }

    /// Addresses of the symbols that match, by a prefix where the row knows something better than a walk.
    fn matching(&self, pattern: &Pattern, each: &mut dyn FnMut(u64)) {
        let glob = pattern.glob();
        self.walk(&mut |name, address| {
            if glob.matches(std::iter::once(name)) {
                each(address);
            }
        });
    }

    /// Many names at once, or one by one where there is no call for it.
    fn resolve(&self, names: &[&str], out: &mut [Option<u64>]) {
        names.iter().zip(out).for_each(|(name, slot)| *slot = self.by_name(name));
    }

    /// All of these names; the sum keeps the answers alive.
    fn by_names(&self, names: &[&str]) -> u64 {
        names.iter().fold(0, |sum, name| sum.wrapping_add(self.by_name(name).unwrap_or(1)))
    }

    /// All of these addresses.
    fn offsets(&self, addresses: &[u64]) -> u64 {
        addresses.iter().fold(0, |sum, address| sum.wrapping_add(self.offset(*address).unwrap_or(1)))
    }

    /// All of these addresses with their names.
    fn names(&self, addresses: &[u64], out: &mut Text) -> u64 {
        addresses.iter().fold(0, |sum, address| {
            let offset = self.name(*address, out).unwrap_or(1);
            sum.wrapping_add(offset).wrapping_add(out.sum())
        })
    }

    /// All of these addresses as text.
    fn texts(&self, addresses: &[u64], out: &mut Text) -> u64 {
        addresses.iter().fold(0, |sum, address| {
            self.text(*address, out);
            sum.wrapping_add(out.sum())
        })
    }
}

/// A pattern with something literal in it.
#[derive(Debug, Clone)]
pub(crate) struct Pattern {
    /// As the kernel's `glob_match` reads it.
    pub(crate) text: String,
    /// What stands before the first wildcard.
    pub(crate) prefix: String,
}

impl Pattern {
    pub(crate) fn glob(&self) -> Glob<'_> {
        Glob::kernel(&self.text)
    }
}

/// A buffer for a name and numbers behind it.
pub(crate) struct Text {
    bytes: [u8; KSYM_NAME_LEN + 64],
    len: usize,
}

impl Text {
    pub(crate) fn new() -> Self {
        Self { bytes: [0; KSYM_NAME_LEN + 64], len: 0 }
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    pub(crate) fn clear(&mut self) {
        self.len = 0;
    }

    pub(crate) fn push(&mut self, piece: &[u8]) {
        self.bytes[self.len..self.len + piece.len()].copy_from_slice(piece);
        self.len += piece.len();
    }

    /// Where Linux's code expands a name to; [`set_len`](Self::set_len) comes behind it.
    pub(crate) fn buffer(&mut self) -> &mut Buffer {
        self.bytes.first_chunk_mut().expect("it is longer")
    }

    pub(crate) fn set_len(&mut self, len: usize) {
        self.len = len;
    }

    /// Something of what was written.
    fn sum(&self) -> u64 {
        let last = self.as_bytes().last().copied().unwrap_or(0);
        self.len as u64 + u64::from(last)
    }
}

impl fmt::Write for Text {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.push(text.as_bytes());
        Ok(())
    }
}
