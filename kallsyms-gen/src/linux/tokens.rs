//! The kernel's token compression: 256 tokens, each byte that is in use among them.

/// Values of a byte.
const BYTES: usize = 256;

/// Texts of a table as they shrink: each keeps its place in one buffer.
#[derive(Debug)]
pub(super) struct Texts {
    bytes: Vec<u8>,
    spans: Vec<Span>,
}

#[derive(Debug, Clone, Copy)]
struct Span {
    start: usize,
    len: usize,
}

impl Span {
    fn range(self) -> std::ops::Range<usize> {
        self.start..self.start + self.len
    }
}

impl Texts {
    pub(super) fn new<'t>(texts: impl Iterator<Item = (u8, &'t [u8])>) -> Self {
        let (mut bytes, mut spans) = (Vec::new(), Vec::new());
        for (kind, name) in texts {
            let start = bytes.len();
            bytes.push(kind);
            bytes.extend_from_slice(name);
            spans.push(Span { start, len: bytes.len() - start });
        }
        Self { bytes, spans }
    }

    /// In the order that they were given in.
    pub(super) fn iter(&self) -> impl Iterator<Item = &[u8]> {
        self.spans.iter().map(|span| &self.bytes[span.range()])
    }

    /// Bytes of all of them.
    pub(super) fn total(&self) -> usize {
        self.spans.iter().map(|span| span.len).sum()
    }

    /// Turns every text into tokens; returns what each token stands for.
    ///
    /// Bytes in use stand for themselves. Every other one, from the highest down, takes the pair of
    /// neighbours that is then the most frequent, ties go to the lowest `first + (second << 8)`; the pair
    /// is replaced in every text from left to right. Ends when there is no pair.
    pub(super) fn compress(&mut self) -> Vec<Vec<u8>> {
        let mut tokens = vec![Vec::new(); BYTES];
        let mut pairs = Pairs::new();
        for (number, text) in (0u32..).zip(self.iter()) {
            pairs.add(text);
            text.windows(2).for_each(|pair| pairs.holders[place(pair)].push(number));
            for &byte in text {
                if tokens[usize::from(byte)].is_empty() {
                    tokens[usize::from(byte)].push(byte);
                }
            }
        }
        for slot in (0..=u8::MAX).rev() {
            if !tokens[usize::from(slot)].is_empty() {
                continue;
            }
            let Some(pair) = pairs.most_frequent() else { break };
            tokens[usize::from(slot)] = pair.map(|token| tokens[usize::from(token)].as_slice()).concat();
            for number in std::mem::take(&mut pairs.holders[place(&pair)]) {
                let span = &mut self.spans[number as usize];
                let text = &mut self.bytes[span.range()];
                // It may have lost the pair to another one, or have held it twice.
                let Some(first) = text.windows(2).position(|two| two == pair) else { continue };
                pairs.remove(text);
                span.len = replace(text, first, pair, slot);
                let text = &text[..span.len];
                pairs.add(text);
                let is_new = |pair: &&[u8]| pair.contains(&slot);
                text.windows(2).filter(is_new).for_each(|pair| pairs.holders[place(pair)].push(number));
            }
        }
        tokens
    }
}

/// Puts one token in the place of each pair, the first of which is at `first`; returns the new length.
fn replace(text: &mut [u8], first: usize, pair: [u8; 2], token: u8) -> usize {
    let (mut read, mut write) = (first, first);
    while read < text.len() {
        let here = text[read..].starts_with(&pair);
        text[write] = if here { token } else { text[read] };
        read += if here { 2 } else { 1 };
        write += 1;
    }
    write
}

/// Every pair of neighbours, overlapping ones too.
struct Pairs {
    /// How often it occurs.
    counts: Vec<u32>,
    /// Texts that hold it, or did.
    holders: Vec<Vec<u32>>,
}

impl Pairs {
    fn new() -> Self {
        Self { counts: vec![0; BYTES * BYTES], holders: vec![Vec::new(); BYTES * BYTES] }
    }

    fn add(&mut self, text: &[u8]) {
        text.windows(2).for_each(|pair| self.counts[place(pair)] += 1);
    }

    fn remove(&mut self, text: &[u8]) {
        text.windows(2).for_each(|pair| self.counts[place(pair)] -= 1);
    }

    fn most_frequent(&self) -> Option<[u8; 2]> {
        let most = self.counts.iter().copied().max().filter(|&most| most > 0)?;
        let best = self.counts.iter().position(|&count| count == most)?;
        Some([best as u8, (best >> 8) as u8])
    }
}

fn place(pair: &[u8]) -> usize {
    usize::from(pair[0]) | usize::from(pair[1]) << 8
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compress(texts: &[&str]) -> (Vec<Vec<u8>>, Vec<Vec<u8>>) {
        let mut all = Texts::new(texts.iter().map(|text| (text.as_bytes()[0], &text.as_bytes()[1..])));
        let tokens = all.compress();
        (all.iter().map(<[u8]>::to_vec).collect(), tokens)
    }

    #[test]
    fn the_most_frequent_pair_takes_the_highest_free_slot() {
        // bc: 3, Tb: 2, cd: 2; then [bc]d and T[bc]: 2 each, and T (0x54) is lower than the token 0xff.
        let (texts, tokens) = compress(&["Tbcd", "Tbcd", "xbc"]);
        assert_eq!(tokens[0xff], b"bc");
        // first + (second << 8): 0xff + ('d' << 8) = 0x64ff, 'T' + (0xff << 8) = 0xff54.
        assert_eq!(tokens[0xfe], b"bcd");
        assert_eq!(tokens[0xfd], b"Tbcd");
        assert_eq!(tokens[0xfc], b"xbc");
        assert_eq!(texts, [[0xfd], [0xfd], [0xfc]]);
        assert!(tokens[0xfb].is_empty() && tokens[usize::from(b'b')] == b"b" && tokens[0].is_empty());
    }

    #[test]
    fn pairs_are_replaced_from_left_to_right() {
        let (texts, tokens) = compress(&["aaaaa"]);
        assert_eq!((tokens[0xff].as_slice(), tokens[0xfe].as_slice()), (&b"aa"[..], &b"aaa"[..]));
        assert_eq!(tokens[0xfd], b"aaaaa");
        assert_eq!(texts, [[0xfd]]);
    }

    #[test]
    fn without_a_free_slot_nothing_is_replaced() {
        let name: Vec<u8> = (1..=255).collect();
        let mut texts = Texts::new([(b'T', name.as_slice()), (0, b"")].into_iter());
        let tokens = texts.compress();
        assert!(tokens.iter().enumerate().all(|(byte, token)| *token == [byte as u8]));
        assert_eq!(texts.total(), 257);
    }

    #[test]
    fn no_texts_have_no_tokens() {
        assert!(compress(&[]).1.iter().all(Vec::is_empty));
    }
}
