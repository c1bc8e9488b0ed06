//! Finds every token that starts at a place of a name.

/// Parent of an unused edge.
const UNUSED: u32 = u32::MAX;

/// Parent of the edges of first bytes.
const ROOT: u32 = u32::MAX - 1;

/// On an edge that completes no token.
const NO_TOKEN: u32 = u32::MAX;

/// Tokens as a trie whose edges are in one hash table: a node is the table position of the edge that leads to
/// it.
#[derive(Debug)]
pub(super) struct Trie {
    edges: Vec<Edge>,
    /// Shift that leaves a table position of a hash.
    shift: u32,
    /// Edges of the first bytes.
    first: Vec<Edge>,
    /// Their positions.
    first_nodes: Vec<u32>,
}

#[derive(Debug, Clone, Copy)]
struct Edge {
    parent: u32,
    /// The token that ends here, or [`NO_TOKEN`].
    token: u32,
    /// One bit for each value of the low 5 bits of a byte that leads on from here.
    onward: u32,
    byte: u8,
}

const NO_EDGE: Edge = Edge { parent: UNUSED, token: NO_TOKEN, onward: 0, byte: 0 };

impl Trie {
    /// A trie of tokens given by expansion and number; of equal expansions the last counts.
    pub(super) fn new<'a>(tokens: impl Iterator<Item = (&'a [u8], u32)> + Clone) -> Self {
        let mut trie = Self::with_room_for(tokens.clone().map(|(bytes, _)| bytes).collect());
        for (bytes, token) in tokens {
            trie.insert(bytes, token);
        }
        trie
    }

    /// An empty trie with room for these tokens.
    pub(super) fn with_room_for(mut tokens: Vec<&[u8]>) -> Self {
        tokens.sort_unstable();
        let shared =
            tokens.windows(2).map(|pair| pair[0].iter().zip(pair[1]).take_while(|(a, b)| a == b).count());
        let edges = tokens.iter().map(|token| token.len()).sum::<usize>() - shared.sum::<usize>();
        // One edge stays unused, where a search can end.
        let size = (edges * 3 / 2 + 2).next_power_of_two();
        Self {
            edges: vec![NO_EDGE; size],
            shift: u64::BITS - size.trailing_zeros(),
            first: vec![NO_EDGE; 256],
            first_nodes: vec![0; 256],
        }
    }

    /// Adds a token.
    pub(super) fn insert(&mut self, bytes: &[u8], token: u32) {
        let mut node = ROOT;
        for &byte in bytes {
            if node != ROOT {
                self.edges[node as usize].onward |= onward_bit(byte);
            }
            let position = self.position(node, byte);
            let edge = &mut self.edges[position];
            edge.parent = node;
            edge.byte = byte;
            node = position as u32;
        }
        self.edges[node as usize].token = token;
        if let Some(&byte) = bytes.first() {
            let node = self.position(ROOT, byte);
            self.first[usize::from(byte)] = self.edges[node];
            self.first_nodes[usize::from(byte)] = node as u32;
        }
    }

    /// The token of exactly these bytes.
    pub(super) fn find(&self, bytes: &[u8]) -> Option<u32> {
        let mut found = None;
        self.prefixes(bytes, |len, token| {
            if len == bytes.len() {
                found = Some(token);
            }
        });
        found
    }

    /// Position of an edge, or the unused one where it belongs.
    fn position(&self, parent: u32, byte: u8) -> usize {
        let key = u64::from(parent) << 8 | u64::from(byte);
        let mut position = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> self.shift) as usize;
        loop {
            let edge = &self.edges[position];
            if edge.parent == UNUSED || edge.parent == parent && edge.byte == byte {
                return position;
            }
            position = (position + 1) & (self.edges.len() - 1);
        }
    }

    /// Calls back with the length and number of each token that the text starts with, shortest first.
    #[inline]
    pub(super) fn prefixes(&self, text: &[u8], mut found: impl FnMut(usize, u32)) {
        let Some((&first, rest)) = text.split_first() else { return };
        let mut edge = &self.first[usize::from(first)];
        let mut node = self.first_nodes[usize::from(first)];
        let mut len = 1;
        if edge.token != NO_TOKEN {
            found(len, edge.token);
        }
        for &byte in rest {
            if edge.onward & onward_bit(byte) == 0 {
                return;
            }
            let position = self.position(node, byte);
            edge = &self.edges[position];
            if edge.parent == UNUSED {
                return;
            }
            node = position as u32;
            len += 1;
            if edge.token != NO_TOKEN {
                found(len, edge.token);
            }
        }
    }
}

fn onward_bit(byte: u8) -> u32 {
    1 << (byte & 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_are_found_shortest_first() {
        let tokens: [&[u8]; 4] = [b"a", b"b", b"ab", b"abab"];
        let trie = Trie::new(tokens.into_iter().zip(0..));
        let found = |text: &[u8]| {
            let mut found = Vec::new();
            trie.prefixes(text, |len, token| found.push((len, token)));
            found
        };
        assert_eq!(found(b"ababab"), [(1, 0), (2, 2), (4, 3)]);
        assert_eq!(found(b"b"), [(1, 1)]);
        assert_eq!(found(b"xyz"), []);
        assert_eq!(found(b""), []);
    }
}
