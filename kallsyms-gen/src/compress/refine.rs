//! Turns the merges into a dictionary: drops the tokens that save the least and tries new ones in their
//! place.

use super::corpus::Corpus;
use super::lexicon::{BYTES, Lexicon};
use super::nesting::Nesting;
use super::parse::{Parsed, Parser};
use super::tokens::Profile;
use super::value::{Prices, Valued};
use std::collections::{HashMap, HashSet};

/// Tokens to begin with, as a part of those that a dictionary holds.
const START: f64 = 1.5;

/// New tokens tried in the first round, as a part of those that a dictionary holds.
const NEW: f64 = 0.3;

/// A dictionary in the making, for one width of code.
#[derive(Debug)]
pub(super) struct Refiner<'a> {
    corpus: &'a Corpus<'a>,
    lexicon: Lexicon,
    prices: Prices,
    /// The bytes that occur.
    bytes: Vec<u32>,
    /// Tokens on trial, more than a dictionary holds.
    tokens: Vec<u32>,
    /// Halves of nested tokens.
    halves: HashMap<u32, (u32, u32)>,
    /// Uses in the last parse, by token of the lexicon.
    uses: Vec<u64>,
}

/// A dictionary and the names coded with it.
#[derive(Debug)]
pub(super) struct Refined {
    pub(super) lexicon: Lexicon,
    pub(super) tokens: Vec<u32>,
    /// Halves of nested tokens.
    pub(super) halves: HashMap<u32, (u32, u32)>,
    /// By token of the lexicon.
    pub(super) uses: Vec<u64>,
    pub(super) parsed: Parsed,
}

impl<'a> Refiner<'a> {
    /// Begins with the first merges.
    pub(super) fn new(corpus: &'a Corpus<'a>, lexicon: Lexicon, prices: Prices) -> Self {
        let bytes = corpus.bytes_in_use();
        let merges = (f64::from(1 << prices.code_bits) * START) as u32;
        let tokens = bytes.iter().copied().chain(BYTES..lexicon.len().min(BYTES + merges)).collect();
        Self { corpus, lexicon, prices, bytes, tokens, halves: HashMap::new(), uses: Vec::new() }
    }

    /// Prunes to what a dictionary holds and adds a part `new` of [`NEW`] tokens to try.
    pub(super) fn round(&mut self, new: f64) {
        let (parser, parsed) = self.parse();
        let values = self.prices.tokens(&self.lexicon, &self.tokens, &parser, &self.uses);
        self.prune(&values);
        self.add_pairs(&parsed, &values, (self.capacity() as f64 * NEW * new) as usize);
    }

    /// Prunes for the last time and codes the names.
    pub(super) fn finish(mut self) -> Refined {
        self.round(0.0);
        let (_, parsed) = self.parse();
        let mut tokens = self.tokens;
        if self.prices.profile == Profile::Fast {
            tokens.retain(|&token| self.uses[token as usize] != 0);
        }
        Refined { lexicon: self.lexicon, tokens, halves: self.halves, uses: self.uses, parsed }
    }

    fn capacity(&self) -> usize {
        1 << self.prices.code_bits
    }

    fn parse(&mut self) -> (Parser, Parsed) {
        let parser = Parser::new(&self.lexicon, &self.tokens, &self.uses);
        let parsed = parser.parse_all(&self.lexicon, self.corpus);
        self.uses = parsed.uses(&self.lexicon, self.corpus);
        (parser, parsed)
    }

    /// Keeps the tokens that pay, at most as many as a dictionary holds.
    fn prune(&mut self, values: &[Valued]) {
        let values = &values[..values.partition_point(|&(value, _)| value > 0.0)];
        match self.prices.profile {
            Profile::Fast => {
                let room = self.capacity() - self.bytes.len();
                let kept = values.iter().map(|&(_, token)| token).take(room);
                self.tokens = self.bytes.iter().copied().chain(kept).collect();
            }
            Profile::Compact => {
                let nesting = Nesting::choose(&self.lexicon, &self.bytes, values, self.capacity());
                self.tokens = nesting.tokens;
                self.halves = nesting.halves;
            }
        }
    }

    /// Adds up to `most` neighbours, joined, that promise more than the tokens that would have to go.
    fn add_pairs(&mut self, parsed: &Parsed, values: &[Valued], most: usize) {
        if most == 0 {
            return;
        }
        let least = values.get(self.capacity() - self.bytes.len()).map_or(0.0, |&(value, _)| value.max(0.0));
        let kept: HashSet<u32> = self.tokens.iter().copied().collect();
        let mut known: HashSet<Vec<u8>> =
            self.tokens.iter().map(|&token| self.lexicon.expand(token).to_vec()).collect();
        let mut added = 0;
        for (_, (left, right)) in self.prices.pairs(&self.lexicon, self.corpus, parsed, least) {
            if added == most {
                break;
            }
            if kept.contains(&left)
                && kept.contains(&right)
                && known.insert([self.lexicon.expand(left), self.lexicon.expand(right)].concat())
            {
                self.tokens.push(self.lexicon.join(left, right));
                added += 1;
            }
        }
    }
}
