//! The dictionary: trains tokens on the names and codes the names with them.
//!
//! Merging pairs finds candidates, the refiner picks those that save the most, and every name is split into
//! the fewest tokens. Nothing here depends on time or on the order of a hash table: equal names give equal
//! bytes.

use super::blob::pack_tokens;
use super::corpus::Corpus;
use super::lexicon::BYTES;
use super::merge::{Merged, merge};
use super::refine::{Refined, Refiner};
use super::value::Prices;
use kallsyms_core::image::layout::{self, CODE_BITS};

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

/// Bytes of a token's entry.
const TOKEN_ENTRY: usize = size_of::<layout::Token>();

/// Steps that progress is reported in: merging, then the rounds.
const MERGE_STEPS: u64 = 300;
const STEPS: u64 = 1000;

/// Distinct names of more bytes than this are sampled for merging: it takes 20 bytes of memory a byte.
const MERGED_BYTES: usize = 64 << 20;

/// Bytes that are parsed in all rounds together, which bounds their time.
const PARSED_BYTES: u64 = 104 << 20;

/// Trains a dictionary on names (type character first, no NUL) and codes them.
///
/// `progress` is called with the work done and the work in all, now and then. Memory is about 25 bytes for
/// each byte of distinct names.
#[must_use]
pub fn train(names: &[&[u8]], profile: Profile, progress: &mut dyn FnMut(u64, u64)) -> Encoded {
    let corpus = Corpus::new(names);
    let (sample, step) = corpus.sample(MERGED_BYTES);
    let most = 3 << (CODE_BITS.end() - 1);
    let merged = merge(&sample, most, &mut |done, all| progress(MERGE_STEPS * done / all.max(1), STEPS));
    let code_bits = best_code_bits(&merged, step, profile);
    let mut refiner = Refiner::new(&corpus, merged.lexicon, Prices { profile, code_bits });
    let rounds = rounds(corpus.bytes() as u64, profile);
    for round in 0..rounds {
        progress(MERGE_STEPS + (STEPS - MERGE_STEPS) * round / (rounds + 2), STEPS);
        refiner.round(1.0 - round as f64 / rounds as f64);
    }
    let encoded = encode(&corpus, &refiner.finish());
    progress(STEPS, STEPS);
    encoded
}

/// Codes names without training: every byte is its own token.
///
/// For an image that is asked a few questions and dropped.
#[must_use]
pub fn spell(names: &[&[u8]]) -> Encoded {
    let tokens = (0..=u8::MAX).map(|byte| Token { bytes: vec![byte], halves: None }).collect();
    let mut encoded = Encoded {
        dictionary: Dictionary { code_bits: 8, tokens },
        codes: Vec::new(),
        ends: Vec::with_capacity(names.len()),
    };
    for name in names {
        encoded.codes.extend(name.iter().map(|&byte| u16::from(byte)));
        encoded.ends.push(encoded.codes.len());
    }
    encoded
}

/// Rounds of refinement: fewer for more bytes. Later rounds hardly help nested tokens.
fn rounds(bytes: u64, profile: Profile) -> u64 {
    let most = match profile {
        Profile::Fast => 8,
        Profile::Compact => 4,
    };
    (PARSED_BYTES / bytes.max(1)).clamp(1, most)
}

/// The width with the smallest total where the first merges are the tokens; a wider code, with its larger
/// dictionary, must save a thirty-second part.
fn best_code_bits(merged: &Merged, step: u64, profile: Profile) -> u8 {
    let cost = |code_bits: u8| {
        let merges = ((1usize << code_bits) - 64).min(merged.codes.len() - 1);
        let blob = match profile {
            Profile::Fast => {
                let tokens = BYTES..BYTES + merges as u32;
                pack_tokens(&tokens.map(|token| merged.lexicon.expand(token)).collect::<Vec<_>>()).0.len()
            }
            Profile::Compact => 0,
        };
        merged.codes[merges] * step * u64::from(code_bits) / 8 + (TOKEN_ENTRY * merges + blob) as u64
    };
    let mut best = (u64::MAX, *CODE_BITS.start());
    for code_bits in CODE_BITS {
        let cost = cost(code_bits);
        if cost < best.0 - best.0 / 32 {
            best = (cost, code_bits);
        }
    }
    best.1
}

/// Numbers the tokens by falling use and writes the codes of every name of the input.
fn encode(corpus: &Corpus<'_>, refined: &Refined) -> Encoded {
    let lexicon = &refined.lexicon;
    let uses = |token: u32| refined.uses[token as usize];
    let mut order = refined.tokens.clone();
    order.sort_by(|&a, &b| uses(b).cmp(&uses(a)).then_with(|| lexicon.expand(a).cmp(lexicon.expand(b))));
    let mut code_of = vec![0; lexicon.len() as usize];
    for (code, &token) in (0..=u16::MAX).zip(&order) {
        code_of[token as usize] = code;
    }
    let code_of = |token: u32| code_of[token as usize];
    let tokens = order.iter().map(|&token| Token {
        bytes: lexicon.expand(token).to_vec(),
        halves: refined.halves.get(&token).map(|&(left, right)| (code_of(left), code_of(right))),
    });
    let code_bits = usize::BITS - order.len().saturating_sub(1).leading_zeros();
    let dictionary =
        Dictionary { code_bits: (code_bits as u8).max(*CODE_BITS.start()), tokens: tokens.collect() };
    let distinct: Vec<&[u32]> = refined.parsed.names().collect();
    let mut encoded =
        Encoded { dictionary, codes: Vec::new(), ends: Vec::with_capacity(corpus.distinct_of.len()) };
    for &name in &corpus.distinct_of {
        encoded.codes.extend(distinct[name as usize].iter().map(|&token| code_of(token)));
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
            assert!(encoded.codes.len() <= 13);
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
