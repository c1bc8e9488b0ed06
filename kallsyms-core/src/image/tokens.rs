//! The dictionary: what a code stands for.

use zerocopy::FromBytes;

use super::layout::{MAX_NESTING, MAX_TOKEN, NestedToken, Token};
use crate::num::index;

/// The dictionary.
#[derive(Debug, Clone, Copy)]
pub(super) enum Tokens<'a> {
    /// Each token stands as it expands in the token bytes.
    Flat(FlatTokens<'a>),
    /// Each token is two others or a byte.
    Nested(&'a [NestedToken]),
}

/// Tokens that stand as they expand.
#[derive(Debug, Clone, Copy)]
pub(super) struct FlatTokens<'a> {
    places: &'a [Token],
    bytes: &'a [u8],
}

impl<'a> FlatTokens<'a> {
    /// The bytes of a token, and the same with all that stands behind them.
    #[inline]
    pub(super) fn expansion(&self, code: u32) -> Option<(&'a [u8], &'a [u8])> {
        let place = self.places.get(index(code))?.place.get();
        let from = self.bytes.get(index(place >> 8)..)?;
        Some((from.get(..index(place & 0xff))?, from))
    }

    /// The bytes of a token. An empty one is damaged: going on behind it could take as long as the section is.
    #[inline]
    pub(super) fn piece(&self, code: u32) -> Option<&'a [u8]> {
        self.expansion(code).map(|(token, _)| token).filter(|token| !token.is_empty())
    }
}

impl<'a> Tokens<'a> {
    pub(super) fn flat(places: &'a [u8], bytes: &'a [u8]) -> Option<Self> {
        Some(Self::Flat(FlatTokens { places: <[Token]>::ref_from_bytes(places).ok()?, bytes }))
    }

    pub(super) fn nested(pairs: &'a [u8]) -> Option<Self> {
        Some(Self::Nested(<[NestedToken]>::ref_from_bytes(pairs).ok()?))
    }

    /// Bytes that a token expands to; `None` if it is damaged. Steps: one, or one a nested token.
    pub(super) fn expanded_len(&self, code: u32) -> Option<usize> {
        match self {
            Self::Flat(tokens) => tokens.expansion(code).map(|(token, _)| token.len()),
            Self::Nested(pairs) => {
                let mut open = Open::default();
                open.begin(code)?;
                let mut len = 0usize;
                while !open.is_empty() {
                    len = len.wrapping_add(open.next_literal(pairs)?.len());
                }
                Some(len)
            }
        }
    }

    /// Whether a token may be too large, and not just out of bounds.
    pub(super) fn nests(&self) -> bool {
        matches!(self, Self::Nested(_))
    }

    /// Number of tokens.
    pub(super) fn count(&self) -> usize {
        match self {
            Self::Flat(tokens) => tokens.places.len(),
            Self::Nested(pairs) => pairs.len(),
        }
    }
}

/// Nested tokens whose second half is still to come, innermost last.
#[derive(Debug, Clone, Default)]
pub(super) struct Open {
    codes: [u16; MAX_NESTING],
    depth: u8,
    /// Bytes that the outermost token may still expand to: a damaged one may hold itself.
    budget: u8,
}

impl Open {
    pub(super) fn is_empty(&self) -> bool {
        self.depth == 0
    }

    /// Begins with a token; nothing else is open.
    pub(super) fn begin(&mut self, code: u32) -> Option<()> {
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
    pub(super) fn next_literal<'a>(&mut self, pairs: &'a [NestedToken]) -> Option<&'a [u8]> {
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
