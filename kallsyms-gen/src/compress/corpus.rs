//! The names to train on: each distinct name once, with the number of symbols that have it.

use std::collections::HashMap;

/// Distinct names, the most frequent first.
#[derive(Debug)]
pub(super) struct Corpus<'a> {
    /// In falling order of weight, then in order of appearance.
    pub(super) names: Vec<&'a [u8]>,
    /// Occurrences of each distinct name.
    pub(super) weights: Vec<u32>,
    /// Distinct name of each name of the input.
    pub(super) distinct_of: Vec<u32>,
}

impl<'a> Corpus<'a> {
    /// Collects the distinct names.
    pub(super) fn new(input: &[&'a [u8]]) -> Self {
        let mut ids = HashMap::with_capacity(input.len());
        let mut found: Vec<(&[u8], u32)> = Vec::new();
        let mut distinct_of: Vec<u32> = Vec::with_capacity(input.len());
        for &name in input {
            let id = *ids.entry(name).or_insert(found.len() as u32);
            if id as usize == found.len() {
                found.push((name, 0));
            }
            found[id as usize].1 += 1;
            distinct_of.push(id);
        }
        let mut order: Vec<u32> = (0..found.len() as u32).collect();
        order.sort_by_key(|&id| std::cmp::Reverse(found[id as usize].1));
        let mut rank = vec![0; found.len()];
        for (position, &id) in order.iter().enumerate() {
            rank[id as usize] = position as u32;
        }
        for id in &mut distinct_of {
            *id = rank[*id as usize];
        }
        let (names, weights) = order.iter().map(|&id| found[id as usize]).unzip();
        Self { names, weights, distinct_of }
    }

    /// Bytes of the distinct names.
    pub(super) fn bytes(&self) -> usize {
        self.names.iter().map(|name| name.len()).sum()
    }

    /// The byte values that occur, as tokens.
    pub(super) fn bytes_in_use(&self) -> Vec<u32> {
        let mut occurs = [false; 256];
        for &byte in self.names.iter().copied().flatten() {
            occurs[usize::from(byte)] = true;
        }
        (0..256).filter(|&byte| occurs[byte as usize]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_once_and_the_frequent_first() {
        let corpus = Corpus::new(&[b"a", b"b", b"c", b"b", b"c", b"b"]);
        assert_eq!(corpus.names, [b"b", b"c", b"a"]);
        assert_eq!(corpus.weights, [3, 2, 1]);
        assert_eq!(corpus.distinct_of, [2, 0, 1, 0, 1, 0]);
        assert_eq!(corpus.bytes(), 3);
    }
}
