//! `kallsyms_token_table` and `kallsyms_token_index`.

use super::error::{Error, Part};
use super::format::Endian;
use super::numbers::Numbers;
use crate::num::{index, low32};

/// Number of tokens.
pub(super) const TOKENS: u32 = 256;

/// The tokens, one for each value of a byte.
#[derive(Debug, Clone, Copy)]
pub(super) struct TokenTable<'a> {
    places: Numbers<'a, 2>,
    /// Up to the last token's NUL, and with it.
    bytes: &'a [u8],
}

impl<'a> TokenTable<'a> {
    /// Checks that the tokens stand one behind the other, each closed by a NUL, as the kernel writes them.
    pub(super) fn new(token_index: &'a [u8], bytes: &'a [u8], endian: Endian) -> Result<Self, Error> {
        let places = Numbers::new(Part::TokenIndex, token_index, endian, TOKENS)?;
        let mut end = 0;
        for (token, found) in (0..=u8::MAX).zip(places.iter()) {
            let found = u16::try_from(found).unwrap_or(u16::MAX);
            if usize::from(found) != end {
                return Err(Error::TokenPlace { token, found, expected: end });
            }
            let rest = bytes.get(end..).unwrap_or_default();
            let len = rest.iter().position(|&byte| byte == 0);
            end = match len.and_then(|len| end.checked_add(len)?.checked_add(1)) {
                Some(end) => end,
                None => return Err(Error::TokenUnterminated { token, offset: end }),
            };
        }
        Ok(Self { places, bytes: bytes.get(..end).unwrap_or_default() })
    }

    /// What a token stands for; empty if it stands for nothing.
    #[inline]
    pub(super) fn expansion(&self, token: u8) -> &'a [u8] {
        let place = |token: u32| self.places.get(token).map(|place| index(low32(place)));
        let token = u32::from(token);
        let start = place(token).unwrap_or(0);
        let end = place(token.wrapping_add(1)).unwrap_or(self.bytes.len());
        self.bytes.get(start..end.wrapping_sub(1)).unwrap_or_default()
    }

    /// Bytes of the two tables.
    pub(super) fn len(&self) -> usize {
        self.bytes.len().saturating_add(index(TOKENS).saturating_mul(2))
    }
}

/// The pieces of a type and name: what each token of a record stands for. Steps: one a piece.
#[derive(Debug, Clone, Default)]
pub struct Expansion<'a> {
    table: Option<TokenTable<'a>>,
    record: &'a [u8],
}

impl<'a> Expansion<'a> {
    pub(super) fn new(table: TokenTable<'a>, record: &'a [u8]) -> Self {
        Self { table: Some(table), record }
    }
}

impl<'a> Iterator for Expansion<'a> {
    type Item = &'a [u8];

    #[inline]
    fn next(&mut self) -> Option<&'a [u8]> {
        let table = self.table?;
        loop {
            let (&token, rest) = self.record.split_first()?;
            self.record = rest;
            let piece = table.expansion(token);
            if !piece.is_empty() {
                return Some(piece);
            }
        }
    }
}
