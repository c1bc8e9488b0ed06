//! The crate `fst`: names to addresses in one automaton; of a name the first symbol alone.

use fst::automaton::{Automaton, Str};
use fst::{IntoStreamer, Map, Streamer};
use kallsyms_gen::symbols::Symbols;

use crate::peer::{Pattern, Peer};
use crate::question::Question;

pub(super) struct FstPeer(Map<Vec<u8>>);

impl FstPeer {
    pub(super) fn new(symbols: &Symbols) -> Self {
        let mut pairs: Vec<_> = symbols.list.iter().map(|symbol| (&symbol.name, symbol.address)).collect();
        // Stable: the first of a name stays the first.
        pairs.sort_by_key(|(name, _)| *name);
        pairs.dedup_by_key(|(name, _)| *name);
        Self(Map::from_iter(pairs).expect("the names rise"))
    }

    pub(super) fn bytes(&self) -> usize {
        self.0.as_fst().as_bytes().len()
    }
}

impl Peer for FstPeer {
    fn can(&self, question: Question) -> bool {
        use Question::{Batch50, Batch3344, BatchAll, Infix, NameHit, NameMiss, Prefix};
        matches!(question, NameHit | NameMiss | Prefix | Infix | Batch50 | Batch3344 | BatchAll)
    }

    fn keeps_first_only(&self) -> bool {
        true
    }

    fn by_name(&self, name: &str) -> Option<u64> {
        self.0.get(name)
    }

    fn matching(&self, pattern: &Pattern, each: &mut dyn FnMut(u64)) {
        let glob = pattern.glob();
        let mut stream = self.0.search(Str::new(&pattern.prefix).starts_with()).into_stream();
        while let Some((name, address)) = stream.next() {
            if glob.matches(std::iter::once(name)) {
                each(address);
            }
        }
    }
}
