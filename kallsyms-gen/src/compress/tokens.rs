//! The dictionary: trains tokens on the names and codes the names with them.
//!
//! Merging pairs finds candidates, the refiner picks those that save the most, and every name is split into the
//! fewest tokens. Nothing here depends on time or on the order of a hash table: equal names give equal bytes.

use super::corpus::Corpus;
use super::lexicon::Lexicon;
use super::merge::{Merged, merge};
use super::refine::{Candidate, Refiner};
use super::value::Prices;
use kallsyms_core::image::layout::CODE_BITS;
use std::collections::HashMap;

/// What a dictionary is made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Profile {
    /// Flat tokens: one copy out of the token bytes each.
    #[default]
    Fast,
    /// Nested tokens: no token bytes, more steps.
    Compact,
}

/// One entry of a dictionary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// What it stands for, 1 to [`MAX_TOKEN`](kallsyms_core::image::layout::MAX_TOKEN) bytes.
    pub bytes: Vec<u8>,
    /// Codes of its two halves, where it is nested; a single byte has none.
    pub halves: Option<(u16, u16)>,
}

/// Tokens by code, the most used first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dictionary {
    /// Bits of a code, within [`CODE_BITS`].
    pub code_bits: u8,
    /// At most 1 << `code_bits`; every byte that occurs in a name is one of them.
    pub tokens: Vec<Token>,
}

/// Names coded with a dictionary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Encoded {
    /// What the codes stand for.
    pub dictionary: Dictionary,
    /// Codes of all names, back to back.
    pub codes: Vec<u16>,
    /// Where the codes of each name end.
    pub ends: Vec<usize>,
}

impl Encoded {
    /// The codes of one name; empty past the last name.
    #[must_use]
    pub fn name(&self, index: usize) -> &[u16] {
        let start = index.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        self.ends.get(index).and_then(|&end| self.codes.get(start..end)).unwrap_or(&[])
    }
}

/// Steps that progress is reported in.
const STEPS: u64 = 1000;

/// Trains a dictionary on names (type character first, no NUL) and codes them.
///
/// `progress` is called with the work done and the work in all, now and then.
#[must_use]
pub fn train(names: &[&[u8]], profile: Profile, progress: &mut dyn FnMut(u64, u64)) -> Encoded {
    let corpus = Corpus::new(names);
    let bytes = (corpus.bytes() as u64).max(1);
    let most = 3 << (CODE_BITS.end() - 1);
    let merged =
        merge(&corpus, most, &mut |removed| progress(removed * (STEPS / 4) / bytes.max(removed), STEPS));
    let likely = likely_code_bits(&merged);
    let rounds = rounds(bytes);
    let mut best: Option<Refiner<'_>> = None;
    for code_bits in likely.saturating_sub(1).max(*CODE_BITS.start())..=(likely + 1).min(*CODE_BITS.end()) {
        let mut refiner = Refiner::new(&corpus, &merged.lexicon, Prices { profile, code_bits });
        refiner.round(1.0);
        if best.as_ref().is_none_or(|best| refiner.cost() < best.cost()) {
            best = Some(refiner);
        }
    }
    if let Some(best) = &mut best {
        for round in 1..rounds {
            best.round(1.0 - round as f64 / rounds as f64);
            progress(STEPS / 4 + (STEPS * 3 / 4) * round as u64 / rounds as u64, STEPS);
        }
    }
    progress(STEPS, STEPS);
    match best.and_then(Refiner::finish) {
        Some((candidate, lexicon)) => encode(&corpus, &candidate, &lexicon),
        None => Encoded {
            dictionary: Dictionary { code_bits: *CODE_BITS.start(), tokens: Vec::new() },
            codes: Vec::new(),
            ends: Vec::new(),
        },
    }
}

/// Rounds of refinement: fewer for more bytes, so that their time is bounded.
fn rounds(bytes: u64) -> usize {
    ((120 << 20) / bytes).clamp(2, 8) as usize
}

/// The width that gives the smallest total when all merges up to it are tokens.
fn likely_code_bits(merged: &Merged) -> u8 {
    let cost = |&bits: &u8| {
        let tokens = (1usize << bits).min(merged.codes.len() - 1);
        merged.codes[tokens] * u64::from(bits) / 8 + 12 * tokens as u64
    };
    CODE_BITS.min_by_key(cost).unwrap_or(*CODE_BITS.start())
}

/// Numbers the tokens by falling use and writes the codes of every name of the input.
fn encode(corpus: &Corpus<'_>, candidate: &Candidate, lexicon: &Lexicon) -> Encoded {
    let mut order = candidate.tokens.clone();
    order.sort_by(|&a, &b| {
        let uses = |token: u32| candidate.uses[token as usize];
        uses(b).cmp(&uses(a)).then_with(|| lexicon.expand(a).cmp(lexicon.expand(b)))
    });
    let codes_of: HashMap<u32, u16> = order.iter().copied().zip(0..=u16::MAX).collect();
    let tokens = order.iter().map(|token| Token {
        bytes: lexicon.expand(*token).to_vec(),
        halves: candidate.halves.get(token).map(|(left, right)| (codes_of[left], codes_of[right])),
    });
    let dictionary = Dictionary { code_bits: candidate.code_bits, tokens: tokens.collect() };
    let distinct: Vec<&[u32]> = candidate.parsed.names().collect();
    let mut encoded =
        Encoded { dictionary, codes: Vec::new(), ends: Vec::with_capacity(corpus.distinct_of.len()) };
    for &name in &corpus.distinct_of {
        encoded.codes.extend(distinct[name as usize].iter().map(|token| codes_of[token]));
        encoded.ends.push(encoded.codes.len());
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;
    use kallsyms_core::image::hash::{HashId, hash_name};
    use kallsyms_core::image::layout::{MAX_NESTING, MAX_TOKEN};

    /// Trains with both profiles, and checks all that a reader relies on.
    fn assert_trained(names: &[Vec<u8>]) -> [Encoded; 2] {
        let names: Vec<&[u8]> = names.iter().map(Vec::as_slice).collect();
        [Profile::Fast, Profile::Compact].map(|profile| {
            let encoded = train(&names, profile, &mut |done, total| assert!(done <= total));
            let tokens = &encoded.dictionary.tokens;
            assert!(CODE_BITS.contains(&encoded.dictionary.code_bits));
            assert!(tokens.len() <= 1 << encoded.dictionary.code_bits);
            assert_eq!(encoded.ends.len(), names.len());
            for (index, name) in names.iter().enumerate() {
                let codes = encoded.name(index).iter();
                let bytes: Vec<u8> =
                    codes.flat_map(|&code| &tokens[usize::from(code)].bytes).copied().collect();
                assert!(bytes == *name, "name {index}");
            }
            let mut uses = vec![0; tokens.len()];
            encoded.codes.iter().for_each(|&code| uses[usize::from(code)] += 1);
            assert!(uses.is_sorted_by(|a, b| a >= b), "ids by falling use");
            for token in tokens {
                assert!((1..=MAX_TOKEN).contains(&token.bytes.len()));
                assert!(depth(tokens, token) <= MAX_NESTING);
                match token.halves {
                    None => assert!(profile == Profile::Fast || token.bytes.len() == 1),
                    Some((left, right)) => {
                        let halves = [left, right].map(|half| &*tokens[usize::from(half)].bytes);
                        assert!(profile == Profile::Compact && halves.concat() == token.bytes);
                    }
                }
            }
            encoded
        })
    }

    fn depth(tokens: &[Token], token: &Token) -> usize {
        let half = |half: u16| depth(tokens, &tokens[usize::from(half)]);
        token.halves.map_or(1, |(left, right)| 1 + half(left).max(half(right)))
    }

    /// Bytes that follow no pattern, none of them NUL.
    fn noise(len: usize, seed: u64) -> Vec<u8> {
        let byte = |place: usize| hash_name(HashId::Folded, seed, &place.to_le_bytes()) % 255;
        (0..len).map(|place| byte(place) as u8 + 1).collect()
    }

    /// Names as a kernel has them, from a few words.
    fn kernel_like(count: usize) -> Vec<Vec<u8>> {
        const WORDS: [&str; 12] =
            ["page", "alloc", "free", "lock", "init", "task", "read", "write", "irq", "dev", "queue", "list"];
        let word = |number: u64| WORDS[(number % 12) as usize];
        let name = |index: usize| {
            let bits = hash_name(HashId::Folded, 1, &index.to_le_bytes());
            format!("t{}_{}_{}.{}", word(bits), word(bits >> 8), word(bits >> 16), bits >> 24 & 15)
                .into_bytes()
        };
        (0..count).map(name).collect()
    }

    #[test]
    fn one_name() {
        for encoded in assert_trained(&[b"Tstart_kernel".to_vec()]) {
            assert_eq!(encoded.dictionary.code_bits, 8);
            assert_eq!(encoded.codes.len(), 13);
        }
    }

    #[test]
    fn no_names() {
        for encoded in assert_trained(&[]) {
            assert_eq!((encoded.dictionary.tokens.len(), encoded.codes.len()), (0, 0));
        }
    }

    #[test]
    fn equal_names_take_one_code_each() {
        for encoded in assert_trained(&vec![b"tcleanup_module".to_vec(); 1000]) {
            assert_eq!(encoded.codes.len(), 1000);
        }
    }

    #[test]
    fn one_long_random_name() {
        for encoded in assert_trained(&[noise(64 << 10, 1)]) {
            assert_eq!(encoded.dictionary.code_bits, 8);
        }
    }

    #[test]
    fn one_name_of_the_longest_length() {
        for encoded in assert_trained(&[[b"T".to_vec(), b"ab".repeat(1 << 19)].concat()]) {
            assert!(encoded.codes.len() < 9000);
        }
    }

    #[test]
    fn names_of_every_byte_value() {
        let names: Vec<Vec<u8>> = (1..=u8::MAX).map(|byte| vec![b't', byte, byte, 255 - byte / 2]).collect();
        assert_trained(&names);
    }

    #[test]
    fn many_random_names() {
        let names: Vec<Vec<u8>> = (0..70_000).map(|name| noise(2 + name % 9, name as u64)).collect();
        assert_trained(&names);
    }

    #[test]
    fn patterned_names_shrink() {
        let names = kernel_like(5000);
        for encoded in assert_trained(&names) {
            let bytes = encoded.codes.len() * usize::from(encoded.dictionary.code_bits) / 8;
            assert!(bytes < names.len() * 4, "{bytes} bytes");
        }
    }

    #[test]
    fn equal_names_give_equal_dictionaries() {
        let names = kernel_like(2000);
        assert_eq!(assert_trained(&names), assert_trained(&names));
    }
}
