//! Linux's own algorithms over its tables.

use std::fmt::Write;

use kallsyms_host_tests::reference::linux::{Places, Reference};

use crate::peer::{Peer, Text};
use crate::question::Question;

/// Tables of either layout.
pub(super) struct LinuxPeer<P>(pub(super) Reference<P>);

impl<P: Places> Peer for LinuxPeer<P> {
    fn can(&self, _: Question) -> bool {
        true
    }

    fn by_name(&self, name: &str) -> Option<u64> {
        self.0.lookup_name(name.as_bytes())
    }

    fn offset(&self, address: u64) -> Option<u64> {
        Some(self.0.position(address).offset)
    }

    fn name(&self, address: u64, out: &mut Text) -> Option<u64> {
        let (position, len) = self.0.lookup(address, out.buffer());
        out.set_len(len);
        Some(position.offset)
    }

    /// As `sprint_symbol`: the name is expanded to where it is wanted, the numbers are printed behind it.
    fn text(&self, address: u64, out: &mut Text) {
        let (position, len) = self.0.lookup(address, out.buffer());
        out.set_len(len);
        let _ = write!(out, "+{:#x}/{:#x}", position.offset, position.size.unwrap_or(0));
    }

    fn walk(&self, each: &mut dyn FnMut(&[u8], u64)) {
        self.0.on_each_symbol(each);
    }
}
