//! Splits names into the fewest tokens.

use super::corpus::Corpus;
use super::lexicon::Lexicon;
use super::trie::Trie;

/// Cost of a code; what is added to it only decides between equal numbers of codes.
const CODE: u32 = 1 << 11;

/// Most that a token is dearer than another.
const MOST_TIE: u32 = 15;

/// A set of tokens that names can be split into.
#[derive(Debug)]
pub(super) struct Parser {
    trie: Trie,
    /// By token: [`CODE`] and a little more for a token that is seldom used.
    costs: Vec<u32>,
}

/// Work space of a parse.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    /// Cost up to each place of the name, and the token that ends there.
    best: Vec<(u32, u32)>,
    /// The tokens of the name, last first.
    codes: Vec<u32>,
}

impl Parser {
    /// A parser for some of the lexicon's tokens; of parses with equally many codes it prefers those whose
    /// tokens have the higher `uses`, by token of the lexicon.
    pub(super) fn new(lexicon: &Lexicon, tokens: &[u32], uses: &[u64]) -> Self {
        let tie = |token: u32| {
            MOST_TIE.saturating_sub(uses.get(token as usize).map_or(0, |uses| (uses + 1).ilog2()))
        };
        let costs = (0..lexicon.len()).map(|token| CODE + tie(token)).collect();
        Self { trie: Trie::new(tokens.iter().map(|&token| (lexicon.expand(token), token))), costs }
    }

    /// The tokens of a text, last first. Every byte of it must be a token, unless it is `without`, which is
    /// not used.
    pub(super) fn parse<'s>(
        &self,
        lexicon: &Lexicon,
        text: &[u8],
        without: Option<u32>,
        scratch: &'s mut Scratch,
    ) -> &'s [u32] {
        let best = &mut scratch.best;
        best.clear();
        best.resize(text.len() + 1, (u32::MAX, 0));
        best[0].0 = 0;
        for start in 0..text.len() {
            let so_far = best[start].0;
            self.trie.prefixes(&text[start..], |len, token| {
                let cost = so_far + self.costs[token as usize];
                let there = &mut best[start + len];
                if cost < there.0 && Some(token) != without {
                    *there = (cost, token);
                }
            });
        }
        scratch.codes.clear();
        let mut end = text.len();
        while end > 0 {
            let token = best[end].1;
            scratch.codes.push(token);
            end -= lexicon.expand(token).len();
        }
        &scratch.codes
    }

    /// Parses all names on two threads.
    pub(super) fn parse_all(&self, lexicon: &Lexicon, corpus: &Corpus<'_>) -> Parsed {
        let half = halfway(&corpus.names);
        let part = |range: std::ops::Range<usize>| {
            let mut parsed = Parsed { codes: Vec::new(), ends: Vec::with_capacity(range.len()) };
            let mut scratch = Scratch::default();
            for name in &corpus.names[range] {
                parsed.codes.extend(self.parse(lexicon, name, None, &mut scratch).iter().rev());
                parsed.ends.push(parsed.codes.len());
            }
            parsed
        };
        let (mut left, right) = std::thread::scope(|scope| {
            let right = scope.spawn(|| part(half..corpus.names.len()));
            let left = part(0..half);
            (left, right.join())
        });
        match right {
            Ok(right) => {
                let before = left.codes.len();
                left.codes.extend(right.codes);
                left.ends.extend(right.ends.iter().map(|end| before + end));
                left
            }
            Err(panic) => std::panic::resume_unwind(panic),
        }
    }
}

/// Number of names that make up the first half of the bytes.
fn halfway(names: &[&[u8]]) -> usize {
    let half = names.iter().map(|name| name.len()).sum::<usize>() / 2;
    let mut sum = 0;
    names
        .iter()
        .take_while(|name| {
            sum += name.len();
            sum <= half
        })
        .count()
}

/// All distinct names in tokens.
#[derive(Debug)]
pub(super) struct Parsed {
    /// Tokens of the names, back to back.
    pub(super) codes: Vec<u32>,
    /// Where each name's codes end.
    pub(super) ends: Vec<usize>,
}

impl Parsed {
    /// The tokens of each name.
    pub(super) fn names(&self) -> impl Iterator<Item = &[u32]> {
        let mut start = 0;
        self.ends.iter().map(move |&end| &self.codes[std::mem::replace(&mut start, end)..end])
    }

    /// How many symbols' codes use each token of the lexicon.
    pub(super) fn uses(&self, lexicon: &Lexicon, corpus: &Corpus<'_>) -> Vec<u64> {
        let mut uses = vec![0; lexicon.len() as usize];
        for (codes, &weight) in self.names().zip(&corpus.weights) {
            for &code in codes {
                uses[code as usize] += u64::from(weight);
            }
        }
        uses
    }
}
