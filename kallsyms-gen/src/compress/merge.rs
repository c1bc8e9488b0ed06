//! Byte-pair merging: joins the most frequent pair of neighbouring tokens until none is frequent enough.
//!
//! All occurrences of a pair come into being at once, when the later of its two tokens is made, and from then
//! on only vanish. So a pair needs no look-up table: its positions are listed once, its count is an upper
//! bound in a heap, and it is counted again when it comes to the top.

use super::corpus::Corpus;
use super::lexicon::{BYTES, Lexicon};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Between names.
const SEPARATOR: u32 = 0;

/// Inside a token, where neither its first nor its last byte is.
const INSIDE: u32 = u32::MAX;

/// Pairs seen fewer times are not worth a token.
pub(super) const FEWEST: u64 = 3;

/// What merging did.
#[derive(Debug)]
pub(super) struct Merged {
    /// The single bytes and the merges, in order.
    pub(super) lexicon: Lexicon,
    /// Codes of all names after each number of merges.
    pub(super) codes: Vec<u64>,
}

/// Merges until there are `most` tokens beyond the single bytes or no pair is left that occurs [`FEWEST`]
/// times.
pub(super) fn merge(corpus: &Corpus<'_>, most: usize, progress: &mut dyn FnMut(u64, u64)) -> Merged {
    let mut text = Text::new(corpus);
    let mut lexicon = Lexicon::new();
    let mut pairs = Pairs::default();
    text.list_byte_pairs(&mut pairs);
    let all = text.codes();
    let mut codes = vec![all];
    while codes.len() <= most {
        let Some((bound, Reverse(id))) = pairs.queue.pop() else { break };
        let mut pair = std::mem::take(&mut pairs.list[id as usize]);
        if !lexicon.may_join(pair.left, pair.right) {
            continue;
        }
        let count = text.recount(&mut pair, &lexicon);
        if count < FEWEST {
            continue;
        }
        if count < bound && pairs.queue.peek().is_some_and(|&next| next > (count, Reverse(id))) {
            pairs.list[id as usize] = pair;
            pairs.queue.push((count, Reverse(id)));
            continue;
        }
        let joined = lexicon.join(pair.left, pair.right);
        text.replace(pair, joined, &lexicon, &mut pairs);
        codes.push(codes[codes.len() - 1] - count);
        if codes.len().is_multiple_of(64) {
            progress(all - codes[codes.len() - 1], all);
        }
    }
    Merged { lexicon, codes }
}

/// Two tokens that stood next to each other somewhere.
#[derive(Debug, Default)]
struct Pair {
    left: u32,
    right: u32,
    /// Starts of the left token, rising; some are out of date.
    places: Vec<u32>,
}

/// All pairs that may be merged yet.
#[derive(Debug, Default)]
struct Pairs {
    list: Vec<Pair>,
    /// At least the pair's count, and its position in `list`: ties go to the older pair.
    queue: BinaryHeap<(u64, Reverse<u32>)>,
}

impl Pairs {
    fn push(&mut self, count: u64, pair: Pair) {
        self.queue.push((count, Reverse(self.list.len() as u32)));
        self.list.push(pair);
    }
}

/// The names with separators around them, and the token at each place.
struct Text {
    /// At the first and the last byte of a token its number, else [`INSIDE`].
    tokens: Vec<u32>,
    /// Falling weights and where each ends to hold.
    weights: Vec<(u32, u32)>,
    /// Scratch of `replace`: pairs by their other token.
    groups: Vec<Group>,
}

/// The occurrences of a pair with one token fixed.
#[derive(Debug, Default, Clone)]
struct Group {
    count: u64,
    len: u32,
    places: Vec<u32>,
}

impl Text {
    fn new(corpus: &Corpus<'_>) -> Self {
        let mut tokens = Vec::with_capacity(corpus.bytes() + corpus.names.len() + 1);
        tokens.push(SEPARATOR);
        let mut weights: Vec<(u32, u32)> = Vec::new();
        for (name, &weight) in corpus.names.iter().zip(&corpus.weights) {
            tokens.extend(name.iter().map(|&byte| u32::from(byte)));
            tokens.push(SEPARATOR);
            let end = tokens.len() as u32;
            match weights.last_mut() {
                Some(last) if last.0 == weight => last.1 = end,
                _ => weights.push((weight, end)),
            }
        }
        Self { tokens, weights, groups: Vec::new() }
    }

    /// Codes of all names, each byte being one.
    fn codes(&self) -> u64 {
        let mut weights = Weights::new(&self.weights);
        let coded = self.tokens.iter().enumerate().filter(|&(_, &token)| token != SEPARATOR);
        coded.map(|(place, _)| weights.at(place as u32)).sum()
    }

    /// Lists the pairs of single bytes.
    fn list_byte_pairs(&self, pairs: &mut Pairs) {
        let mut groups = vec![Group::default(); (BYTES * BYTES) as usize];
        let number = |window: &[u32]| match *window {
            [left, right] if left != SEPARATOR && right != SEPARATOR => Some((left * BYTES + right) as usize),
            _ => None,
        };
        let mut weights = Weights::new(&self.weights);
        for (place, window) in self.tokens.windows(2).enumerate() {
            if let Some(pair) = number(window) {
                groups[pair].count += weights.at(place as u32);
                groups[pair].len += 1;
            }
        }
        for group in groups.iter_mut().filter(|group| group.count >= FEWEST) {
            group.places.reserve_exact(group.len as usize);
        }
        for (place, window) in self.tokens.windows(2).enumerate() {
            if let Some(pair) = number(window)
                && groups[pair].count >= FEWEST
            {
                groups[pair].places.push(place as u32);
            }
        }
        for (number, group) in (0..).zip(groups) {
            if group.count >= FEWEST {
                let (left, right) = (number / BYTES, number % BYTES);
                pairs.push(group.count, Pair { left, right, places: group.places });
            }
        }
    }

    /// Forgets the places where the pair no longer stands, and counts the others that do not overlap.
    fn recount(&self, pair: &mut Pair, lexicon: &Lexicon) -> u64 {
        let left_len = lexicon.expand(pair.left).len() as u32;
        let len = left_len + lexicon.expand(pair.right).len() as u32;
        let mut weights = Weights::new(&self.weights);
        let (mut count, mut end) = (0, 0);
        let (left, right) = (pair.left, pair.right);
        pair.places.retain(|&place| {
            let stands =
                self.tokens[place as usize] == left && self.tokens[(place + left_len) as usize] == right;
            if stands && place >= end {
                count += weights.at(place);
                end = place + len;
            }
            stands
        });
        count
    }

    /// Puts the joined token in the pair's places and lists its pairs with its neighbours.
    fn replace(&mut self, pair: Pair, joined: u32, lexicon: &Lexicon, pairs: &mut Pairs) {
        let left_len = lexicon.expand(pair.left).len();
        let len = lexicon.expand(joined).len();
        self.groups.resize_with(joined as usize + 1, Group::default);
        let mut places = pair.places;
        places.retain(|&place| {
            let place = place as usize;
            let stands = self.tokens[place] == pair.left && self.tokens[place + left_len] == pair.right;
            if stands {
                self.tokens[place + left_len - 1] = INSIDE;
                self.tokens[place + left_len] = INSIDE;
                self.tokens[place] = joined;
                self.tokens[place + len - 1] = joined;
            }
            stands
        });
        self.list_neighbours(&places, pairs, |text, place| {
            let before = text.tokens[place as usize - 1];
            (before, place - lexicon.expand(before).len() as u32, before, joined)
        });
        self.list_neighbours(&places, pairs, |text, place| {
            let after = text.tokens[place as usize + len];
            let after = if after == joined { SEPARATOR } else { after };
            (after, place, joined, after)
        });
    }

    /// Lists the pairs of a new token with its neighbours on one side, grouped by neighbour.
    fn list_neighbours(
        &mut self,
        places: &[u32],
        pairs: &mut Pairs,
        neighbour: impl Fn(&Self, u32) -> (u32, u32, u32, u32),
    ) {
        let runs = std::mem::take(&mut self.weights);
        let mut groups = std::mem::take(&mut self.groups);
        let mut weights = Weights::new(&runs);
        let mut met = Vec::new();
        for &place in places {
            let (token, ..) = neighbour(self, place);
            let group = &mut groups[token as usize];
            if group.len == 0 {
                met.push(token);
            }
            group.len += 1;
            group.count += weights.at(place);
        }
        groups[SEPARATOR as usize] = Group::default();
        for &place in places {
            let (token, start, left, right) = neighbour(self, place);
            let group = &mut groups[token as usize];
            if group.count >= FEWEST {
                if group.places.is_empty() {
                    group.places.reserve_exact(group.len as usize);
                }
                group.places.push(start);
                if group.places.len() == group.len as usize {
                    let places = std::mem::take(&mut group.places);
                    pairs.push(group.count, Pair { left, right, places });
                }
            }
        }
        for token in met {
            groups[token as usize] = Group::default();
        }
        self.weights = runs;
        self.groups = groups;
    }
}

/// Weights of rising places.
struct Weights<'a> {
    runs: &'a [(u32, u32)],
    current: usize,
}

impl<'a> Weights<'a> {
    fn new(runs: &'a [(u32, u32)]) -> Self {
        Self { runs, current: 0 }
    }

    fn at(&mut self, place: u32) -> u64 {
        while self.runs[self.current].1 <= place {
            self.current += 1;
        }
        u64::from(self.runs[self.current].0)
    }
}
