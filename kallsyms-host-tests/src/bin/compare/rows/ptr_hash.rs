//! The crate `ptr_hash`: a perfect hash, and names and addresses in its order.
//!
//! The hash alone answers every name with some place: the name there is compared, so that a miss is one. Hashed
//! as our image hashes, for the crate's own hash of strings is built for processors with AES instructions only.

use kallsyms_core::image::hash::{HashId, hash_name};
use kallsyms_gen::symbols::Symbols;
use ptr_hash::hash::KeyHasher;
use ptr_hash::{DefaultPtrHash, PtrHashParams};

use crate::peer::Peer;
use crate::question::Question;

pub(super) struct PtrHashPeer<'s> {
    hash: DefaultPtrHash<Folded, &'s [u8]>,
    entries: Vec<(&'s [u8], u64)>,
}

#[derive(Debug, Clone)]
struct Folded;

impl KeyHasher<&[u8]> for Folded {
    type H = u64;

    fn hash(name: &&[u8], seed: u64) -> u64 {
        hash_name(HashId::Folded, seed, name)
    }
}

impl<'s> PtrHashPeer<'s> {
    pub(super) fn new(symbols: &'s Symbols) -> Self {
        let mut pairs: Vec<(&[u8], u64)> =
            symbols.list.iter().map(|symbol| (symbol.name.as_slice(), symbol.address)).collect();
        // Stable: the first of a name stays the first.
        pairs.sort_by_key(|(name, _)| *name);
        pairs.dedup_by_key(|(name, _)| *name);
        let names: Vec<&[u8]> = pairs.iter().map(|(name, _)| *name).collect();
        let hash = DefaultPtrHash::<Folded, &[u8]>::new(&names, PtrHashParams::default());
        let mut entries = pairs.clone();
        for pair in pairs {
            entries[hash.index(&pair.0)] = pair;
        }
        Self { hash, entries }
    }

    fn entry(&self, index: usize, name: &[u8]) -> Option<u64> {
        let (found, address) = self.entries[index];
        (found == name).then_some(address)
    }
}

impl Peer for PtrHashPeer<'_> {
    fn can(&self, question: Question) -> bool {
        use Question::{Batch50, Batch3344, BatchAll, NameHit, NameMiss};
        matches!(question, NameHit | NameMiss | Batch50 | Batch3344 | BatchAll)
    }

    fn has_batch(&self) -> bool {
        true
    }

    fn by_name(&self, name: &str) -> Option<u64> {
        let name = name.as_bytes();
        self.entry(self.hash.index(&name), name)
    }

    /// Its stream, which loads ahead of itself as its documentation advises.
    fn resolve(&self, names: &[&str], out: &mut [Option<u64>]) {
        let indices = self.hash.index_stream::<32, _>(names.iter().map(|name| name.as_bytes()));
        let mut asked = names.iter().zip(out);
        // It knows no `next`.
        indices.for_each(|index| {
            let Some((name, slot)) = asked.next() else { return };
            *slot = self.entry(index, name.as_bytes());
        });
    }
}
