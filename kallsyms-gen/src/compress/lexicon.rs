//! Every token that training has thought of; dictionaries are subsets of it.

use kallsyms_core::image::layout::MAX_TOKEN;

/// Tokens below this number are the single bytes.
pub(super) const BYTES: u32 = 256;

/// Expansions of tokens by number: the single bytes, then what was joined from earlier tokens.
#[derive(Debug, Clone)]
pub(super) struct Lexicon {
    /// Expansions, back to back.
    bytes: Vec<u8>,
    /// Start of each expansion in `bytes`, and the end of the last.
    starts: Vec<u32>,
}

impl Lexicon {
    /// The single bytes.
    pub(super) fn new() -> Self {
        Self { bytes: (0..=u8::MAX).collect(), starts: (0..=BYTES).collect() }
    }

    /// Number of tokens.
    pub(super) fn len(&self) -> u32 {
        self.starts.len() as u32 - 1
    }

    /// What a token stands for.
    pub(super) fn expand(&self, token: u32) -> &[u8] {
        &self.bytes[self.starts[token as usize] as usize..self.starts[token as usize + 1] as usize]
    }

    /// Whether two tokens may be joined: the joined one is not too long.
    pub(super) fn may_join(&self, left: u32, right: u32) -> bool {
        self.expand(left).len() + self.expand(right).len() <= MAX_TOKEN
    }

    /// Adds the token that two others make up.
    pub(super) fn join(&mut self, left: u32, right: u32) -> u32 {
        for half in [left, right] {
            let range = self.starts[half as usize] as usize..self.starts[half as usize + 1] as usize;
            self.bytes.extend_from_within(range);
        }
        self.starts.push(self.bytes.len() as u32);
        self.len() - 1
    }
}
