//! Names by their hash, in a buffer of the caller's.
//!
//! The words are entries, one a type with a name, in the order of their buckets and in each of their numbers;
//! behind them, two to a word, where each bucket begins. An entry is, from the lowest bit on, the type's
//! number, its kind, its name's offset, and as much of the hash as there is room for. Many types of one name,
//! and names that were made to have one hash, make a bucket long and no other: building takes the same steps,
//! and finding one of them at most as many as there are.

use core::fmt;

use zerocopy::IntoBytes;

use super::btf::{Btf, Heads};
use super::format::Info;
use super::kind::Kind;
use super::name_hash::{hash, hash_of_string};
use super::strings;
use super::type_id::TypeId;
use super::types::Type;
use crate::image::hash::bucket;
use crate::num::{index, low32, widen};

/// Names that are looked for at a time.
pub(super) const GROUP: usize = 8;

/// A [`Btf`] with an index of the names of its own types, sorted or not.
///
/// Types by number are found as the BTF finds them: [`Btf::with_offsets`] before the index is built makes
/// [`Find::find`](super::Find::find) as quick as [`Find::find_id`](super::Find::find_id).
#[derive(Clone, Copy)]
pub struct HashIndex<'a> {
    btf: Btf<'a>,
    entries: &'a [u64],
    /// Where each bucket begins among the entries, and behind them where the last one ends.
    starts: &'a [u32],
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
        /// Words that are needed: [`HashIndex::words`].
        needed: usize,
    },
    /// Type, kind and name do not fit in the 64 bits of an entry. Those of a kernel, whose limits are 2^20
    /// types and 2^24 bytes of names, leave 13.
    TooLarge {
        /// Bits that they take.
        bits: u32,
    },
}

/// Where the parts of an entry are.
#[derive(Debug, Clone, Copy)]
struct Shape {
    number_bits: u32,
    name_at: u32,
    hash_at: u32,
    /// Kind and hash.
    mask: u64,
}

/// Bits of a kind.
const KIND_BITS: u32 = 7;

impl<'a> HashIndex<'a> {
    /// Words that the index of a BTF takes.
    #[must_use]
    pub fn words(btf: &Btf<'_>) -> usize {
        let named = index(btf.named_len);
        named.saturating_add(Self::starts_len(btf).div_ceil(2))
    }

    /// One more than what is kept: the last tells, while it is built, where the last bucket goes on.
    fn starts_len(btf: &Btf<'_>) -> usize {
        index(btf.named_len).saturating_add(2)
    }

    /// Builds the index in the first words of a buffer, whatever is in them. Steps: two hashes a type with a
    /// name, of up to 256 bytes each.
    ///
    /// # Errors
    ///
    /// [`IndexError::TooShort`] if there are less than [`words`](Self::words), [`IndexError::TooLarge`].
    pub fn build(btf: Btf<'a>, words: &'a mut [u64]) -> Result<Self, IndexError> {
        let shape = Shape::new(&btf)?;
        let too_short = IndexError::TooShort { len: words.len(), needed: Self::words(&btf) };
        let (entries, starts) = words.split_at_mut_checked(index(btf.named_len)).ok_or(too_short)?;
        let starts = starts.as_mut_bytes();
        let starts = <[u32] as zerocopy::FromBytes>::mut_from_bytes(starts).ok();
        let starts = starts.and_then(|starts| starts.get_mut(..Self::starts_len(&btf))).ok_or(too_short)?;
        starts.fill(0);
        for named in NamedTypes(btf.heads()) {
            if let Some(count) = starts.get_mut(index(named.bucket).wrapping_add(2)) {
                *count = count.wrapping_add(1);
            }
        }
        let mut total = 0_u32;
        for count in &mut *starts {
            total = total.wrapping_add(*count);
            *count = total;
        }
        // One behind its own, a bucket's start becomes its end, the next one's start.
        for named in NamedTypes(btf.heads()) {
            if let Some(next) = starts.get_mut(index(named.bucket).wrapping_add(1)) {
                if let Some(place) = entries.get_mut(index(*next)) {
                    *place = shape.entry(&named);
                }
                *next = next.wrapping_add(1);
            }
        }
        Ok(Self { btf, entries, starts, shape })
    }

    /// The BTF.
    #[must_use]
    #[inline]
    pub const fn btf(&self) -> &Btf<'a> {
        &self.btf
    }

    /// The first own type of a name and kind, counted from the first.
    #[inline(always)]
    pub(super) fn find_number(&self, name: &[u8], kind: Kind) -> Option<u32> {
        let hash = hash(name);
        let wanted = self.shape.wanted(hash, kind);
        for &entry in self.bucket(hash) {
            if (entry ^ wanted) & self.shape.mask == 0 && self.has_name(entry, name) {
                return Some(self.shape.number(entry));
            }
        }
        None
    }

    /// The first own types of up to [`GROUP`] names and kinds; a slot that is taken is left as it is.
    pub(super) fn find_group(&self, names: &[(&[u8], Kind)], out: &mut [Option<TypeId>]) {
        // Three loops, so that each has its loads under way together.
        let mut places = [(0, 0, 0); GROUP];
        for (place, &(name, kind)) in places.iter_mut().zip(names) {
            let hash = hash(name);
            let (start, end) = self.range(hash);
            *place = (start, end, self.shape.wanted(hash, kind));
        }
        // The entry that may be it takes the place of what is wanted; none is 0, for there is no kind 0.
        for (start, end, wanted) in places.iter_mut().take(names.len()) {
            let bucket = self.entries.get(index(*start)..index(*end)).unwrap_or_default();
            let mut candidate = 0;
            for &entry in bucket {
                if (entry ^ *wanted) & self.shape.mask == 0 {
                    candidate = entry;
                    break;
                }
            }
            *wanted = candidate;
        }
        for (slot, (&(.., candidate), &(name, kind))) in out.iter_mut().zip(places.iter().zip(names)) {
            if candidate == 0 || slot.is_some() {
                continue;
            }
            let number = match self.has_name(candidate, name) {
                true => Some(self.shape.number(candidate)),
                // Another name of nearly the same hash: rare.
                false => self.find_number(name, kind),
            };
            *slot = number.map(|number| TypeId(self.btf.start_id.wrapping_add(number)));
        }
    }

    /// The own types of a name.
    pub(super) fn named<'n>(&self, name: &'n [u8]) -> Named<'_, 'n> {
        Named { index: self, bucket: self.bucket(hash(name)).iter(), name }
    }

    /// The entries that a hash leads to.
    #[inline(always)]
    fn bucket(&self, hash: u64) -> &[u64] {
        let (start, end) = self.range(hash);
        self.entries.get(index(start)..index(end)).unwrap_or_default()
    }

    /// Where they begin and end.
    #[inline(always)]
    fn range(&self, hash: u64) -> (u32, u32) {
        let bucket = index(bucket(hash, self.btf.named_len));
        match self.starts.get(bucket..).and_then(|starts| starts.first_chunk()) {
            Some(&[start, end]) => (start, end),
            None => (0, 0),
        }
    }

    #[inline(always)]
    fn has_name(&self, entry: u64, name: &[u8]) -> bool {
        self.btf.name_is(self.shape.name_off(entry), |tail| strings::is(tail, name))
    }
}

impl Shape {
    fn new(btf: &Btf<'_>) -> Result<Self, IndexError> {
        let bits = |number: u32| u32::BITS.wrapping_sub(number.leading_zeros());
        let number_bits = bits(btf.own_len);
        let name_at = number_bits.wrapping_add(KIND_BITS);
        let hash_at = name_at.wrapping_add(bits(btf.strings_end()));
        if hash_at >= u64::BITS {
            return Err(IndexError::TooLarge { bits: hash_at });
        }
        let mask = low(KIND_BITS).wrapping_shl(number_bits) | u64::MAX.wrapping_shl(hash_at);
        Ok(Self { number_bits, name_at, hash_at, mask })
    }

    #[inline(always)]
    fn entry(self, named: &NamedType) -> u64 {
        self.wanted(named.hash, named.kind)
            | widen(named.number)
            | widen(named.name_off).wrapping_shl(self.name_at)
    }

    /// The kind and the part of the hash in an entry, which are those of its [`mask`](Self::mask).
    #[inline(always)]
    fn wanted(self, hash: u64, kind: Kind) -> u64 {
        let kind = u64::from(kind.number()).wrapping_shl(self.number_bits);
        kind | hash.wrapping_shl(self.hash_at)
    }

    #[inline(always)]
    fn number(self, entry: u64) -> u32 {
        low32(entry & low(self.number_bits))
    }

    #[inline(always)]
    fn name_off(self, entry: u64) -> u32 {
        low32(entry.wrapping_shr(self.name_at) & low(self.hash_at.wrapping_sub(self.name_at)))
    }
}

/// The lowest bits, fewer than 64.
#[inline(always)]
const fn low(bits: u32) -> u64 {
    !u64::MAX.wrapping_shl(bits)
}

/// What an entry is made of.
struct NamedType {
    number: u32,
    kind: Kind,
    name_off: u32,
    hash: u64,
    bucket: u32,
}

/// Own types that have a name.
struct NamedTypes<'b>(Heads<'b>);

impl Iterator for NamedTypes<'_> {
    type Item = NamedType;

    #[inline(always)]
    fn next(&mut self) -> Option<NamedType> {
        let btf = self.0.btf();
        loop {
            let (number, head) = self.0.next()?;
            let name_off = head.name_off.get(btf.endian);
            let hash = match name_off {
                0 => None,
                _ => hash_of_string(btf.tail(name_off).unwrap_or_default()),
            };
            let Some(hash) = hash else { continue };
            return Some(NamedType {
                number,
                kind: Kind::from_number(Info(head.info.get(btf.endian)).kind()),
                name_off,
                hash,
                bucket: bucket(hash, btf.named_len),
            });
        }
    }
}

impl fmt::Debug for HashIndex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HashIndex").field("btf", &self.btf).finish_non_exhaustive()
    }
}

impl fmt::Display for IndexError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::TooShort { len, needed } => write!(f, "the index takes {needed} words, there are {len}"),
            Self::TooLarge { bits } => {
                write!(
                    f,
                    "a type's number, kind and name take {bits} bits, an entry has 64 with some of the hash"
                )
            }
        }
    }
}

impl core::error::Error for IndexError {}

/// Own types of one name.
#[derive(Clone)]
pub(super) struct Named<'b, 'n> {
    index: &'b HashIndex<'b>,
    bucket: core::slice::Iter<'b, u64>,
    name: &'n [u8],
}

impl<'b> Iterator for Named<'b, '_> {
    type Item = Type<'b>;

    fn next(&mut self) -> Option<Type<'b>> {
        let Self { index, bucket, name } = self;
        let entry = bucket.find(|&&entry| index.has_name(entry, name))?;
        let record = index.btf.record(index.shape.number(*entry))?;
        Some(Type::new(&index.btf, record))
    }
}

impl fmt::Debug for Named<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Named").field("name", &self.name).finish_non_exhaustive()
    }
}
