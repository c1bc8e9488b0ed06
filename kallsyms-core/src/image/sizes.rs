//! True sizes: a nibble a symbol, and the exceptions.

use zerocopy::FromBytes;

use super::layout::{GAP_ESCAPE, NO_PARENT, SizeException};
use crate::num::index;
use crate::table::SymbolIndex;

/// Sizes where they differ from the distance to the next symbol; none of it for a table that knows no sizes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sizes<'a> {
    gaps: &'a [u8],
    exceptions: &'a [SizeException],
}

/// What is known of a symbol's end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Known {
    /// This many bytes lie between its end and the next different address.
    Gap(u8),
    /// It has this many bytes.
    Size(u64),
}

impl<'a> Sizes<'a> {
    pub(super) fn new(gaps: &'a [u8], exceptions: &'a [u8]) -> Option<Self> {
        Some(Self { gaps, exceptions: <[SizeException]>::ref_from_bytes(exceptions).ok()? })
    }

    /// What is known of a symbol's end. Steps: one; for an exception a bisection.
    #[inline]
    pub(super) fn known(&self, symbol: SymbolIndex) -> Known {
        let gap = self.gap(symbol);
        if gap == GAP_ESCAPE
            && let Some(exception) = self.exception(symbol)
        {
            return Known::Size(exception.size.get());
        }
        Known::Gap(gap)
    }

    /// The symbol that answers past this one's end.
    pub(super) fn parent(&self, symbol: SymbolIndex) -> Option<SymbolIndex> {
        if self.gap(symbol) != GAP_ESCAPE {
            return None;
        }
        let parent = self.exception(symbol)?.parent.get();
        (parent != NO_PARENT).then_some(SymbolIndex(parent))
    }

    /// The nibble of a symbol.
    #[inline]
    fn gap(&self, symbol: SymbolIndex) -> u8 {
        let pair = self.gaps.get(index(symbol.0 >> 1)).copied().unwrap_or(0);
        if symbol.0 & 1 == 0 { pair & 15 } else { pair >> 4 }
    }

    /// Every exception, in order.
    pub(super) fn exceptions(&self) -> &'a [SizeException] {
        self.exceptions
    }

    #[inline(never)]
    fn exception(&self, symbol: SymbolIndex) -> Option<&'a SizeException> {
        let at = self.exceptions.partition_point(|exception| exception.symbol.get() < symbol.0);
        self.exceptions.get(at).filter(|exception| exception.symbol.get() == symbol.0)
    }
}
