//! std's `HashMap<&[u8], u64>`, hashed as it is by default.

use std::collections::HashMap;

use kallsyms_gen::symbols::Symbols;

use crate::peer::Peer;
use crate::question::Question;

pub(super) struct HashMapPeer<'s>(HashMap<&'s [u8], u64>);

impl<'s> HashMapPeer<'s> {
    pub(super) fn new(symbols: &'s Symbols) -> Self {
        let mut map = HashMap::with_capacity(symbols.list.len());
        for symbol in &symbols.list {
            map.entry(symbol.name.as_slice()).or_insert(symbol.address);
        }
        map.shrink_to_fit();
        Self(map)
    }
}

impl Peer for HashMapPeer<'_> {
    fn can(&self, question: Question) -> bool {
        use Question::{Batch50, Batch3344, BatchAll, NameHit, NameMiss};
        matches!(question, NameHit | NameMiss | Batch50 | Batch3344 | BatchAll)
    }

    fn by_name(&self, name: &str) -> Option<u64> {
        self.0.get(name.as_bytes()).copied()
    }
}
