//! Builds tokens from two halves that are tokens themselves, no deeper than a reader accepts.

use super::lexicon::Lexicon;
use super::trie::Trie;
use super::value::Valued;
use kallsyms_core::image::layout::MAX_NESTING;
use std::collections::{HashMap, HashSet};

/// A set of tokens that is closed: the halves of each are in it.
#[derive(Debug)]
pub(super) struct Nesting {
    /// The single bytes, then the others in an order in which halves come first.
    pub(super) tokens: Vec<u32>,
    /// By token; a single byte has none.
    pub(super) halves: HashMap<u32, (u32, u32)>,
    /// By token of the lexicon; 0 for those that are not in the set.
    depths: Vec<u8>,
    trie: Trie,
}

impl Nesting {
    /// The most valuable tokens and all that they are made of, at most `most`; what gets too deep is left
    /// out.
    ///
    /// Merging makes chains, each token one longer than the last. Any other split into two tokens of the set
    /// serves as well, so the one that gives the least depth is taken.
    pub(super) fn choose(lexicon: &Lexicon, bytes: &[u32], values: &[Valued], most: usize) -> Self {
        let mut chosen = with_parts(lexicon, bytes, values, most);
        // Halves are shorter than the whole.
        chosen.sort_by_key(|&token| (lexicon.expand(token).len(), token));
        let expansions = chosen.iter().chain(bytes).map(|&token| lexicon.expand(token)).collect();
        let mut nesting = Self {
            tokens: Vec::with_capacity(bytes.len() + chosen.len()),
            halves: HashMap::new(),
            depths: vec![0; lexicon.len() as usize],
            trie: Trie::with_room_for(expansions),
        };
        for &byte in bytes {
            nesting.insert(lexicon, byte, 1);
        }
        for &token in &chosen {
            if let Some(halves) = nesting.best_split(lexicon.expand(token)) {
                nesting.halves.insert(token, halves);
                nesting.insert(lexicon, token, nesting.depth(halves));
            }
        }
        nesting
    }

    /// The split into two tokens of the set that gives the least depth.
    fn best_split(&self, expansion: &[u8]) -> Option<(u32, u32)> {
        let mut best = None;
        self.trie.prefixes(expansion, |len, left| {
            if let Some(right) = self.trie.find(&expansion[len..]) {
                let depth = self.depth((left, right));
                if usize::from(depth) <= MAX_NESTING && best.is_none_or(|(least, _)| depth < least) {
                    best = Some((depth, (left, right)));
                }
            }
        });
        best.map(|(_, halves)| halves)
    }

    fn depth(&self, (left, right): (u32, u32)) -> u8 {
        1 + self.depths[left as usize].max(self.depths[right as usize])
    }

    fn insert(&mut self, lexicon: &Lexicon, token: u32, depth: u8) {
        self.tokens.push(token);
        self.depths[token as usize] = depth;
        self.trie.insert(lexicon.expand(token), token);
    }

    /// Depth of the deepest token.
    #[cfg(test)]
    fn deepest(&self) -> usize {
        self.depths.iter().copied().max().unwrap_or(0).into()
    }
}

/// The most valuable tokens with all that they were joined from, `most` in all with the single bytes.
fn with_parts(lexicon: &Lexicon, bytes: &[u32], values: &[Valued], most: usize) -> Vec<u32> {
    let mut known: HashSet<&[u8]> = bytes.iter().map(|&byte| lexicon.expand(byte)).collect();
    let mut chosen = Vec::new();
    for &(_, token) in values {
        let before = chosen.len();
        let mut missing = vec![token];
        while let Some(part) = missing.pop() {
            if known.insert(lexicon.expand(part)) {
                chosen.push(part);
                let (left, right) = lexicon.halves(part);
                missing.extend([right, left]);
            }
        }
        if chosen.len() + bytes.len() > most {
            for token in chosen.drain(before..) {
                known.remove(lexicon.expand(token));
            }
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tokens of `a`s by length.
    fn runs(lexicon: &mut Lexicon, most: usize) -> Vec<u32> {
        let a = u32::from(b'a');
        let mut tokens = vec![a];
        while tokens.len() < most {
            tokens.push(lexicon.join(tokens[tokens.len() - 1], a));
        }
        tokens
    }

    #[test]
    fn chains_become_shallow() {
        let mut lexicon = Lexicon::new();
        let tokens = runs(&mut lexicon, 200);
        let nesting = Nesting::choose(&lexicon, &tokens[..1], &[(1.0, tokens[199])], 256);
        assert_eq!(nesting.tokens, tokens);
        assert_eq!(nesting.deepest(), 9);
        assert_eq!(nesting.halves.len(), 199);
    }

    #[test]
    fn tokens_that_get_too_deep_are_left_out() {
        let mut lexicon = Lexicon::new();
        let bytes: Vec<u32> = (1..=40).collect();
        let chain = bytes[1..].iter().fold(bytes[0], |chain, &byte| lexicon.join(chain, byte));
        let nesting = Nesting::choose(&lexicon, &bytes, &[(1.0, chain)], 256);
        assert_eq!(nesting.deepest(), MAX_NESTING);
        assert_eq!(nesting.halves.len(), MAX_NESTING - 1);
        assert!(!nesting.halves.contains_key(&chain));
    }

    #[test]
    fn the_least_valuable_give_way() {
        let mut lexicon = Lexicon::new();
        let tokens = runs(&mut lexicon, 8);
        let values = [(9.0, tokens[1]), (8.0, tokens[2]), (7.0, tokens[7])];
        let nesting = Nesting::choose(&lexicon, &tokens[..1], &values, 3);
        assert_eq!(nesting.tokens, tokens[..3]);
    }
}
