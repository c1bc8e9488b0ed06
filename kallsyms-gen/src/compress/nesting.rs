//! Builds tokens from two halves that are tokens themselves, no deeper than a reader accepts.

use super::lexicon::Lexicon;
use super::parse::{Parser, Scratch};
use super::value::Valued;
use kallsyms_core::image::layout::MAX_NESTING;
use std::collections::HashMap;

/// A set of tokens that is closed: the halves of each are in it.
#[derive(Debug)]
pub(super) struct Nesting {
    /// The single bytes, then the others in an order in which halves come first.
    pub(super) tokens: Vec<u32>,
    /// By token; a single byte has none.
    pub(super) halves: HashMap<u32, (u32, u32)>,
    depths: HashMap<u32, usize>,
}

impl Nesting {
    /// The most valuable tokens whose closed set has at most `most` tokens.
    pub(super) fn choose(lexicon: &mut Lexicon, bytes: &[u32], values: &[Valued], most: usize) -> Self {
        let mut kept = values.len().min(most - bytes.len());
        loop {
            let mut chosen: Vec<u32> = values[..kept].iter().map(|&(_, token)| token).collect();
            chosen.sort_by_key(|&token| (lexicon.expand(token).len(), token));
            let nesting = Self::close(lexicon, bytes, &chosen);
            let excess = nesting.tokens.len().saturating_sub(most);
            if excess == 0 {
                return nesting;
            }
            kept -= excess.div_ceil(2).min(kept);
        }
    }

    /// Finds halves for tokens in rising order of length, and adds what it takes; leaves out what gets too deep.
    fn close(lexicon: &mut Lexicon, bytes: &[u32], chosen: &[u32]) -> Self {
        let mut nesting = Self {
            tokens: bytes.to_vec(),
            halves: HashMap::new(),
            depths: bytes.iter().map(|&byte| (byte, 1)).collect(),
        };
        let all: Vec<u32> = bytes.iter().chain(chosen).copied().collect();
        let parser = Parser::new(lexicon, &all, &[]);
        let mut scratch = Scratch::default();
        let mut known: HashMap<Vec<u8>, u32> = HashMap::new();
        for &byte in bytes {
            known.insert(lexicon.expand(byte).to_vec(), byte);
        }
        for &token in chosen {
            if known.contains_key(lexicon.expand(token)) {
                continue;
            }
            if let Some(halves) = nesting.best_split(lexicon.expand(token), &known) {
                nesting.add(token, halves);
                known.insert(lexicon.expand(token).to_vec(), token);
                continue;
            }
            let mut parts: Vec<u32> =
                parser.parse(lexicon, lexicon.expand(token), Some(token), &mut scratch).to_vec();
            parts.reverse();
            nesting.assemble(lexicon, token, &parts, &mut known);
        }
        nesting
    }

    /// The split into two known tokens that gives the least depth.
    fn best_split(&self, expansion: &[u8], known: &HashMap<Vec<u8>, u32>) -> Option<(u32, u32)> {
        let splits = (1..expansion.len()).filter_map(|cut| {
            let (left, right) = expansion.split_at(cut);
            Some((*known.get(left)?, *known.get(right)?))
        });
        splits.filter(|&halves| self.depth(halves) <= MAX_NESTING).min_by_key(|&halves| self.depth(halves))
    }

    fn depth(&self, (left, right): (u32, u32)) -> usize {
        1 + self.depths[&left].max(self.depths[&right])
    }

    fn add(&mut self, token: u32, halves: (u32, u32)) {
        self.depths.insert(token, self.depth(halves));
        self.halves.insert(token, halves);
        self.tokens.push(token);
    }

    /// Adds a token that takes more than two others, with the tokens in between as a balanced tree.
    fn assemble(
        &mut self,
        lexicon: &mut Lexicon,
        token: u32,
        parts: &[u32],
        known: &mut HashMap<Vec<u8>, u32>,
    ) {
        let depth = parts.iter().map(|part| self.depths.get(part).copied().unwrap_or(MAX_NESTING)).max();
        let levels = parts.len().next_power_of_two().ilog2() as usize;
        if depth.is_none_or(|depth| depth + levels > MAX_NESTING) {
            return;
        }
        let (left, right) = parts.split_at(parts.len() / 2);
        let halves = (self.between(lexicon, left, known), self.between(lexicon, right, known));
        self.add(token, halves);
        known.insert(lexicon.expand(token).to_vec(), token);
    }

    /// The token of some parts, new where there is none.
    fn between(&mut self, lexicon: &mut Lexicon, parts: &[u32], known: &mut HashMap<Vec<u8>, u32>) -> u32 {
        if let [part] = *parts {
            return part;
        }
        let expansion: Vec<u8> = parts.iter().flat_map(|&part| lexicon.expand(part)).copied().collect();
        if let Some(&token) = known.get(&expansion) {
            return token;
        }
        let (left, right) = parts.split_at(parts.len() / 2);
        let halves = (self.between(lexicon, left, known), self.between(lexicon, right, known));
        let token = lexicon.join(halves.0, halves.1);
        self.add(token, halves);
        known.insert(expansion, token);
        token
    }

    /// Depth of the deepest token.
    #[cfg(test)]
    pub(super) fn deepest(&self) -> usize {
        self.depths.values().copied().max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tokens of `a`s by length.
    fn powers(lexicon: &mut Lexicon, most: usize) -> Vec<u32> {
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
        let tokens = powers(&mut lexicon, 200);
        let values: Vec<Valued> = tokens[1..].iter().map(|&token| (1.0, token)).collect();
        let nesting = Nesting::choose(&mut lexicon, &tokens[..1], &values, 256);
        assert_eq!(nesting.tokens.len(), 200);
        assert_eq!(nesting.deepest(), 9);
        assert_eq!(nesting.halves.len(), 199);
    }

    #[test]
    fn tokens_in_between_are_added() {
        let mut lexicon = Lexicon::new();
        let tokens = powers(&mut lexicon, 8);
        let nesting = Nesting::choose(&mut lexicon, &tokens[..1], &[(1.0, tokens[7])], 256);
        assert_eq!(nesting.tokens.len(), 4, "1, 2, 4 and 8 of them");
        assert_eq!(nesting.deepest(), 4);
    }

    #[test]
    fn the_least_valuable_give_way() {
        let mut lexicon = Lexicon::new();
        let tokens = powers(&mut lexicon, 8);
        let values = [(9.0, tokens[1]), (8.0, tokens[2]), (7.0, tokens[7])];
        let nesting = Nesting::choose(&mut lexicon, &tokens[..1], &values, 3);
        assert_eq!(nesting.tokens, tokens[..3]);
    }
}
