//! The name hash and the perfect hash's arithmetic, shared with the generator so that the two cannot drift.

use crate::num::{byte, high32, low32, scale, wide, widen};

/// Which hash function an image was built with: both give 64 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
#[non_exhaustive]
pub enum HashId {
    /// Folded 64 × 64 → 128-bit multiplication, for 64-bit targets.
    Folded = 0,
    /// Two 32-bit lanes, for targets where a 128-bit product is costly.
    Lanes = 1,
}

impl HashId {
    /// The hash of this number in a header.
    #[must_use]
    pub const fn from_u8(id: u8) -> Option<Self> {
        match id {
            0 => Some(Self::Folded),
            1 => Some(Self::Lanes),
            _ => None,
        }
    }
}

const SEED: u64 = 0x2d35_8dcc_aa6c_78a5;
pub(crate) const BODY: u64 = 0x8bb8_4b93_962e_acc9;
pub(crate) const LAST: u64 = 0x4b33_a62e_d433_d4a3;
const PILOT: u64 = 0x9e37_79b9_7f4a_7c15;
const SLOT: u64 = 0xd6e8_feb8_6659_fd93;

/// Hash of a whole name; steps: one a byte group of 8.
#[must_use]
pub fn hash_name(id: HashId, seed: u64, name: &[u8]) -> u64 {
    let mut state = seed ^ SEED;
    let (groups, tail) = name.as_chunks::<8>();
    for group in groups {
        state = mix(id, state, u64::from_le_bytes(*group));
    }
    if !tail.is_empty() {
        state = mix(id, state, group_of(tail));
    }
    finish(id, state, name.len())
}

/// The same hash over a name that arrives in pieces; 40 bytes of state.
#[derive(Debug, Clone)]
pub struct NameHasher {
    id: HashId,
    state: u64,
    /// Bytes of the unfinished group, the first one lowest.
    group: u64,
    filled: u32,
    len: usize,
}

impl NameHasher {
    /// A hasher that has seen nothing.
    #[must_use]
    pub const fn new(id: HashId, seed: u64) -> Self {
        Self { id, state: seed ^ SEED, group: 0, filled: 0, len: 0 }
    }

    /// Takes the next piece of the name. Steps: one a byte.
    #[inline]
    pub fn write(&mut self, piece: &[u8]) {
        self.len = self.len.wrapping_add(piece.len());
        let (groups, tail) = piece.as_chunks::<8>();
        for group in groups {
            self.take(u64::from_le_bytes(*group), 8);
        }
        if !tail.is_empty() {
            self.take(group_of(tail), tail.len());
        }
    }

    /// Takes up to 8 bytes, the first one lowest.
    #[inline]
    fn take(&mut self, bytes: u64, count: usize) {
        let taken = self.filled;
        self.group |= bytes.wrapping_shl(taken.wrapping_mul(8));
        self.filled = taken.wrapping_add(u32::try_from(count).unwrap_or(8));
        if self.filled >= 8 {
            self.state = mix(self.id, self.state, self.group);
            self.filled = self.filled.wrapping_sub(8);
            // Where nothing was taken before, nothing is left.
            self.group = bytes.checked_shr(64u32.wrapping_sub(taken.wrapping_mul(8))).unwrap_or(0);
        }
    }

    /// The hash of everything that was written.
    #[must_use]
    pub fn finish(mut self) -> u64 {
        if self.filled != 0 {
            self.state = mix(self.id, self.state, self.group);
        }
        finish(self.id, self.state, self.len)
    }
}

/// Bucket of a hash: its top half scaled to the number of buckets.
#[must_use]
pub const fn bucket(hash: u64, buckets: u32) -> u32 {
    scale(high32(hash), buckets)
}

/// Slot of a hash under its bucket's pilot.
#[must_use]
pub const fn slot(hash: u64, pilot: u8, slots: u32) -> u32 {
    let spread = (hash ^ PILOT.wrapping_mul(widen(byte(pilot)).wrapping_add(1))).wrapping_mul(SLOT);
    scale(high32(spread), slots)
}

/// Fingerprint of a hash: its low `bits` bits.
#[must_use]
pub const fn fingerprint(hash: u64, bits: u8) -> u64 {
    hash & !(u64::MAX.wrapping_shl(byte(bits)))
}

/// At most 7 bytes as a number, the first one lowest.
///
/// By two loads that overlap: a loop over the bytes is half of the hash's cost.
#[inline]
pub(crate) fn group_of(tail: &[u8]) -> u64 {
    let above = |taken: usize| low32(wide(tail.len().wrapping_sub(taken).wrapping_mul(8)));
    if let (Some(low), Some(high)) = (tail.first_chunk(), tail.last_chunk()) {
        let (low, high) = (u32::from_le_bytes(*low), u32::from_le_bytes(*high));
        return widen(low) | widen(high).wrapping_shl(above(4));
    }
    if let (Some(low), Some(high)) = (tail.first_chunk(), tail.last_chunk()) {
        let (low, high) = (u16::from_le_bytes(*low), u16::from_le_bytes(*high));
        return u64::from(low) | u64::from(high).wrapping_shl(above(2));
    }
    tail.first().map_or(0, |&byte| u64::from(byte))
}

#[inline]
fn mix(id: HashId, state: u64, group: u64) -> u64 {
    match id {
        HashId::Folded => fold(state ^ group, BODY),
        HashId::Lanes => {
            let a = (low32(state) ^ low32(group)).wrapping_mul(0x9e37_79b1).rotate_left(13);
            let a = (a ^ high32(group)).wrapping_mul(0x85eb_ca77).rotate_left(15);
            let b = (high32(state) ^ high32(group)).wrapping_mul(0xc2b2_ae3d).rotate_left(17);
            let b = (b ^ low32(group)).wrapping_mul(0x27d4_eb2f).rotate_left(11);
            join(a.wrapping_add(b.rotate_left(7)), b ^ a.rotate_left(19))
        }
    }
}

fn finish(id: HashId, state: u64, len: usize) -> u64 {
    let len = wide(len);
    match id {
        HashId::Folded => fold(state ^ len, LAST),
        HashId::Lanes => {
            let a = avalanche(low32(state) ^ low32(len));
            let b = avalanche(high32(state).wrapping_add(a));
            join(a ^ b.rotate_left(16), b)
        }
    }
}

/// The halves of a product, one over the other.
#[inline]
#[expect(clippy::as_conversions, reason = "takes the two halves of the product")]
pub(crate) fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a).wrapping_mul(u128::from(b));
    product as u64 ^ (product >> 64) as u64
}

fn avalanche(mut x: u32) -> u32 {
    x = (x ^ x >> 16).wrapping_mul(0x85eb_ca6b);
    x = (x ^ x >> 13).wrapping_mul(0xc2b2_ae35);
    x ^ x >> 16
}

fn join(low: u32, high: u32) -> u64 {
    u64::from(low) | u64::from(high) << 32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_hash_as_the_whole() {
        let name = b"__pfx_native_write_cr4_and_a_tail";
        for id in [HashId::Folded, HashId::Lanes] {
            for cut in 0..=name.len() {
                let (left, right) = name.split_at(cut);
                let mut hasher = NameHasher::new(id, 7);
                hasher.write(left);
                hasher.write(right);
                assert_eq!(hasher.finish(), hash_name(id, 7, name), "{id:?} cut at {cut}");
            }
        }
    }

    #[test]
    fn trailing_zero_bytes_count() {
        for id in [HashId::Folded, HashId::Lanes] {
            assert_ne!(hash_name(id, 0, b"a"), hash_name(id, 0, b"a\0"));
            assert_ne!(hash_name(id, 0, b""), hash_name(id, 0, b"\0"));
        }
    }

    #[test]
    fn slots_and_buckets_stay_in_range() {
        for hash in [0, 1, u64::MAX, 1 << 63, 0xffff_ffff] {
            for pilot in [0, 1, 255] {
                assert!(slot(hash, pilot, 1) == 0 && slot(hash, pilot, 7) < 7);
            }
            assert!(bucket(hash, 3) < 3);
        }
        assert_eq!(fingerprint(0xabc, 7), 0x3c);
        assert_eq!(fingerprint(0xabc, 0), 0);
    }
}
