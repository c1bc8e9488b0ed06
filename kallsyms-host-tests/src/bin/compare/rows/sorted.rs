//! Addresses and `&str` in vectors, with the order of the names beside them: bisection for everything.

use std::fmt::Write;

use kallsyms_gen::symbols::Symbols;

use super::name_of;
use crate::peer::{Pattern, Peer, Text};
use crate::question::Question;

pub(super) struct Sorted<'s> {
    starts: Vec<u64>,
    names: Vec<&'s str>,
    by_name: Vec<u32>,
}

impl<'s> Sorted<'s> {
    pub(super) fn new(symbols: &'s Symbols) -> Self {
        let names: Vec<&str> = symbols.list.iter().map(name_of).collect();
        let mut by_name: Vec<u32> = (0..).take(names.len()).collect();
        by_name.sort_by_key(|index| names[*index as usize]);
        Self { starts: symbols.list.iter().map(|symbol| symbol.address).collect(), names, by_name }
    }

    fn name(&self, index: u32) -> &'s str {
        self.names[index as usize]
    }

    /// Place of the first symbol at the start that holds an address.
    fn holder(&self, address: u64) -> Option<usize> {
        let mut at = self.starts.partition_point(|start| *start <= address).checked_sub(1)?;
        while at > 0 && self.starts[at - 1] == self.starts[at] {
            at -= 1;
        }
        Some(at)
    }
}

impl Peer for Sorted<'_> {
    fn can(&self, _: Question) -> bool {
        true
    }

    fn by_name(&self, name: &str) -> Option<u64> {
        let rank = self.by_name.partition_point(|index| self.name(*index) < name);
        let index = *self.by_name.get(rank)?;
        (self.name(index) == name).then(|| self.starts[index as usize])
    }

    fn offset(&self, address: u64) -> Option<u64> {
        self.holder(address).map(|at| address - self.starts[at])
    }

    fn name(&self, address: u64, out: &mut Text) -> Option<u64> {
        let at = self.holder(address)?;
        out.clear();
        out.push(self.names[at].as_bytes());
        Some(address - self.starts[at])
    }

    fn text(&self, address: u64, out: &mut Text) {
        let Some(at) = self.holder(address) else { return };
        out.clear();
        out.push(self.names[at].as_bytes());
        let start = self.starts[at];
        let end = self.starts[at..].iter().find(|next| **next > start).copied().unwrap_or(start);
        let _ = write!(out, "+{:#x}/{:#x}", address - start, end - start);
    }

    fn walk(&self, each: &mut dyn FnMut(&[u8], u64)) {
        self.names.iter().zip(&self.starts).for_each(|(name, start)| each(name.as_bytes(), *start));
    }

    fn matching(&self, pattern: &Pattern, each: &mut dyn FnMut(u64)) {
        let glob = pattern.glob();
        let prefix = pattern.prefix.as_str();
        let first = self.by_name.partition_point(|index| self.name(*index) < prefix);
        let candidates =
            self.by_name[first..].iter().take_while(|index| self.name(**index).starts_with(prefix));
        for index in candidates {
            if glob.matches(std::iter::once(self.name(*index).as_bytes())) {
                each(self.starts[*index as usize]);
            }
        }
    }
}
