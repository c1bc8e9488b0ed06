//! Lays tokens over each other: one run of bytes that has each of them somewhere.

use super::trie::Trie;
use std::collections::HashMap;

/// The bytes that all tokens stand in, and the offset of each token.
///
/// A token inside another needs no bytes of its own; of the others, those that overlap the most are joined
/// first.
#[must_use]
pub fn pack_tokens<T: AsRef<[u8]>>(tokens: &[T]) -> (Vec<u8>, Vec<u32>) {
    let tokens: Vec<&[u8]> = tokens.iter().map(AsRef::as_ref).collect();
    let hosts = hosts(&tokens);
    let alone: Vec<u32> = (0..tokens.len() as u32).filter(|&token| hosts[token as usize].is_none()).collect();
    let chains = Chains::overlap(&tokens, &alone);
    let mut bytes = Vec::new();
    let mut places = vec![0; tokens.len()];
    for (token, overlap) in chains.in_order(&alone) {
        places[token as usize] = bytes.len() as u32 - overlap;
        bytes.extend_from_slice(&tokens[token as usize][overlap as usize..]);
    }
    // A host is longer than its guest, or equal and alone.
    let mut guests: Vec<u32> =
        (0..tokens.len() as u32).filter(|&token| hosts[token as usize].is_some()).collect();
    guests.sort_by_key(|&token| std::cmp::Reverse(tokens[token as usize].len()));
    for token in guests {
        if let Some((host, offset)) = hosts[token as usize] {
            places[token as usize] = places[host as usize] + offset;
        }
    }
    (bytes, places)
}

/// For each token that is part of another: which, and where.
pub(super) fn hosts(tokens: &[&[u8]]) -> Vec<Option<(u32, u32)>> {
    let mut hosts = vec![None; tokens.len()];
    let trie = Trie::new(tokens.iter().copied().zip(0..));
    for (host, &bytes) in (0..).zip(tokens) {
        for start in 0..bytes.len() {
            trie.prefixes(&bytes[start..], |len, token| {
                if len < bytes.len() {
                    hosts[token as usize] = Some((host, start as u32));
                } else if token != host {
                    // Equal tokens: the trie knows one of them.
                    hosts[host as usize] = Some((token, 0));
                }
            });
        }
    }
    hosts
}

/// Tokens in a row, each overlapping the next.
struct Chains {
    /// The token that follows and the bytes that both share.
    next: Vec<Option<(u32, u32)>>,
    /// Whether a token follows another.
    follows: Vec<bool>,
    /// Of the last token of a chain, the first; and the other way round.
    other_end: Vec<u32>,
}

impl Chains {
    /// Joins tokens by falling overlap; none of them may be part of another.
    fn overlap(tokens: &[&[u8]], alone: &[u32]) -> Self {
        let mut chains = Self {
            next: vec![None; tokens.len()],
            follows: vec![false; tokens.len()],
            other_end: (0..tokens.len() as u32).collect(),
        };
        let longest = alone.iter().map(|&token| tokens[token as usize].len()).max().unwrap_or(0);
        for len in (1..longest).rev() {
            chains.join(tokens, alone, len);
        }
        chains
    }

    /// Joins tokens that overlap by `len` bytes.
    fn join(&mut self, tokens: &[&[u8]], alone: &[u32], len: usize) {
        // By their first bytes, the tokens that may follow, the first last.
        let mut heads: HashMap<&[u8], Vec<u32>> = HashMap::new();
        for &token in alone.iter().rev().filter(|&&token| !self.follows[token as usize]) {
            if let Some((start, _)) = tokens[token as usize].split_at_checked(len) {
                heads.entry(start).or_default().push(token);
            }
        }
        for &token in alone {
            let bytes = tokens[token as usize];
            if self.next[token as usize].is_some() || bytes.len() < len {
                continue;
            }
            let Some(followers) = heads.get_mut(&bytes[bytes.len() - len..]) else { continue };
            let own = self.other_end[token as usize];
            let Some(position) = followers.iter().rposition(|&follower| follower != own) else { continue };
            let taken = followers.remove(position);
            self.next[token as usize] = Some((taken, len as u32));
            self.follows[taken as usize] = true;
            let last = self.other_end[taken as usize];
            self.other_end[own as usize] = last;
            self.other_end[last as usize] = own;
        }
    }

    /// The tokens chain by chain, each with the bytes that it shares with the one before.
    fn in_order(&self, alone: &[u32]) -> Vec<(u32, u32)> {
        let mut order = Vec::with_capacity(alone.len());
        for &first in alone.iter().filter(|&&token| !self.follows[token as usize]) {
            let mut step = Some((first, 0));
            while let Some((token, overlap)) = step {
                order.push((token, overlap));
                step = self.next[token as usize];
            }
        }
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_packed(tokens: &[&[u8]]) -> Vec<u8> {
        let (bytes, places) = pack_tokens(tokens);
        assert_eq!(places.len(), tokens.len());
        for (&token, &place) in tokens.iter().zip(&places) {
            assert_eq!(&bytes[place as usize..][..token.len()], token);
        }
        bytes
    }

    #[test]
    fn tokens_inside_others_cost_nothing() {
        assert_eq!(assert_packed(&[b"b", b"abc", b"bc", b"c"]), b"abc");
    }

    #[test]
    fn equal_tokens_stand_once() {
        assert_eq!(assert_packed(&[b"ab", b"ab", b"ab"]), b"ab");
    }

    #[test]
    fn tokens_overlap() {
        assert_eq!(assert_packed(&[b"abcd", b"cdef", b"efab"]).len(), 8);
    }

    #[test]
    fn a_token_does_not_follow_itself() {
        assert_eq!(assert_packed(&[b"aba", b"abb"]).len(), 5);
        assert_eq!(assert_packed(&[b"aba"]), b"aba");
    }

    #[test]
    fn nothing_packs_to_nothing() {
        assert_eq!(pack_tokens::<&[u8]>(&[]), (Vec::new(), Vec::new()));
    }
}
