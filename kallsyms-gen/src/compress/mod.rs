//! Names → dictionary and codes; hashes → perfect hash.

pub mod perfect_hash;

/// Is told how much of the work is done: done, of total.
pub type Progress<'a> = dyn FnMut(u64, u64) + 'a;

/// What an image is made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Profile {
    /// Flat tokens and 7-bit fingerprints.
    #[default]
    Fast,
    /// Nested tokens and no fingerprints, for where bytes matter more.
    Compact,
}

/// A token of the dictionary; its code is its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// What it expands to.
    pub bytes: Vec<u8>,
    /// Codes of the two tokens that it is made of; `None` for a byte, and in a flat dictionary.
    pub halves: Option<(u16, u16)>,
}

/// The tokens of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dictionary {
    /// Bits of a code.
    pub code_bits: u8,
    /// By code.
    pub tokens: Vec<Token>,
}

/// Names as codes of a dictionary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Encoded {
    /// The dictionary.
    pub dictionary: Dictionary,
    /// The codes of all names, back to back.
    pub codes: Vec<u16>,
    /// Where in `codes` each name ends.
    pub ends: Vec<usize>,
}

/// Trains a dictionary on names and encodes them: for now every byte is its own token.
#[must_use]
pub fn train(names: &[&[u8]], _profile: Profile, progress: &mut Progress<'_>) -> Encoded {
    let codes = names.iter().copied().flatten().map(|&byte| u16::from(byte)).collect();
    let ends = names
        .iter()
        .scan(0, |end, name| {
            *end += name.len();
            Some(*end)
        })
        .collect();
    let tokens = (0..=u8::MAX).map(|byte| Token { bytes: vec![byte], halves: None }).collect();
    progress(1, 1);
    Encoded { dictionary: Dictionary { code_bits: 8, tokens }, codes, ends }
}

/// The bytes that the tokens stand in, and where each begins.
#[must_use]
pub fn pack_tokens(tokens: &[Token]) -> (Vec<u8>, Vec<u32>) {
    (tokens.iter().flat_map(|token| token.bytes.clone()).collect(), (0..).take(tokens.len()).collect())
}
