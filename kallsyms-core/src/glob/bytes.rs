//! A name that comes in pieces, taken byte by byte.

use super::items::Item;

/// The rest of a name.
#[derive(Debug, Clone)]
pub(super) struct Bytes<'n, I> {
    piece: &'n [u8],
    pieces: I,
}

impl<'n, I: Iterator<Item = &'n [u8]>> Bytes<'n, I> {
    pub(super) fn new(pieces: I) -> Self {
        Self { piece: &[], pieces }
    }

    /// Takes the next byte. Steps: one, and one an empty piece.
    #[inline]
    pub(super) fn next(&mut self) -> Option<u8> {
        loop {
            if let Some((&byte, rest)) = self.piece.split_first() {
                self.piece = rest;
                return Some(byte);
            }
            self.piece = self.pieces.next()?;
        }
    }

    /// Takes these bytes, if they are the next ones; `false` at the first piece that differs.
    #[inline]
    pub(super) fn strip(&mut self, mut prefix: &[u8]) -> bool {
        while !prefix.is_empty() {
            let common = self.piece.len().min(prefix.len());
            let (Some((ours, piece)), Some((theirs, rest))) =
                (self.piece.split_at_checked(common), prefix.split_at_checked(common))
            else {
                return false;
            };
            // Pieces are a few bytes: no call of `memcmp`.
            if !ours.iter().zip(theirs).all(|(a, b)| a == b) {
                return false;
            }
            (self.piece, prefix) = (piece, rest);
            if !prefix.is_empty() {
                let Some(piece) = self.pieces.next() else { return false };
                self.piece = piece;
            }
        }
        true
    }

    /// Takes bytes up to the next one that an item stands for; `false` if there is none.
    #[inline]
    pub(super) fn skip_past(&mut self, item: Item<'_>) -> bool {
        match item {
            Item::Byte(own) => self.skip(|byte| byte == own),
            _ => self.skip(|byte| item.accepts(byte)),
        }
    }

    #[inline]
    fn skip(&mut self, ends: impl Fn(u8) -> bool) -> bool {
        loop {
            if let Some(at) = self.piece.iter().position(|&byte| ends(byte)) {
                self.piece = self.piece.get(at..).and_then(|rest| rest.get(1..)).unwrap_or_default();
                return true;
            }
            let Some(piece) = self.pieces.next() else { return false };
            self.piece = piece;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn across_pieces() {
        let pieces = [&b""[..], b"ab", b"", b"", b"cde", b"f"];
        let mut bytes = Bytes::new(pieces.into_iter());
        assert!(bytes.strip(b"abc"));
        assert_eq!(bytes.next(), Some(b'd'));
        assert!(bytes.skip_past(Item::Byte(b'e')));
        assert_eq!((bytes.next(), bytes.next()), (Some(b'f'), None));
        assert!(!bytes.skip_past(Item::Any));
        assert!(bytes.strip(b""));
        assert!(!bytes.strip(b"g"));
    }

    #[test]
    fn a_prefix_that_differs_takes_no_further_piece() {
        let taken = core::cell::Cell::new(0);
        let pieces = [&b"ab"[..], b"cd", b"ef"].into_iter().inspect(|_| taken.set(taken.get() + 1));
        assert!(!Bytes::new(pieces).strip(b"abxd_and_more"));
        assert_eq!(taken.get(), 2);
    }
}
