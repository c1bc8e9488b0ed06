//! The perfect hash over the distinct names: one pilot byte for each bucket of about three keys.
//!
//! Buckets are placed largest first, each with the first pilot that sends all its keys to free slots. Where
//! no pilot does, the one that evicts the least is taken and the evicted buckets wait for another turn.

use kallsyms_core::image::hash;
use std::collections::BinaryHeap;
use std::fmt;

/// Keys of ten buckets on average. At 3.6 keys a bucket the search takes ten times as long, at 4 it fails.
const KEYS_OF_TEN_BUCKETS: usize = 33;

/// Keys of a thousand slots, tried in this order.
const LOADS: [usize; 8] = [995, 980, 950, 900, 800, 700, 600, 500];

/// Buckets that may be evicted at one load, for each bucket of the hash, beyond [`SPARE_EVICTIONS`].
const EVICTIONS_A_BUCKET: usize = 8;

/// Evictions that even the smallest hash is granted.
const SPARE_EVICTIONS: usize = 1000;

/// The last buckets to be placed, which are not evicted so that no two evict each other for ever.
const PROTECTED: usize = 16;

/// In the table of owners: the slot is free.
const FREE: u32 = u32::MAX;

/// Pilots that send every key to a slot of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PerfectHash {
    /// One a bucket.
    pub pilots: Vec<u8>,
    /// Slots, at least one a key.
    pub slots: u32,
    /// Slot of each key, in the order of the keys.
    pub slot_of: Vec<u32>,
}

/// Why no perfect hash was built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum PerfectHashError {
    /// Two keys have the same hash: another seed is needed.
    EqualHashes {
        /// Position of the one key.
        first: usize,
        /// Position of the other, greater than `first`.
        second: usize,
    },
    /// The keys fit at no load down to one half: another seed may help.
    NoPlacement {
        /// Number of keys.
        keys: usize,
    },
    /// More keys than slots can be numbered with 32 bits.
    TooManyKeys {
        /// Number of keys.
        keys: usize,
    },
}

impl fmt::Display for PerfectHashError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::EqualHashes { first, second } => {
                write!(f, "keys {first} and {second} have the same hash")
            }
            Self::NoPlacement { keys } => write!(f, "no perfect hash found for {keys} keys"),
            Self::TooManyKeys { keys } => write!(f, "{keys} keys are too many for a perfect hash"),
        }
    }
}

impl std::error::Error for PerfectHashError {}

/// Builds the perfect hash of keys given by their distinct hashes; no keys give no buckets and no slots.
///
/// # Errors
/// Two equal hashes, more than 2³⁰ keys, or (not seen so far) keys that fit at no load.
pub fn build(hashes: &[u64]) -> Result<PerfectHash, PerfectHashError> {
    if hashes.len() > 1 << 30 {
        return Err(PerfectHashError::TooManyKeys { keys: hashes.len() });
    }
    let buckets = Buckets::new(hashes);
    buckets.check_distinct()?;
    for load in LOADS {
        let slots = (hashes.len() * 1000 / load) as u32;
        if let Some(pilots) = Placement::new(&buckets, slots).run() {
            let bucket_of = |hash| hash::bucket(hash, buckets.count()) as usize;
            let slot_of =
                hashes.iter().map(|&hash| hash::slot(hash, pilots[bucket_of(hash)], slots)).collect();
            return Ok(PerfectHash { pilots, slots, slot_of });
        }
    }
    Err(PerfectHashError::NoPlacement { keys: hashes.len() })
}

/// The hashes, grouped by bucket.
struct Buckets {
    /// Hash and position of the key, in order of bucket, hash and position.
    keys: Vec<(u64, u32)>,
    /// Where each bucket starts in `keys`, and the end of the last.
    starts: Vec<u32>,
}

impl Buckets {
    fn new(hashes: &[u64]) -> Self {
        let count = (hashes.len() * 10).div_ceil(KEYS_OF_TEN_BUCKETS);
        // A bucket is a range of hashes, so sorting the hashes groups them.
        let mut keys: Vec<(u64, u32)> = hashes.iter().copied().zip(0..).collect();
        keys.sort_unstable();
        let mut starts = vec![0; count + 1];
        for &(hash, _) in &keys {
            starts[hash::bucket(hash, count as u32) as usize + 1] += 1;
        }
        for bucket in 0..count {
            starts[bucket + 1] += starts[bucket];
        }
        Self { keys, starts }
    }

    fn count(&self) -> u32 {
        self.starts.len() as u32 - 1
    }

    fn keys(&self, bucket: u32) -> &[(u64, u32)] {
        &self.keys[self.starts[bucket as usize] as usize..self.starts[bucket as usize + 1] as usize]
    }

    fn check_distinct(&self) -> Result<(), PerfectHashError> {
        match self.keys.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            Some(pair) => {
                Err(PerfectHashError::EqualHashes { first: pair[0].1 as usize, second: pair[1].1 as usize })
            }
            None => Ok(()),
        }
    }
}

/// The search for pilots at one load.
struct Placement<'a> {
    buckets: &'a Buckets,
    slots: u32,
    pilots: Vec<u8>,
    /// Bucket in each slot, or [`FREE`].
    owners: Vec<u32>,
    /// The last buckets placed, in a ring.
    recent: [u32; PROTECTED],
    placed: usize,
}

impl<'a> Placement<'a> {
    fn new(buckets: &'a Buckets, slots: u32) -> Self {
        Self {
            buckets,
            slots,
            pilots: vec![0; buckets.count() as usize],
            owners: vec![FREE; slots as usize],
            recent: [FREE; PROTECTED],
            placed: 0,
        }
    }

    /// The pilots, or none where the evictions went on too long.
    fn run(mut self) -> Option<Vec<u8>> {
        let entry = |bucket: u32| (self.buckets.keys(bucket).len(), std::cmp::Reverse(bucket));
        let mut queue: BinaryHeap<_> =
            (0..self.buckets.count()).map(entry).filter(|&(len, _)| len != 0).collect();
        let mut evictions_left = SPARE_EVICTIONS + EVICTIONS_A_BUCKET * self.pilots.len();
        let mut evicted = Vec::new();
        while let Some((_, std::cmp::Reverse(bucket))) = queue.pop() {
            // Another first pilot each time, so that a bucket does not return to where it was evicted.
            let first = (self.placed as u8).wrapping_mul(89);
            let pilot = match self.free_pilot(bucket) {
                Some(pilot) => pilot,
                None => self.cheapest_pilot(bucket, first)?,
            };
            self.place(bucket, pilot, &mut evicted);
            evictions_left = evictions_left.checked_sub(evicted.len())?;
            queue.extend(
                evicted.drain(..).map(|bucket| (self.buckets.keys(bucket).len(), std::cmp::Reverse(bucket))),
            );
        }
        Some(self.pilots)
    }

    fn slot(&self, hash: u64, pilot: u8) -> usize {
        hash::slot(hash, pilot, self.slots) as usize
    }

    /// The first pilot that sends the bucket's keys to free slots, no two to the same.
    fn free_pilot(&self, bucket: u32) -> Option<u8> {
        let keys = self.buckets.keys(bucket);
        (0..=u8::MAX).find(|&pilot| {
            keys.iter().all(|&(hash, _)| self.owners[self.slot(hash, pilot)] == FREE)
                && self.separates(keys, pilot)
        })
    }

    /// Whether no two of the keys share a slot.
    fn separates(&self, keys: &[(u64, u32)], pilot: u8) -> bool {
        keys.iter().enumerate().all(|(i, &(hash, _))| {
            let slot = self.slot(hash, pilot);
            keys[..i].iter().all(|&(other, _)| self.slot(other, pilot) != slot)
        })
    }

    /// The pilot whose evicted buckets have the fewest keys, squared so that large buckets stay.
    fn cheapest_pilot(&self, bucket: u32, first: u8) -> Option<u8> {
        let keys = self.buckets.keys(bucket);
        let mut cheapest: Option<(usize, u8)> = None;
        for pilot in (0..=u8::MAX).map(|step| first.wrapping_add(step)) {
            let limit = cheapest.map_or(usize::MAX, |(cost, _)| cost);
            if let Some(cost) = self.eviction_cost(keys, pilot, limit)
                && self.separates(keys, pilot)
            {
                cheapest = Some((cost, pilot));
            }
        }
        cheapest.map(|(_, pilot)| pilot)
    }

    /// Cost of the evictions, if below `limit` and no protected bucket is among them.
    fn eviction_cost(&self, keys: &[(u64, u32)], pilot: u8, limit: usize) -> Option<usize> {
        let mut cost = 0;
        for &(hash, _) in keys {
            let owner = self.owners[self.slot(hash, pilot)];
            if owner != FREE {
                cost += self.buckets.keys(owner).len().pow(2);
                if cost >= limit || self.recent.contains(&owner) {
                    return None;
                }
            }
        }
        Some(cost)
    }

    /// Gives the bucket its slots and reports the buckets that had them.
    fn place(&mut self, bucket: u32, pilot: u8, evicted: &mut Vec<u32>) {
        let buckets = self.buckets;
        for &(hash, _) in buckets.keys(bucket) {
            let slot = self.slot(hash, pilot);
            let owner = self.owners[slot];
            if owner != FREE {
                for &(hash, _) in buckets.keys(owner) {
                    let slot = self.slot(hash, self.pilots[owner as usize]);
                    self.owners[slot] = FREE;
                }
                evicted.push(owner);
            }
            self.owners[slot] = bucket;
        }
        self.pilots[bucket as usize] = pilot;
        self.recent[self.placed % PROTECTED] = bucket;
        self.placed += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kallsyms_core::image::hash::{HashId, hash_name};

    fn hashes(keys: usize, seed: u64) -> Vec<u64> {
        (0..keys).map(|key| hash_name(HashId::Folded, seed, format!("symbol_{key}").as_bytes())).collect()
    }

    fn assert_perfect(hashes: &[u64]) -> PerfectHash {
        let perfect = build(hashes).unwrap();
        let mut taken = vec![false; perfect.slots as usize];
        for (&hash, &slot) in hashes.iter().zip(&perfect.slot_of) {
            let bucket = hash::bucket(hash, perfect.pilots.len() as u32);
            assert_eq!(hash::slot(hash, perfect.pilots[bucket as usize], perfect.slots), slot);
            assert!(!std::mem::replace(&mut taken[slot as usize], true), "slot {slot} taken twice");
        }
        perfect
    }

    #[test]
    fn every_small_size_builds() {
        for keys in 1..=2000 {
            let perfect = assert_perfect(&hashes(keys, 0));
            assert_eq!(perfect.pilots.len(), (keys * 10).div_ceil(33), "{keys} keys");
            let most = if keys < 200 { keys * 2 } else { keys * 1000 / 980 };
            assert!(perfect.slots as usize <= most, "{keys} keys in {} slots", perfect.slots);
        }
    }

    #[test]
    fn large_sizes_build_at_full_load() {
        for keys in [70_000, 122_000, 191_000, 300_000] {
            for seed in 0..2 {
                let perfect = assert_perfect(&hashes(keys, seed));
                assert_eq!(perfect.slots as usize, keys * 1000 / 995, "{keys} keys, seed {seed}");
            }
        }
    }

    #[test]
    fn a_million_keys_build() {
        assert_eq!(assert_perfect(&hashes(1_000_000, 0)).slots, 1_005_025);
    }

    #[test]
    fn no_keys_give_an_empty_hash() {
        let empty = PerfectHash { pilots: Vec::new(), slots: 0, slot_of: Vec::new() };
        assert_eq!(build(&[]), Ok(empty));
    }

    #[test]
    fn equal_hashes_are_named() {
        let mut hashes = hashes(100, 0);
        hashes[70] = hashes[20];
        assert_eq!(build(&hashes), Err(PerfectHashError::EqualHashes { first: 20, second: 70 }));
        assert_eq!(build(&hashes).unwrap_err().to_string(), "keys 20 and 70 have the same hash");
    }

    #[test]
    fn crowded_buckets_are_refused_without_a_panic() {
        // All keys in one bucket: at full load no pilot separates hundreds of them.
        let hashes: Vec<u64> = (0..3000).collect();
        assert_eq!(build(&hashes), Err(PerfectHashError::NoPlacement { keys: 3000 }));
    }

    #[test]
    fn same_keys_give_the_same_hash() {
        let hashes = hashes(5000, 3);
        assert_eq!(build(&hashes), build(&hashes));
    }
}
