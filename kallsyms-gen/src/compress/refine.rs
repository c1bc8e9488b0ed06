//! Turns the merges into a dictionary: drops the tokens that save the least and tries new ones in their place.

use super::blob::pack_tokens;
use super::corpus::Corpus;
use super::lexicon::{BYTES, Lexicon};
use super::nesting::Nesting;
use super::parse::{Parsed, Parser};
use super::tokens::Profile;
use super::value::{ENTRY, Prices, Valued};
use std::collections::{HashMap, HashSet};

/// Tokens to begin with, as a part of those that the dictionary holds.
const START: f64 = 1.5;

/// New tokens tried in the first round, as a part of those that the dictionary holds.
const NEW: f64 = 0.2;

/// The names coded with a dictionary.
#[derive(Debug)]
pub(super) struct Candidate {
    /// Bytes of codes and tokens.
    pub(super) cost: f64,
    pub(super) code_bits: u8,
    pub(super) tokens: Vec<u32>,
    /// Halves of nested tokens.
    pub(super) halves: HashMap<u32, (u32, u32)>,
    pub(super) parsed: Parsed,
    /// By token of the lexicon.
    pub(super) uses: Vec<u64>,
}

/// A dictionary in the making, for one width of code.
#[derive(Debug)]
pub(super) struct Refiner<'a> {
    corpus: &'a Corpus<'a>,
    lexicon: Lexicon,
    prices: Prices,
    /// Bytes that occur.
    bytes: Vec<u32>,
    /// More tokens than the dictionary holds.
    tokens: Vec<u32>,
    uses: Vec<u64>,
    best: Option<Candidate>,
}

impl<'a> Refiner<'a> {
    /// Begins with the first merges.
    pub(super) fn new(corpus: &'a Corpus<'a>, lexicon: &Lexicon, prices: Prices) -> Self {
        let bytes = corpus.bytes_in_use();
        let merges = (f64::from(1 << prices.code_bits) * START) as u32;
        let tokens = bytes.iter().copied().chain(BYTES..lexicon.len().min(BYTES + merges)).collect();
        Self { corpus, lexicon: lexicon.clone(), prices, bytes, tokens, uses: Vec::new(), best: None }
    }

    /// The best dictionary so far, and the lexicon of its tokens.
    pub(super) fn finish(self) -> Option<(Candidate, Lexicon)> {
        Some((self.best?, self.lexicon))
    }

    /// Bytes of the best dictionary so far.
    pub(super) fn cost(&self) -> f64 {
        self.best.as_ref().map_or(f64::INFINITY, |best| best.cost)
    }

    /// Prunes to what the dictionary holds, sees what that costs, and adds a part `new` of [`NEW`] tokens to try.
    pub(super) fn round(&mut self, new: f64) {
        let (parser, _) = self.parse();
        let values = self.values(&parser);
        let halves = self.prune(&values);
        let (parser, parsed) = self.parse();
        let values = self.values(&parser);
        let fresh = self.fresh(&parsed, &values, (f64::from(self.capacity()) * NEW * new) as usize);
        self.note(parsed, halves);
        self.prune(&values);
        self.tokens.extend(fresh);
    }

    fn capacity(&self) -> u32 {
        1 << self.prices.code_bits
    }

    fn parse(&mut self) -> (Parser, Parsed) {
        let parser = Parser::new(&self.lexicon, &self.tokens, &self.uses);
        let parsed = parser.parse_all(&self.lexicon, self.corpus);
        self.uses = parsed.uses(&self.lexicon, self.corpus);
        (parser, parsed)
    }

    fn values(&self, parser: &Parser) -> Vec<Valued> {
        self.prices.tokens(&self.lexicon, &self.tokens, parser, &self.uses)
    }

    /// Keeps the tokens that pay, at most as many as the dictionary holds.
    fn prune(&mut self, values: &[Valued]) -> HashMap<u32, (u32, u32)> {
        let paying = values.partition_point(|&(value, _)| value > 0.0);
        let values = &values[..paying];
        let capacity = self.capacity() as usize;
        match self.prices.profile {
            Profile::Fast => {
                let kept = values.iter().map(|&(_, token)| token).take(capacity - self.bytes.len());
                self.tokens = self.bytes.iter().copied().chain(kept).collect();
                HashMap::new()
            }
            Profile::Compact => {
                let nesting = Nesting::choose(&mut self.lexicon, &self.bytes, values, capacity);
                self.tokens = nesting.tokens;
                nesting.halves
            }
        }
    }

    /// Joins up to `most` neighbours that promise more than the tokens that would have to go.
    fn fresh(&mut self, parsed: &Parsed, values: &[Valued], most: usize) -> Vec<u32> {
        let room = self.capacity() as usize - self.bytes.len();
        let least = values.get(room - 1).map_or(0.0, |&(value, _)| value.max(0.0));
        let pairs = self.prices.pairs(&self.lexicon, self.corpus, parsed, least);
        let mut known: HashSet<Vec<u8>> =
            self.tokens.iter().map(|&token| self.lexicon.expand(token).to_vec()).collect();
        let mut fresh = Vec::new();
        for (_, (left, right)) in pairs {
            if fresh.len() == most {
                break;
            }
            if known.insert([self.lexicon.expand(left), self.lexicon.expand(right)].concat()) {
                fresh.push(self.lexicon.join(left, right));
            }
        }
        fresh
    }

    /// Remembers the dictionary if it is the best so far.
    fn note(&mut self, parsed: Parsed, halves: HashMap<u32, (u32, u32)>) {
        let nested = self.prices.profile == Profile::Compact;
        let used = |token: &u32| nested || self.uses[*token as usize] != 0;
        let tokens: Vec<u32> = self.tokens.iter().copied().filter(used).collect();
        let blob = if nested {
            0
        } else {
            pack_tokens(&tokens.iter().map(|&token| self.lexicon.expand(token)).collect::<Vec<_>>()).0.len()
        };
        let codes = self.uses.iter().sum();
        let cost = self.prices.codes(codes) + ENTRY * tokens.len() as f64 + blob as f64;
        if cost < self.cost() {
            let code_bits = self.prices.code_bits;
            self.best = Some(Candidate { cost, code_bits, tokens, halves, parsed, uses: self.uses.clone() });
        }
    }
}
