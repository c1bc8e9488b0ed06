//! Numbers that are the same in every run.

use std::collections::HashSet;

/// Xorshift of 64 bits.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// The sequence of a seed, which is not 0.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The sequence that belongs to some bytes: FNV-1a of them is its seed.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        let hash = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
        Self(bytes.iter().fold(0xcbf2_9ce4_8422_2325, hash) | 1)
    }

    /// The next number.
    #[expect(clippy::should_implement_trait, reason = "it has no end")]
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// One below `end`, which is not 0.
    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    /// Whether the next number is one of every `count`.
    pub fn one_in(&mut self, count: u64) -> bool {
        self.next().is_multiple_of(count)
    }

    /// Any of these.
    ///
    /// # Panics
    ///
    /// Where there are none.
    pub fn one_of<'l, T>(&mut self, list: &'l [T]) -> &'l T {
        &list[self.below(list.len())]
    }

    /// A name with one ASCII character changed, so that it is none of the known ones.
    pub fn misspelt(&mut self, name: &str, known: &HashSet<&str>) -> String {
        let mut name = name.to_owned();
        loop {
            let letter = char::from(b'a' + self.below(26) as u8);
            let at = self.below(name.len());
            if name.as_bytes()[at].is_ascii() {
                name.replace_range(at..=at, letter.encode_utf8(&mut [0; 4]));
            } else {
                name.push(letter);
            }
            if !known.contains(name.as_str()) {
                return name;
            }
        }
    }

    /// Puts a list into another order.
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for last in (1..list.len()).rev() {
            list.swap(last, self.below(last + 1));
        }
    }
}
