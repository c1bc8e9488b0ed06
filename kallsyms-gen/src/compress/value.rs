//! What tokens are worth: the bytes that an image saves by having them.

use super::blob::hosts;
use super::corpus::Corpus;
use super::lexicon::{BYTES, Lexicon};
use super::parse::{Parsed, Parser, Scratch};
use super::tokens::Profile;

/// Bytes of a token's own entry.
const ENTRY: f64 = 4.0;

/// Part of a token's bytes that it adds to the others: they overlap, and it makes parts of itself free.
const BLOB_SHARE: f64 = 0.4;

/// Bytes that a table may be larger by for each code that a reader need not take.
///
/// In a kernel's table this costs nothing, since tokens there compete for room; in a small one it halves the
/// codes of a name, in one of mangled names it saves a tenth of them for a fiftieth of the table.
const READING: f64 = 4.0;

/// A token and the bytes that it saves.
pub(super) type Valued = (f64, u32);

/// Two neighbouring tokens and the bytes that joining them saves.
pub(super) type ValuedPair = (f64, (u32, u32));

/// How bytes are counted.
#[derive(Debug, Clone, Copy)]
pub(super) struct Prices {
    pub(super) profile: Profile,
    pub(super) code_bits: u8,
}

impl Prices {
    /// Bytes that this many codes are worth.
    pub(super) fn codes(self, codes: u64) -> f64 {
        let reading = match self.profile {
            Profile::Fast => READING,
            Profile::Compact => 0.0,
        };
        codes as f64 * (f64::from(self.code_bits) / 8.0 + reading)
    }

    /// Bytes of a token of this length that no other contains.
    fn token(self, len: usize) -> f64 {
        match self.profile {
            Profile::Fast => ENTRY + len as f64 * BLOB_SHARE,
            Profile::Compact => ENTRY,
        }
    }

    /// Tokens of more than one byte that are used, by falling value.
    pub(super) fn tokens(
        self,
        lexicon: &Lexicon,
        tokens: &[u32],
        parser: &Parser,
        uses: &[u64],
    ) -> Vec<Valued> {
        let expansions: Vec<&[u8]> = tokens.iter().map(|&token| lexicon.expand(token)).collect();
        let hosts = match self.profile {
            Profile::Fast => hosts(&expansions),
            Profile::Compact => vec![None; tokens.len()],
        };
        let mut scratch = Scratch::default();
        let mut values = Vec::with_capacity(tokens.len());
        for ((&token, bytes), host) in tokens.iter().zip(expansions).zip(hosts) {
            let uses = uses[token as usize];
            if token < BYTES || uses == 0 {
                continue;
            }
            let alternative = parser.parse(lexicon, bytes, Some(token), &mut scratch).len();
            let price = if host.is_some() { ENTRY } else { self.token(bytes.len()) };
            values.push((self.codes(uses * (alternative as u64 - 1)) - price, token));
        }
        values.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        values
    }

    /// Neighbouring tokens that are worth more than `least` as one, by falling value.
    pub(super) fn pairs(
        self,
        lexicon: &Lexicon,
        corpus: &Corpus<'_>,
        parsed: &Parsed,
        least: f64,
    ) -> Vec<ValuedPair> {
        let mut met: Vec<((u32, u32), u32)> = Vec::with_capacity(parsed.codes.len());
        for (codes, &weight) in parsed.names().zip(&corpus.weights) {
            met.extend(codes.windows(2).map(|pair| ((pair[0], pair[1]), weight)));
        }
        met.sort_unstable();
        let mut pairs = Vec::new();
        for run in met.chunk_by(|a, b| a.0 == b.0) {
            let pair = run[0].0;
            let count = run.iter().map(|&(_, weight)| u64::from(weight)).sum();
            let len = lexicon.expand(pair.0).len() + lexicon.expand(pair.1).len();
            let value = self.codes(count) - self.token(len);
            if value > least && lexicon.may_join(pair.0, pair.1) {
                pairs.push((value, pair));
            }
        }
        pairs.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        pairs
    }
}
