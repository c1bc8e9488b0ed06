//! The codes of a name, and the pieces that they expand to.

use super::layout::NestedToken;
use super::tokens::{FlatTokens, Open, Tokens};
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

    /// Goes back by the code that came last.
    #[inline]
    fn put_back(&mut self) {
        self.bit = self.bit.wrapping_sub(widen(self.code_bits));
        self.left = self.left.wrapping_add(1);
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

/// A type and name as codes of a dictionary.
///
/// A run has at most [`MAX_CODES`](super::layout::MAX_CODES), and a code at most 255 pieces, of a byte each
/// if tokens are nested.
#[derive(Clone, Copy)]
pub struct Codes<'a> {
    tokens: &'a Tokens<'a>,
    packed: PackedCodes<'a>,
}

// A name is as large as this, and a word.
#[cfg(target_pointer_width = "64")]
static_assertions::const_assert!(size_of::<Codes<'static>>() == 40);

impl Default for Codes<'_> {
    fn default() -> Self {
        Self::new(&Tokens::Nested(&[]), PackedCodes::default())
    }
}

impl<'a> Codes<'a> {
    #[inline]
    pub(super) fn new(tokens: &'a Tokens<'a>, packed: PackedCodes<'a>) -> Self {
        Self { tokens, packed }
    }

    /// The codes.
    pub(super) fn packed(&self) -> PackedCodes<'a> {
        self.packed
    }

    #[inline(never)]
    fn all_nested(
        &self,
        pairs: &'a [NestedToken],
        mut skip: usize,
        mut holds: impl FnMut(&'a [u8]) -> bool,
    ) -> bool {
        let mut pieces = self.iter();
        while let Some(piece) = pieces.next_literal(pairs) {
            if skip > 0 {
                skip = skip.wrapping_sub(1);
            } else if !holds(piece) {
                return false;
            }
        }
        true
    }
}

impl core::fmt::Debug for Codes<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Codes").field("count", &self.packed.left).finish_non_exhaustive()
    }
}

/// In a third of the iterator's steps: the kind of dictionary is looked at once.
impl<'a> Pieces<'a> for Codes<'a> {
    type Iter = Expanded<'a>;

    #[inline]
    fn iter(&self) -> Expanded<'a> {
        Expanded { codes: *self, open: Open::default() }
    }

    #[inline]
    fn all_behind(&self, skip: usize, holds: impl FnMut(&'a [u8]) -> bool) -> bool {
        match self.tokens {
            Tokens::Flat(tokens) => {
                pieces::all_behind(self.packed.map_while(|code| tokens.piece(code)), skip, holds)
            }
            Tokens::Nested(pairs) => self.all_nested(pairs, skip, holds),
        }
    }

    #[inline]
    fn take_to(&mut self, skip: &mut usize, buffer: &mut [u8]) -> usize {
        match self.tokens {
            Tokens::Flat(tokens) => self.packed.take_flat(tokens, skip, buffer),
            Tokens::Nested(pairs) => self.packed.take_nested(pairs, skip, buffer),
        }
    }
}

impl PackedCodes<'_> {
    /// Copies 16 bytes for a token of up to as many, where there is room for them.
    #[inline(always)]
    fn take_flat(&mut self, tokens: &FlatTokens<'_>, skip: &mut usize, buffer: &mut [u8]) -> usize {
        let mut len = 0usize;
        loop {
            let token = self.next().and_then(|code| tokens.expansion(code));
            let Some((token, wide)) = token.filter(|(token, _)| !token.is_empty()) else {
                *self = Self::default();
                return len;
            };
            let room = buffer.get_mut(len..).unwrap_or_default();
            match (wide.first_chunk::<16>(), room.first_chunk_mut::<16>()) {
                (Some(from), Some(to)) if token.len() <= 16 && *skip == 0 => {
                    *to = *from;
                    len = len.wrapping_add(token.len());
                }
                _ => {
                    let (taken, is_whole) = pieces::take_piece(token, skip, room);
                    len = len.wrapping_add(taken);
                    if !is_whole {
                        self.put_back();
                        return len;
                    }
                }
            }
        }
    }

    /// A token of which a part is left is expanded from its start again: 255 steps at most.
    #[inline(never)]
    fn take_nested(&mut self, pairs: &[NestedToken], skip: &mut usize, buffer: &mut [u8]) -> usize {
        let (mut open, mut len) = (Open::default(), 0usize);
        loop {
            let mut passed = 0usize;
            if self.next().and_then(|code| open.begin(code)).is_none() {
                *self = Self::default();
                return len;
            }
            while !open.is_empty() {
                let Some(&[byte]) = open.next_literal(pairs).and_then(|literal| literal.first_chunk()) else {
                    *self = Self::default();
                    return len;
                };
                if *skip > 0 {
                    *skip = skip.wrapping_sub(1);
                } else if let Some(place) = buffer.get_mut(len) {
                    *place = byte;
                    len = len.wrapping_add(1);
                } else {
                    self.put_back();
                    *skip = passed;
                    return len;
                }
                passed = passed.wrapping_add(1);
            }
        }
    }
}

/// The pieces of a run of codes; ends at the first damaged one. Steps: one a piece; 80 bytes on the stack.
#[derive(Clone)]
pub struct Expanded<'a> {
    codes: Codes<'a>,
    open: Open,
}

#[cfg(target_pointer_width = "64")]
static_assertions::const_assert!(size_of::<Expanded<'static>>() <= 80);

impl<'a> Expanded<'a> {
    #[inline(never)]
    fn all_literals(&mut self, pairs: &'a [NestedToken], mut holds: impl FnMut(&'a [u8]) -> bool) -> bool {
        while let Some(piece) = self.next_literal(pairs) {
            if !holds(piece) {
                return false;
            }
        }
        true
    }

    #[inline]
    fn next_literal(&mut self, pairs: &'a [NestedToken]) -> Option<&'a [u8]> {
        if self.open.is_empty() {
            self.open.begin(self.codes.packed.next()?)?;
        }
        self.open.next_literal(pairs)
    }
}

impl core::fmt::Debug for Expanded<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.codes.fmt(f)
    }
}

impl<'a> Iterator for Expanded<'a> {
    type Item = &'a [u8];

    #[inline]
    fn next(&mut self) -> Option<&'a [u8]> {
        match self.codes.tokens {
            Tokens::Flat(tokens) => tokens.piece(self.codes.packed.next()?),
            Tokens::Nested(pairs) => self.next_literal(pairs),
        }
    }

    /// As [`Pieces::all_behind`].
    #[inline]
    fn all<F: FnMut(&'a [u8]) -> bool>(&mut self, mut holds: F) -> bool {
        match self.codes.tokens {
            Tokens::Flat(tokens) => {
                while let Some(piece) = self.codes.packed.next().and_then(|code| tokens.piece(code)) {
                    if !holds(piece) {
                        return false;
                    }
                }
                true
            }
            Tokens::Nested(pairs) => self.all_literals(pairs, holds),
        }
    }
}
