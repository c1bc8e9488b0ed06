//! Tokens, and the stream of pieces that a run of codes expands to.

use zerocopy::FromBytes;

use super::layout::{MAX_NESTING, MAX_TOKEN, NestedToken, Token};
use crate::bits;
use crate::num::{index, low32, widen};

/// The dictionary.
#[derive(Debug, Clone, Copy)]
pub(super) enum Tokens<'a> {
    /// Each token stands as it expands in the token bytes.
    Flat { places: &'a [Token], bytes: &'a [u8] },
    /// Each token is two others or a byte.
    Nested { pairs: &'a [NestedToken] },
}

impl<'a> Tokens<'a> {
    pub(super) fn flat(places: &'a [u8], bytes: &'a [u8]) -> Option<Self> {
        Some(Self::Flat { places: <[Token]>::ref_from_bytes(places).ok()?, bytes })
    }

    pub(super) fn nested(pairs: &'a [u8]) -> Option<Self> {
        Some(Self::Nested { pairs: <[NestedToken]>::ref_from_bytes(pairs).ok()? })
    }

    /// The bytes of a flat token.
    #[inline]
    fn flat_piece(places: &[Token], bytes: &'a [u8], code: u32) -> Option<&'a [u8]> {
        let place = places.get(index(code))?.place.get();
        bytes.get(index(place >> 8)..)?.get(..index(place & 0xff))
    }

    /// Bytes that a token expands to; `None` if it is damaged. Steps: one, or one a nested token.
    pub(super) fn expanded_len(&self, code: u32) -> Option<usize> {
        match *self {
            Self::Flat { places, bytes } => Self::flat_piece(places, bytes, code).map(<[u8]>::len),
            Self::Nested { .. } => {
                let mut open = Open::default();
                open.begin(code)?;
                let mut len = 0usize;
                while !open.is_empty() {
                    len = len.wrapping_add(open.next_literal(self)?.len());
                }
                Some(len)
            }
        }
    }

    /// Whether a token may be too large, and not just out of bounds.
    pub(super) fn nests(&self) -> bool {
        matches!(self, Self::Nested { .. })
    }

    /// Number of tokens.
    pub(super) fn count(&self) -> usize {
        match self {
            Self::Flat { places, .. } => places.len(),
            Self::Nested { pairs } => pairs.len(),
        }
    }
}

/// Nested tokens whose second half is still to come, innermost last.
#[derive(Debug, Clone, Default)]
struct Open {
    codes: [u16; MAX_NESTING],
    depth: u8,
    /// Bytes that the outermost token may still expand to: a damaged one may hold itself.
    budget: u8,
}

impl Open {
    fn is_empty(&self) -> bool {
        self.depth == 0
    }

    /// Begins with a token; nothing else is open.
    fn begin(&mut self, code: u32) -> Option<()> {
        self.budget = u8::try_from(MAX_TOKEN).ok()?;
        self.push(code)
    }

    fn push(&mut self, code: u32) -> Option<()> {
        *self.codes.get_mut(usize::from(self.depth))? = u16::try_from(code).ok()?;
        self.depth = self.depth.wrapping_add(1);
        Some(())
    }

    fn pop(&mut self) -> Option<u16> {
        self.depth = self.depth.checked_sub(1)?;
        self.codes.get(usize::from(self.depth)).copied()
    }

    /// Opens the innermost token down to its first byte.
    fn next_literal<'a>(&mut self, tokens: &Tokens<'a>) -> Option<&'a [u8]> {
        let Tokens::Nested { pairs } = *tokens else { return None };
        self.budget = self.budget.checked_sub(1)?;
        let mut code = self.pop()?;
        loop {
            let token = pairs.get(usize::from(code))?;
            if token.left.get() == code {
                return zerocopy::IntoBytes::as_bytes(&token.right).get(..1);
            }
            self.push(u32::from(token.right.get()))?;
            code = token.left.get();
            // A left spine can be no longer than the nesting allows: every step holds a place of the stack.
        }
    }
}

/// The pieces of a run of codes; ends at the first damaged one. Steps: one a piece; 104 bytes on the stack.
#[derive(Clone)]
pub struct Codes<'a> {
    tokens: Tokens<'a>,
    packed: &'a [u8],
    bit: u64,
    left: u32,
    code_bits: u8,
    open: Open,
}

impl Default for Codes<'_> {
    fn default() -> Self {
        Self {
            tokens: Tokens::Nested { pairs: &[] },
            packed: &[],
            bit: 0,
            left: 0,
            code_bits: 8,
            open: Open::default(),
        }
    }
}

impl<'a> Codes<'a> {
    /// The pieces of `count` codes from code number `first` of `packed` on.
    #[inline]
    pub(super) fn new(tokens: Tokens<'a>, packed: &'a [u8], code_bits: u8, first: u64, count: u32) -> Self {
        let bit = first.wrapping_mul(u64::from(code_bits));
        Self { tokens, packed, bit, left: count, code_bits, open: Open::default() }
    }

    /// Codes that are still to come.
    pub(super) fn remaining(&self) -> u32 {
        self.left
    }

    /// The next code as it is stored.
    #[inline]
    pub(super) fn next_code(&mut self) -> Option<u32> {
        self.left = self.left.checked_sub(1)?;
        let code = bits::read(self.packed, self.bit, u32::from(self.code_bits))?;
        self.bit = self.bit.wrapping_add(u64::from(self.code_bits));
        Some(low32(code))
    }
}

impl core::fmt::Debug for Codes<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Codes").field("left", &self.left).finish_non_exhaustive()
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
            Tokens::Flat { places, bytes } => {
                let code = self.next_code()?;
                // An empty token is damaged; going on behind it could take as long as the section is.
                Tokens::flat_piece(places, bytes, code).filter(|piece| !piece.is_empty())
            }
            Tokens::Nested { .. } => {
                if self.open.is_empty() {
                    let code = self.next_code()?;
                    self.open.begin(code)?;
                }
                self.open.next_literal(&self.tokens)
            }
        }
    }

    /// The same pieces in a third of the steps: the kind of dictionary is looked at once.
    #[inline]
    fn all<F: FnMut(&'a [u8]) -> bool>(&mut self, mut holds: F) -> bool {
        let Tokens::Flat { places, bytes } = self.tokens else {
            return self.by_ref().try_for_each(|piece| holds(piece).then_some(())).is_some();
        };
        let Self { packed, mut bit, left, .. } = *self;
        let width = u32::from(self.code_bits);
        for left in (0..left).rev() {
            let piece = bits::read(packed, bit, width)
                .and_then(|code| Tokens::flat_piece(places, bytes, low32(code)))
                .filter(|piece| !piece.is_empty());
            bit = bit.wrapping_add(widen(width));
            let Some(piece) = piece else { break };
            if !holds(piece) {
                (self.bit, self.left) = (bit, left);
                return false;
            }
        }
        self.left = 0;
        true
    }
}
