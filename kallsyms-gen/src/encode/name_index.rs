//! The perfect hash over the distinct names.

use kallsyms_core::image::hash::{HashId, fingerprint, hash_name};
use kallsyms_core::image::layout::{BIT_PADDING, index_bits};

use super::EncodeError;
use super::bit_writer::BitWriter;
use crate::compress::perfect_hash::{self, PerfectHash};
use crate::symbols::Symbol;

/// Seeds to try; two names of one 64-bit hash are a matter of one in billions even for a million names.
const SEEDS: u64 = 32;

/// The two sections that lead from a name to its first symbol.
#[derive(Debug)]
pub(super) struct NameIndex {
    pub(super) seed: u64,
    pub(super) slots: u32,
    pub(super) pilots: Vec<u8>,
    pub(super) entries: Vec<u8>,
}

impl NameIndex {
    pub(super) fn encode(
        symbols: &[Symbol],
        firsts: &[u32],
        id: HashId,
        fingerprint_bits: u8,
    ) -> Result<Self, EncodeError> {
        for seed in 0..SEEDS {
            let hashes: Vec<u64> =
                firsts.iter().map(|&first| hash_name(id, seed, &symbols[first as usize].name)).collect();
            if let Ok(hash) = perfect_hash::build(&hashes) {
                let entries = entries(&hash, &hashes, firsts, symbols.len() as u32, fingerprint_bits);
                return Ok(Self { seed, slots: hash.slots, pilots: hash.pilots, entries });
            }
        }
        Err(EncodeError::NoPerfectHash { names: firsts.len(), seeds: SEEDS })
    }
}

/// One entry a slot: the symbol, then the fingerprint; zero where no name has the slot.
fn entries(
    hash: &PerfectHash,
    hashes: &[u64],
    firsts: &[u32],
    symbol_count: u32,
    fingerprint_bits: u8,
) -> Vec<u8> {
    let symbol_bits = index_bits(symbol_count);
    let mut slots = vec![0u64; hash.slots as usize];
    for ((&slot, &name), &first) in hash.slot_of.iter().zip(hashes).zip(firsts) {
        slots[slot as usize] = u64::from(first) | fingerprint(name, fingerprint_bits) << symbol_bits;
    }
    let mut bits = BitWriter::default();
    for entry in slots {
        bits.push(entry, symbol_bits + u32::from(fingerprint_bits));
    }
    let mut bytes = bits.finish();
    bytes.extend([0; BIT_PADDING]);
    bytes
}
