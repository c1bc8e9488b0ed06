//! `kallsyms_token_table` and `kallsyms_token_index`.

use zerocopy::FromBytes;

use super::error::{Error, Part};
use crate::endian::Endian;
use crate::pieces::{self, Pieces};

/// Most bytes of a token: a type and a name, `KSYM_NAME_LEN` without the NUL.
const MAX_TOKEN: usize = 512;

/// The tokens, one for each value of a byte.
#[derive(Debug, Clone, Copy)]
pub(super) struct TokenTable<'a> {
    places: &'a [[u8; 2]; 256],
    /// Up to the last token's NUL, and with it.
    bytes: &'a [u8],
    endian: Endian,
}

impl<'a> TokenTable<'a> {
    /// Checks that the tokens stand one behind the other, each closed by a NUL, as the kernel writes them.
    pub(super) fn new(token_index: &'a [u8], bytes: &'a [u8], endian: Endian) -> Result<Self, Error> {
        let (places, _) = <[[u8; 2]; 256]>::ref_from_prefix(token_index).map_err(|_| Error::TooShort {
            part: Part::TokenIndex,
            len: token_index.len(),
            needed: 512,
        })?;
        let mut table = Self { places, bytes, endian };
        let mut end = 0;
        for token in 0..=u8::MAX {
            let found = table.place(token);
            if usize::from(found) != end {
                return Err(Error::TokenPlace { token, found, expected: end });
            }
            let rest = bytes.get(end..).unwrap_or_default();
            let len = rest.iter().position(|&byte| byte == 0);
            if let Some(len) = len.filter(|&len| len > MAX_TOKEN) {
                return Err(Error::TokenTooLong { token, len });
            }
            end = match len.and_then(|len| end.checked_add(len)?.checked_add(1)) {
                Some(end) => end,
                None => return Err(Error::TokenUnterminated { token, offset: end }),
            };
        }
        table.bytes = bytes.get(..end).unwrap_or_default();
        Ok(table)
    }

    #[inline]
    fn place(&self, token: u8) -> u16 {
        let place = self.places.get(usize::from(token)).copied().unwrap_or_default();
        match self.endian {
            Endian::Little => u16::from_le_bytes(place),
            Endian::Big => big(place),
        }
    }

    /// What a token stands for; empty if it stands for nothing.
    #[inline]
    pub(super) fn expansion(&self, token: u8) -> &'a [u8] {
        let start = usize::from(self.place(token));
        let next = token.checked_add(1).map_or(self.bytes.len(), |next| usize::from(self.place(next)));
        self.bytes.get(start..next.wrapping_sub(1)).unwrap_or_default()
    }

    /// The two tables: where each token begins in the bytes, each with a NUL behind it.
    #[inline]
    pub(super) fn parts(&self) -> (&'a [[u8; 2]; 256], &'a [u8], Endian) {
        (self.places, self.bytes, self.endian)
    }

    /// Bytes of the two tables.
    pub(super) fn len(&self) -> usize {
        self.bytes.len().saturating_add(size_of_val(self.places))
    }
}

/// Kept a branch: both orders of the bytes and a choice of them are more than a fifth of what a piece takes.
#[cold]
fn big(place: [u8; 2]) -> u16 {
    u16::from_be_bytes(place)
}

/// The pieces of a type and name: what each token of a record stands for. Steps: one a token; these are
/// at most 32,767, of up to 512 bytes each.
#[derive(Debug, Clone, Default)]
pub struct Expansion<'a> {
    table: Option<&'a TokenTable<'a>>,
    record: &'a [u8],
}

impl<'a> Expansion<'a> {
    pub(super) fn new(table: &'a TokenTable<'a>, record: &'a [u8]) -> Self {
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

impl<'a> Pieces<'a> for Expansion<'a> {
    type Iter = Self;

    #[inline]
    fn iter(&self) -> Self {
        self.clone()
    }

    #[inline(always)]
    fn take_to(&mut self, skip: &mut usize, buffer: &mut [u8]) -> usize {
        pieces::take(self, skip, buffer)
    }
}
