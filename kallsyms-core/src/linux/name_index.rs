//! Names by their hash, in a buffer of the caller's: one word a symbol.
//!
//! The entries stand in the order of their buckets, and in each in the order of the symbols. Buckets are of 8
//! symbols on average, and where one begins is told by the words 8 × its number and on, three bits in each,
//! whatever entries stand there. From the highest bit on a word is those three bits, whether the entry is the
//! last of its bucket, as much of the hash as there is room for, and the symbol. Many symbols of one name, and
//! names that were made to have one hash, make a bucket long and no other.

use core::fmt;

use crate::image::hash::{HashId, NameHasher, bucket, hash_name};
use crate::num::{index, low32, wide};
use crate::table::SymbolIndex;

/// Entries by the hash of their names.
#[derive(Clone, Copy)]
pub(super) struct NameIndex<'a> {
    words: &'a [u32],
    buckets: u32,
    shape: Shape,
}

/// Why there is no index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum IndexError {
    /// The buffer is too short.
    TooShort {
        /// Words that there are.
        len: usize,
        /// Words that are needed: [`Kallsyms::name_index_words`](super::Kallsyms::name_index_words).
        needed: usize,
    },
    /// More than 2^24 symbols, which `seqs_of_names` has no room for either.
    TooLarge {
        /// Symbols that there are.
        symbols: u32,
    },
}

/// Words that tell where a bucket begins, which is how many symbols it has on average.
const GROUP: usize = 8;

/// Their bits that do so.
const START_BITS: u32 = 3;

/// The lowest of them.
const START_AT: u32 = u32::BITS - START_BITS;

/// Whether an entry is the last one of its bucket.
const LAST: u32 = 1 << (START_AT - 1);

/// What a symbol and a part of its hash have room in.
const ENTRY: u32 = LAST - 1;

/// Most symbols.
const MOST: u32 = 1 << 24;

/// The parts of an entry.
#[derive(Debug, Clone, Copy)]
struct Shape {
    symbol_bits: u32,
}

impl Shape {
    fn new(symbols: u32) -> Self {
        Self { symbol_bits: u32::BITS.wrapping_sub(symbols.leading_zeros()).min(24) }
    }

    /// What a name's entry has above its symbol.
    #[inline(always)]
    fn wanted(self, hash: u64) -> u32 {
        low32(hash).wrapping_shl(self.symbol_bits) & ENTRY
    }

    #[inline(always)]
    fn symbols(self) -> u32 {
        !u32::MAX.wrapping_shl(self.symbol_bits)
    }
}

/// Words that an index of so many symbols takes: one a symbol, and at most 15 more.
pub(super) fn words(symbols: u32) -> usize {
    index(symbols).div_ceil(GROUP).saturating_add(1).saturating_mul(GROUP)
}

/// The hash of a name.
#[inline(always)]
fn hash(name: &[u8]) -> u64 {
    hash_name(HashId::Folded, 0, name)
}

/// The same of one in pieces.
pub(super) fn hasher() -> NameHasher {
    NameHasher::new(HashId::Folded, 0)
}

impl<'a> NameIndex<'a> {
    /// Builds the index in the first words of a buffer, whatever is in them, of the hashes of all symbols,
    /// which are asked for twice. Steps: two hashes a symbol.
    pub(super) fn build<H: Iterator<Item = u64>>(
        symbols: u32,
        hashes: impl Fn() -> H,
        buffer: &'a mut [u32],
    ) -> Result<Self, IndexError> {
        if symbols > MOST {
            return Err(IndexError::TooLarge { symbols });
        }
        let needed = words(symbols);
        let len = buffer.len();
        let words = buffer.get_mut(..needed).ok_or(IndexError::TooShort { len, needed })?;
        let buckets = symbols.div_ceil(low32(wide(GROUP)));
        let shape = Shape::new(symbols);
        words.fill(0);
        let (groups, _) = words.as_chunks_mut::<GROUP>();
        for hash in hashes() {
            if let Some([count, ..]) = groups.get_mut(index(bucket(hash, buckets))) {
                *count = count.wrapping_add(1);
            }
        }
        // Each group has where the bucket in front begins, and when that one is full, where its own does.
        let (mut before, mut start) = (0, 0_u32);
        for group in groups {
            let [count, ..] = *group;
            *group = [0; GROUP];
            set_start(group, before);
            before = start;
            start = start.wrapping_add(count);
        }
        for (symbol, hash) in (0..symbols).zip(hashes()) {
            let behind = index(bucket(hash, buckets)).wrapping_add(1);
            let (groups, _) = words.as_chunks_mut::<GROUP>();
            let Some(group) = groups.get_mut(behind) else { continue };
            let place = start_of(group);
            set_start(group, place.wrapping_add(1));
            if let Some(word) = words.get_mut(index(place)) {
                *word |= shape.wanted(hash) | symbol;
            }
        }
        for bucket in 1..=index(buckets) {
            let end = words.as_chunks::<GROUP>().0.get(bucket).map_or(0, start_of);
            // Where the bucket is empty this is the last entry of one in front.
            if let Some(word) = index(end).checked_sub(1).and_then(|last| words.get_mut(last)) {
                *word |= LAST;
            }
        }
        Ok(Self { words, buckets, shape })
    }

    /// The symbols that may have a name, in their order. Steps: a hash, then one an entry of its bucket.
    #[inline(always)]
    pub(super) fn candidates(&self, name: &[u8]) -> Candidates<'_> {
        let hash = hash(name);
        let groups = self.words.as_chunks::<GROUP>().0;
        let start = groups.get(index(bucket(hash, self.buckets))).map_or(0, start_of);
        Candidates {
            entries: self.words.get(index(start)..).unwrap_or_default(),
            wanted: self.shape.wanted(hash),
            symbols: self.shape.symbols(),
        }
    }
}

/// What the words of a group tell.
#[inline(always)]
fn start_of(group: &[u32; GROUP]) -> u32 {
    let mut start = 0;
    for word in group.iter().rev() {
        start = start << START_BITS | word >> START_AT;
    }
    start
}

fn set_start(group: &mut [u32; GROUP], mut start: u32) {
    for word in group {
        *word = *word & (LAST | ENTRY) | start << START_AT;
        start >>= START_BITS;
    }
}

/// Symbols whose names may have a hash: [`NameIndex::candidates`].
#[derive(Debug, Clone)]
pub(super) struct Candidates<'t> {
    /// From the next one on.
    entries: &'t [u32],
    wanted: u32,
    symbols: u32,
}

impl Iterator for Candidates<'_> {
    type Item = SymbolIndex;

    #[inline(always)]
    fn next(&mut self) -> Option<SymbolIndex> {
        let compared = ENTRY & !self.symbols;
        while let Some((&entry, behind)) = self.entries.split_first() {
            self.entries = if entry & LAST == 0 { behind } else { &[] };
            if (entry ^ self.wanted) & compared == 0 {
                return Some(SymbolIndex(entry & self.symbols));
            }
        }
        None
    }
}

impl fmt::Debug for NameIndex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NameIndex").field("words", &self.words.len()).finish_non_exhaustive()
    }
}

impl fmt::Display for IndexError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::TooShort { len, needed } => write!(f, "the index takes {needed} words, there are {len}"),
            Self::TooLarge { symbols } => {
                write!(f, "an index has room for 2^24 symbols, the table has {symbols}")
            }
        }
    }
}

impl core::error::Error for IndexError {}
