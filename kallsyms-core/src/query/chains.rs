//! The names of a batch by their hash, kept in the slots that their answers go to.

use crate::image::hash::{HashId, NameHasher, bucket};
use crate::num::{index, low32, widen};

/// Bits of a name's number + 1.
const NAME_BITS: u32 = 21;
/// Bits of a symbol's index + 1.
const SYMBOL_BITS: u32 = u64::BITS - 2 * NAME_BITS;

/// Most names that a batch may have for its slots to hold the chains.
pub(super) const MAX_NAMES: usize = (1 << NAME_BITS) - 2;
/// Most symbols of a table.
pub(super) const MAX_SYMBOLS: u32 = (1 << SYMBOL_BITS) - 3;

/// In place of a symbol: the name is that of an earlier one, the `next`.
const REPEATED: u32 = (1 << SYMBOL_BITS) - 1;

/// Chained hashing without a heap: slot `i` holds the head of chain `i`, and of name `i` the next of its chain
/// and the symbol that was found for it.
pub(super) struct Chains<'b, N> {
    names: &'b [N],
    slots: &'b mut [Option<u64>],
    /// Different names that have no symbol yet.
    missing: usize,
}

/// What a slot holds: numbers are one more than they say, 0 is none.
#[derive(Clone, Copy, Default)]
struct Slot {
    head: u32,
    next: u32,
    symbol: u32,
}

impl<'b, N: AsRef<[u8]>> Chains<'b, N> {
    /// Hashes the names. Steps: one hash and one compare a name.
    pub(super) fn new(names: &'b [N], slots: &'b mut [Option<u64>]) -> Self {
        let used = names.len().min(slots.len());
        let (slots, _) = slots.split_at_mut_checked(used).unwrap_or_default();
        slots.fill(Some(Slot::default().packed()));
        let mut chains = Self { names: names.get(..used).unwrap_or_default(), slots, missing: used };
        for (number, name) in (1u32..).zip(chains.names) {
            chains.insert(number, name.as_ref());
        }
        chains
    }

    fn insert(&mut self, number: u32, name: &[u8]) {
        let mut hash = hasher();
        hash.write(name);
        let chain = self.chain(hash);
        let before = self.members(chain).find(|&other| self.name(other) == Some(name));
        let head = self.slot(chain).head;
        self.change(number, |slot| slot.next = before.unwrap_or(head));
        if before.is_some() {
            self.change(number, |slot| slot.symbol = REPEATED);
            self.missing = self.missing.saturating_sub(1);
        } else {
            self.change(chain, |slot| slot.head = number);
        }
    }

    /// Whether every name has its symbol.
    pub(super) fn is_complete(&self) -> bool {
        self.missing == 0
    }

    /// Gives a symbol to the name that has this hash and none yet, and that it `fits`. Steps: one a name of the
    /// chain.
    #[inline]
    pub(super) fn offer(&mut self, hash: NameHasher, symbol: u32, fits: impl FnMut(&[u8]) -> bool) {
        let mut fits = fits;
        let chain = self.chain(hash);
        let fitting = self
            .members(chain)
            .find(|&number| self.slot(number).symbol == 0 && self.name(number).is_some_and(&mut fits));
        if let Some(number) = fitting {
            self.change(number, |slot| slot.symbol = symbol.saturating_add(1));
            self.missing = self.missing.saturating_sub(1);
        }
    }

    /// Leaves the addresses of the symbols in the slots.
    pub(super) fn finish(self, address: impl Fn(u32) -> Option<u64>) {
        for number in (1u32..).take(self.slots.len()) {
            let slot = self.slot(number);
            if slot.symbol == REPEATED {
                let symbol = self.slot(slot.next).symbol;
                set(self.slots, number, Slot { symbol, ..slot });
            }
        }
        for slot in self.slots.iter_mut() {
            *slot = Slot::unpacked(slot.unwrap_or_default()).symbol.checked_sub(1).and_then(&address);
        }
    }

    /// The number of the slot that holds a hash's head.
    #[inline]
    fn chain(&self, hash: NameHasher) -> u32 {
        let chains = u32::try_from(self.slots.len()).unwrap_or(u32::MAX);
        bucket(hash.finish(), chains).saturating_add(1)
    }

    /// The names of a chain.
    #[inline]
    fn members(&self, chain: u32) -> impl Iterator<Item = u32> + '_ {
        let known = |number: u32| (number != 0).then_some(number);
        core::iter::successors(known(self.slot(chain).head), move |&number| known(self.slot(number).next))
    }

    fn name(&self, number: u32) -> Option<&'b [u8]> {
        self.names.get(index(number).checked_sub(1)?).map(AsRef::as_ref)
    }

    #[inline]
    fn slot(&self, number: u32) -> Slot {
        let at = index(number).wrapping_sub(1);
        self.slots.get(at).copied().flatten().map(Slot::unpacked).unwrap_or_default()
    }

    fn change(&mut self, number: u32, change: impl FnOnce(&mut Slot)) {
        let mut slot = self.slot(number);
        change(&mut slot);
        set(self.slots, number, slot);
    }
}

/// A hasher for a name of the batch or of the table.
#[inline]
pub(super) fn hasher() -> NameHasher {
    NameHasher::new(HashId::Folded, 0)
}

fn set(slots: &mut [Option<u64>], number: u32, value: Slot) {
    if let Some(slot) = slots.get_mut(index(number).wrapping_sub(1)) {
        *slot = Some(value.packed());
    }
}

impl Slot {
    #[inline]
    const fn packed(self) -> u64 {
        widen(self.head) | widen(self.next) << NAME_BITS | widen(self.symbol) << (2 * NAME_BITS)
    }

    #[inline]
    const fn unpacked(word: u64) -> Self {
        const NAME: u64 = (1 << NAME_BITS) - 1;
        Self {
            head: low32(word & NAME),
            next: low32(word >> NAME_BITS & NAME),
            symbol: low32(word >> (2 * NAME_BITS)),
        }
    }
}
