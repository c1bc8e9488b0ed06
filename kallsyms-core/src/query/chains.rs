//! The names of a batch by their hash, kept in the slots that their answers go to.

use crate::image::hash::{HashId, NameHasher, bucket};
use crate::num::{count, index, low32, widen};

/// Chained hashing without a heap: slot `i` holds the head of chain `i`, and of name `i` the next of its
/// chain, the symbol that was found for it and a part of its hash.
pub(super) struct Chains<'b, N> {
    names: &'b [N],
    slots: &'b mut [Option<u64>],
    shape: Shape,
    /// Different names that have no symbol yet.
    missing: usize,
}

/// Names of one chain, more than which no set has by chance: that of a million has 12.
const LONGEST_CHAIN: usize = 64;

/// Bits of the numbers in a slot; the hash has the others.
#[derive(Clone, Copy)]
struct Shape {
    name_bits: u32,
    symbol_bits: u32,
}

/// What a slot holds: numbers are one more than they say, 0 is none.
#[derive(Clone, Copy, Default)]
struct Slot {
    head: u32,
    next: u32,
    symbol: u32,
    hash: u64,
}

impl<'b, N: AsRef<[u8]>> Chains<'b, N> {
    /// Hashes the names; `None`, and no slot changed, if there are too many of names and symbols for the
    /// slots to number them, or if names were made to have one hash. Steps: one hash and one compare a
    /// name.
    pub(super) fn new(names: &'b [N], slots: &'b mut [Option<u64>], symbols: u32) -> Option<Self> {
        let used = names.len().min(slots.len());
        let shape = Shape::new(u32::try_from(used).ok()?, symbols)?;
        let slots = slots.get_mut(..used)?;
        slots.fill(Some(0));
        let mut chains = Self { names: names.get(..used)?, slots, shape, missing: used };
        for (number, name) in (1..u32::MAX).zip(chains.names) {
            if chains.insert(number, name.as_ref()).is_none() {
                chains.slots.fill(None);
                return None;
            }
        }
        Some(chains)
    }

    /// `None` if the name's chain is too long.
    fn insert(&mut self, number: u32, name: &[u8]) -> Option<()> {
        if name.is_empty() {
            // No symbol has it, whatever a damaged table says.
            self.missing = self.missing.saturating_sub(1);
            return Some(());
        }
        let mut hasher = hasher();
        hasher.write(name);
        let hash = hasher.finish();
        let chain = self.chain(hash);
        let before = self.members(chain, hash).find(|&(other, _)| self.name(other) == Some(name));
        if before.is_none() && self.chain_len(chain) >= LONGEST_CHAIN {
            return None;
        }
        let head = self.slot(chain).head;
        let hash = self.shape.part(hash);
        match before {
            Some((before, _)) => {
                let symbol = self.shape.repeated();
                self.change(number, |slot| *slot = Slot { next: before, symbol, hash, ..*slot });
                self.missing = self.missing.saturating_sub(1);
            }
            None => {
                self.change(number, |slot| *slot = Slot { next: head, hash, ..*slot });
                self.change(chain, |slot| slot.head = number);
            }
        }
        Some(())
    }

    /// Whether every name has its symbol.
    pub(super) fn is_complete(&self) -> bool {
        self.missing == 0
    }

    /// Gives a symbol to the name that has this hash and none yet, and that it `fits`. Steps: one a name of
    /// the chain.
    #[inline]
    pub(super) fn offer(&mut self, hash: u64, symbol: u32, mut fits: impl FnMut(&[u8]) -> bool) {
        let fitting = self
            .members(self.chain(hash), hash)
            .find(|&(number, slot)| slot.symbol == 0 && self.name(number).is_some_and(&mut fits));
        if let Some((number, _)) = fitting {
            self.change(number, |slot| slot.symbol = symbol.saturating_add(1));
            self.missing = self.missing.saturating_sub(1);
        }
    }

    /// Leaves the addresses of the symbols in the slots.
    pub(super) fn finish(mut self, address: impl Fn(u32) -> Option<u64>) {
        for number in (1..u32::MAX).take(self.slots.len()) {
            let slot = self.slot(number);
            if slot.symbol == self.shape.repeated() {
                let symbol = self.slot(slot.next).symbol;
                self.change(number, |slot| slot.symbol = symbol);
            }
        }
        for slot in self.slots.iter_mut() {
            let symbol = self.shape.unpack(slot.unwrap_or_default()).symbol;
            *slot = symbol.checked_sub(1).and_then(&address);
        }
    }

    /// The number of the slot that holds a hash's head.
    #[inline]
    fn chain(&self, hash: u64) -> u32 {
        let chains = u32::try_from(self.slots.len()).unwrap_or(u32::MAX);
        bucket(hash, chains).saturating_add(1)
    }

    /// The names of a chain that may have this hash.
    #[inline]
    fn members(&self, chain: u32, hash: u64) -> impl Iterator<Item = (u32, Slot)> + '_ {
        let part = self.shape.part(hash);
        self.all_members(chain).filter(move |(_, slot)| slot.hash == part)
    }

    #[inline]
    fn all_members(&self, chain: u32) -> impl Iterator<Item = (u32, Slot)> + '_ {
        let known = |number: u32| (number != 0).then(|| (number, self.slot(number)));
        core::iter::successors(known(self.slot(chain).head), move |(_, slot)| known(slot.next))
    }

    /// Names of a chain, as far as they matter.
    fn chain_len(&self, chain: u32) -> usize {
        count(self.all_members(chain).take(LONGEST_CHAIN))
    }

    fn name(&self, number: u32) -> Option<&'b [u8]> {
        self.names.get(index(number).checked_sub(1)?).map(AsRef::as_ref)
    }

    #[inline]
    fn slot(&self, number: u32) -> Slot {
        let at = index(number).wrapping_sub(1);
        self.shape.unpack(self.slots.get(at).copied().flatten().unwrap_or_default())
    }

    fn change(&mut self, number: u32, change: impl FnOnce(&mut Slot)) {
        let mut slot = self.slot(number);
        change(&mut slot);
        if let Some(place) = self.slots.get_mut(index(number).wrapping_sub(1)) {
            *place = Some(self.shape.pack(slot));
        }
    }
}

/// A hasher for a name of the batch or of the table.
#[inline]
pub(super) fn hasher() -> NameHasher {
    NameHasher::new(HashId::Folded, 0)
}

impl Shape {
    fn new(names: u32, symbols: u32) -> Option<Self> {
        let name_bits = bits(names);
        // One more than any index, and the value that is no symbol.
        let symbol_bits = bits(symbols.checked_add(1)?);
        let numbers = name_bits.checked_mul(2)?.checked_add(symbol_bits)?;
        (numbers < u64::BITS).then_some(Self { name_bits, symbol_bits })
    }

    /// In place of a symbol: the name is that of an earlier one, the `next`.
    const fn repeated(self) -> u32 {
        low32(mask(self.symbol_bits))
    }

    const fn hash_at(self) -> u32 {
        self.name_bits.wrapping_mul(2).wrapping_add(self.symbol_bits)
    }

    /// As much of a hash as a slot has room for: bits that have not chosen the chain.
    #[inline]
    const fn part(self, hash: u64) -> u64 {
        hash & mask(u64::BITS.wrapping_sub(self.hash_at()))
    }

    #[inline]
    const fn pack(self, slot: Slot) -> u64 {
        widen(slot.head)
            | widen(slot.next).wrapping_shl(self.name_bits)
            | widen(slot.symbol).wrapping_shl(self.name_bits.wrapping_mul(2))
            | slot.hash.wrapping_shl(self.hash_at())
    }

    #[inline]
    const fn unpack(self, word: u64) -> Slot {
        let Self { name_bits, symbol_bits } = self;
        Slot {
            head: low32(word & mask(name_bits)),
            next: low32(word.wrapping_shr(name_bits) & mask(name_bits)),
            symbol: low32(word.wrapping_shr(name_bits.wrapping_mul(2)) & mask(symbol_bits)),
            hash: word.wrapping_shr(self.hash_at()),
        }
    }
}

/// Bits of a number.
const fn bits(number: u32) -> u32 {
    u32::BITS.wrapping_sub(number.leading_zeros())
}

/// A number with its lowest `bits` bits set; fewer than 64.
const fn mask(bits: u32) -> u64 {
    !u64::MAX.wrapping_shl(bits)
}
