//! `kallsyms_offsets` and `kallsyms_addresses`.

use super::bisect::{first_not_near, start_of_run};
use super::error::{Error, Part};
use super::format::{Encoding, Tables, Width};
use super::numbers::Words;
use crate::num::{index, low32, widen};

/// The addresses of all symbols, ascending.
#[derive(Debug, Clone, Copy)]
pub(super) struct Addresses<'a> {
    words: Words<'a>,
    encoding: Encoding,
    pointer: Width,
    count: u32,
    /// Whether a word leads past the highest address, to a low one again.
    wraps: bool,
}

/// The first symbol at an address, and the next different address.
#[derive(Debug, Clone, Copy)]
pub(super) struct Found {
    pub(super) symbol: u32,
    pub(super) start: u64,
    pub(super) next: Option<u64>,
}

impl<'a> Addresses<'a> {
    /// Checks that the addresses ascend.
    pub(super) fn new(tables: &Tables<'a>) -> Result<Self, Error> {
        let Tables { num_syms: count, pointer, encoding, .. } = *tables;
        let width = if encoding == Encoding::Absolute { pointer } else { Width::Bits32 };
        let words = Words::new(Part::Offsets, tables.offsets, tables.endian, count, width)?;
        let mut addresses = Self { words, encoding, pointer, count, wraps: false };
        let mut previous = 0;
        for symbol in 0..count {
            let address = addresses.get(symbol).unwrap_or(0);
            if address < previous {
                return Err(Error::AddressOrder { symbol, address, previous });
            }
            previous = address;
            if let Encoding::SignedPercpu { relative_base } = encoding {
                let is_relative = words.get(symbol).is_some_and(|word| distance(word) >> 63 != 0);
                addresses.wraps |= is_relative && address < relative_base;
            }
        }
        Ok(addresses)
    }

    #[inline]
    pub(super) fn get(&self, symbol: u32) -> Option<u64> {
        let word = self.words.get(symbol)?;
        let address = match self.encoding {
            Encoding::Absolute | Encoding::Offset => word,
            Encoding::UnsignedBase { relative_base } => above_base(word, relative_base),
            Encoding::SignedPercpu { relative_base } => percpu_or_above_base(word, relative_base),
            Encoding::PcRelative { offsets_address } => from_its_place(word, offsets_address, symbol),
        };
        Some(match self.pointer {
            Width::Bits64 => address,
            Width::Bits32 => widen(low32(address)),
        })
    }

    /// The first symbol at the highest address that is not above. Steps: a bisection.
    #[inline(always)]
    pub(super) fn find(&self, address: u64) -> Option<Found> {
        let low = self.last_up_to(address);
        let start = self.get(low)?;
        if start > address {
            return None;
        }
        let is_start = |at: u32| self.get(at) == Some(start);
        let symbol = match low.checked_sub(1) {
            Some(before) if is_start(before) => start_of_run(low, is_start),
            _ => low,
        };
        Some(Found { symbol, start, next: self.get(low.wrapping_add(1)) })
    }

    /// The last symbol that is not above an address; the first one if all are.
    #[inline(always)]
    fn last_up_to(&self, address: u64) -> u32 {
        // What kernels have is told apart here, and not at every step.
        if let (Width::Bits64, Some(words)) = (self.pointer, self.words.native()) {
            let word = |at: u32| words.get(index(at)).map_or(0, |word| u32::from_le_bytes(*word));
            match self.encoding {
                Encoding::UnsignedBase { relative_base } => {
                    return last(self.count, |at| above_base(widen(word(at)), relative_base) <= address);
                }
                Encoding::SignedPercpu { relative_base } if !self.wraps => {
                    let up_to = UpTo::new(address, relative_base);
                    return last(self.count, |at| up_to.has(word(at)));
                }
                Encoding::PcRelative { offsets_address } => {
                    let get = |at| from_its_place(widen(word(at)), offsets_address, at);
                    return last(self.count, |at| get(at) <= address);
                }
                _ => {}
            }
        }
        last(self.count, |at| self.get(at).is_some_and(|here| here <= address))
    }

    /// The lowest address above a symbol's own. Steps: two bisections, near the symbol.
    pub(super) fn next_above(&self, symbol: u32, start: u64) -> Option<u64> {
        let above = first_not_near(symbol, self.count, |at| self.get(at).is_some_and(|here| here <= start));
        self.get(above)
    }
}

#[inline(always)]
fn above_base(word: u64, relative_base: u64) -> u64 {
    relative_base.wrapping_add(word)
}

#[inline(always)]
fn percpu_or_above_base(word: u64, relative_base: u64) -> u64 {
    let distance = distance(word);
    if distance >> 63 == 0 { word } else { relative_base.wrapping_sub(distance).wrapping_sub(1) }
}

#[inline(always)]
fn from_its_place(word: u64, offsets_address: u64, symbol: u32) -> u64 {
    offsets_address.wrapping_add(widen(symbol).wrapping_mul(4)).wrapping_add(distance(word))
}

/// The low half as a signed number, in two's complement.
#[inline(always)]
fn distance(word: u64) -> u64 {
    i64::from(low32(word).cast_signed()).cast_unsigned()
}

/// The words of [`Encoding::SignedPercpu`] that stand for addresses up to one: an interval of signed numbers,
/// for those above the base count down from −1.
struct UpTo {
    first: u32,
    len: u32,
}

impl UpTo {
    /// No word [`wraps`](Addresses::wraps).
    fn new(address: u64, relative_base: u64) -> Self {
        let highest = widen(i32::MAX.cast_unsigned());
        let last = low32(address.min(highest));
        let first = address.checked_sub(relative_base).map_or(0, |above| !low32(above.min(highest)));
        Self { first, len: last.wrapping_sub(first) }
    }

    #[inline(always)]
    fn has(&self, word: u32) -> bool {
        word.wrapping_sub(self.first) <= self.len
    }
}

/// The last place of `0..count` with what the first ones have; 0 if none has it. Steps: log2 of the count.
///
/// Three places at a time, whose loads do not wait for each other; a branch would be guessed wrong every
/// second time.
#[inline(always)]
fn last(count: u32, has: impl Fn(u32) -> bool) -> u32 {
    let (mut low, mut left) = (0_u32, count);
    while left >= 4 {
        let quarter = left >> 2;
        let half = quarter << 1;
        let three = half.wrapping_add(quarter);
        let [one, two, all] = [quarter, half, three].map(|behind| has(low.wrapping_add(behind)));
        let passed = u32::from(one).wrapping_add(u32::from(two)).wrapping_add(u32::from(all));
        low = low.wrapping_add(passed.wrapping_mul(quarter));
        left = left.wrapping_sub(three);
    }
    while left > 1 {
        left = left.wrapping_sub(1);
        low = low.wrapping_add(u32::from(has(low.wrapping_add(1))));
    }
    low
}
