//! Our queries, over an image or over Linux's tables.

use std::fmt::Write;

use kallsyms_core::table::Layout;
use kallsyms_core::{Name, Table};

use crate::peer::{Pattern, Peer, Text};
use crate::question::Question;

/// A table of any layout.
pub(super) struct TablePeer<L>(pub(super) Table<L>);

impl<L: Layout> Peer for TablePeer<L> {
    fn can(&self, _: Question) -> bool {
        true
    }

    fn has_batch(&self) -> bool {
        true
    }

    fn by_name(&self, name: &str) -> Option<u64> {
        self.0.lookup_name(name).map(|symbol| symbol.address())
    }

    fn offset(&self, address: u64) -> Option<u64> {
        self.0.lookup(address).map(|location| location.offset())
    }

    fn name(&self, address: u64, out: &mut Text) -> Option<u64> {
        let location = self.0.lookup(address)?;
        write_name(&location.symbol().name(), out);
        Some(location.offset())
    }

    fn text(&self, address: u64, out: &mut Text) {
        out.clear();
        let _ = write!(out, "{}", self.0.describe(address));
    }

    fn walk(&self, each: &mut dyn FnMut(&[u8], u64)) {
        let mut buffer = Text::new();
        for symbol in &self.0 {
            write_name(&symbol.name(), &mut buffer);
            each(buffer.as_bytes(), symbol.address());
        }
    }

    fn sum_of_walk(&self) -> u64 {
        let mut sum = 0u64;
        for symbol in &self.0 {
            sum = sum.wrapping_add(symbol.address());
            symbol.name().fragments().for_each(|piece| sum = sum.wrapping_add(piece.len() as u64));
        }
        sum
    }

    fn matching(&self, pattern: &Pattern, each: &mut dyn FnMut(u64)) {
        self.0.matching(pattern.glob()).for_each(|symbol| each(symbol.address()));
    }

    fn resolve(&self, names: &[&str], out: &mut [Option<u64>]) {
        self.0.resolve(names, out);
    }
}

fn write_name<L: Layout>(name: &Name<'_, L>, out: &mut Text) {
    out.clear();
    let len = name.copy_to(out.buffer()).map_or(0, |copy| copy.len());
    out.set_len(len);
}
