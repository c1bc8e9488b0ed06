//! The codes of a name, and the pieces that they expand to.

use super::layout::NestedToken;
use super::tokens::{Open, Tokens};
use crate::bits;
use crate::num::{low32, widen};
use crate::pieces::{self, Pieces};

/// A run of codes as it is stored: bit-packed. Steps: one a code.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct PackedCodes<'a> {
    packed: &'a [u8],
    bit: u64,
    left: u32,
    code_bits: u32,
}

impl<'a> PackedCodes<'a> {
    /// `count` codes from code number `first` of `packed` on.
    #[inline]
    pub(super) fn new(packed: &'a [u8], code_bits: u8, first: u64, count: u32) -> Self {
        let code_bits = u32::from(code_bits);
        Self { packed, bit: first.wrapping_mul(widen(code_bits)), left: count, code_bits }
    }

    /// Codes that are still to come.
    pub(super) fn remaining(&self) -> u32 {
        self.left
    }
}

/// Ends early where the section does.
impl Iterator for PackedCodes<'_> {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        self.left = self.left.checked_sub(1)?;
        let code = bits::read(self.packed, self.bit, self.code_bits)?;
        self.bit = self.bit.wrapping_add(widen(self.code_bits));
        Some(low32(code))
    }
}

/// The pieces of a run of codes; ends at the first damaged one. Steps: one a piece; 104 bytes on the stack.
#[derive(Clone)]
pub struct Codes<'a> {
    tokens: Tokens<'a>,
    packed: PackedCodes<'a>,
    open: Open,
}

impl Default for Codes<'_> {
    fn default() -> Self {
        Self::new(Tokens::Nested(&[]), PackedCodes::default())
    }
}

impl<'a> Codes<'a> {
    #[inline]
    pub(super) fn new(tokens: Tokens<'a>, packed: PackedCodes<'a>) -> Self {
        Self { tokens, packed, open: Open::default() }
    }

    /// The codes that are still to come.
    pub(super) fn packed(&self) -> PackedCodes<'a> {
        self.packed
    }

    #[inline(never)]
    fn copy_nested(&self, skip: usize, buffer: &mut [u8]) -> Option<usize> {
        pieces::copy(self.clone(), skip, buffer)
    }

    fn next_literal(&mut self, pairs: &'a [NestedToken]) -> Option<&'a [u8]> {
        if self.open.is_empty() {
            self.open.begin(self.packed.next()?)?;
        }
        self.open.next_literal(pairs)
    }
}

impl core::fmt::Debug for Codes<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Codes").field("left", &self.packed.left).finish_non_exhaustive()
    }
}

// A name, and whatever else holds a stream, is as large as this.
#[cfg(target_pointer_width = "64")]
static_assertions::const_assert!(size_of::<Codes<'static>>() <= 104);

impl<'a> Iterator for Codes<'a> {
    type Item = &'a [u8];

    #[inline]
    fn next(&mut self) -> Option<&'a [u8]> {
        match self.tokens {
            Tokens::Flat(tokens) => tokens.piece(self.packed.next()?),
            Tokens::Nested(pairs) => self.next_literal(pairs),
        }
    }
}

/// In a third of the iterator's steps: the kind of dictionary is looked at once.
impl<'a> Pieces<'a> for Codes<'a> {
    #[inline]
    fn all_behind(&self, skip: usize, holds: impl FnMut(&'a [u8]) -> bool) -> bool {
        match self.tokens {
            Tokens::Flat(tokens) => {
                pieces::all_behind(self.packed.map_while(|code| tokens.piece(code)), skip, holds)
            }
            Tokens::Nested(_) => pieces::all_behind(self.clone(), skip, holds),
        }
    }

    /// Copies 16 bytes for a piece of up to as many, where there is room for them.
    #[inline]
    fn copy_to(&self, mut skip: usize, buffer: &mut [u8]) -> Option<usize> {
        let Tokens::Flat(tokens) = self.tokens else { return self.copy_nested(skip, buffer) };
        let (mut codes, mut len) = (self.packed, 0usize);
        while skip > 0 {
            let Some(token) = codes.next().and_then(|code| tokens.piece(code)) else { return Some(len) };
            let rest = token.get(skip..).unwrap_or_default();
            pieces::put(buffer, rest)?;
            (skip, len) = (skip.saturating_sub(token.len()), rest.len());
        }
        for code in codes {
            let Some((token, wide)) = tokens.expansion(code).filter(|(token, _)| !token.is_empty()) else {
                break;
            };
            let room = buffer.get_mut(len..)?;
            match (wide.first_chunk::<16>(), room.first_chunk_mut::<16>()) {
                (Some(from), Some(to)) if token.len() <= 16 => *to = *from,
                _ => pieces::put(room, token)?,
            }
            len = len.wrapping_add(token.len());
        }
        Some(len)
    }
}
