//! Name → first symbol of that name: the perfect hash.

use super::hash::{HashId, NameHasher, bucket, fingerprint, hash_name, slot};
use super::layout::{BIT_PADDING, Header, index_bits};
use crate::bits;
use crate::num::{index, low32, wide, widen};
use crate::table::SymbolIndex;

/// The perfect hash over the distinct names.
#[derive(Debug, Clone, Copy)]
pub(super) struct NameIndex<'a> {
    pilots: &'a [u8],
    entries: &'a [u8],
    hash_id: HashId,
    seed: u64,
    slots: u32,
    index_bits: u32,
    fingerprint_bits: u8,
}

impl<'a> NameIndex<'a> {
    pub(super) fn new(header: &Header, hash_id: HashId, pilots: &'a [u8], entries: &'a [u8]) -> Self {
        Self {
            pilots,
            entries,
            hash_id,
            seed: header.hash_seed.get(),
            slots: header.slot_count.get(),
            index_bits: index_bits(header.symbol_count.get()),
            fingerprint_bits: header.fingerprint_bits,
        }
    }

    /// Bytes of the entries section that a header asks for.
    pub(super) fn entries_len(header: &Header) -> u64 {
        let bits =
            widen(index_bits(header.symbol_count.get())).wrapping_add(u64::from(header.fingerprint_bits));
        widen(header.slot_count.get()).wrapping_mul(bits).div_ceil(8).wrapping_add(wide(BIT_PADDING))
    }

    /// The one symbol that can be the first of this name. Steps: one hash, two places in memory.
    #[inline]
    pub(super) fn candidate(&self, name: &[u8]) -> Option<SymbolIndex> {
        self.candidate_of_hash(self.hash(name))
    }

    /// The same for a name that was hashed before.
    #[inline]
    pub(super) fn candidate_of_hash(&self, hash: u64) -> Option<SymbolIndex> {
        self.entry(self.slot(hash)?, hash)
    }

    /// The hash of a name.
    #[inline]
    pub(super) fn hash(&self, name: &[u8]) -> u64 {
        hash_name(self.hash_id, self.seed, name)
    }

    /// The slot of a hash. Steps: one place in memory.
    #[inline]
    pub(super) fn slot(&self, hash: u64) -> Option<u32> {
        let buckets = u32::try_from(self.pilots.len()).ok()?;
        let pilot = *self.pilots.get(index(bucket(hash, buckets)))?;
        Some(slot(hash, pilot, self.slots))
    }

    /// The symbol in a slot, unless the hash's fingerprint is another one's. Steps: one place in memory.
    #[inline]
    pub(super) fn entry(&self, slot: u32, hash: u64) -> Option<SymbolIndex> {
        let width = self.index_bits.wrapping_add(u32::from(self.fingerprint_bits));
        let entry = bits::read(self.entries, widen(slot).wrapping_mul(widen(width)), width)?;
        if entry.wrapping_shr(self.index_bits) != fingerprint(hash, self.fingerprint_bits) {
            return None;
        }
        Some(SymbolIndex(low32(entry & !u64::MAX.wrapping_shl(self.index_bits))))
    }

    /// A hasher for a name in pieces.
    pub(super) fn hasher(&self) -> NameHasher {
        NameHasher::new(self.hash_id, self.seed)
    }
}
