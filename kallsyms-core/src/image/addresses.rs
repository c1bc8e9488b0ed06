//! Addresses: blocks, hints, and the deltas in the records.

use zerocopy::FromBytes;
use zerocopy::little_endian::{U16, U32};

use super::layout::{BLOCK_SYMBOLS, Block, Header, WideBlock, flags};
use super::record::Record;
use crate::num::index;
use crate::table::SymbolIndex;

/// Where every symbol starts.
#[derive(Debug, Clone, Copy)]
pub(super) struct Addresses<'a> {
    blocks: Blocks<'a>,
    hints: Hints<'a>,
    records: &'a [u8],
    pub(super) symbol_count: u32,
    pub(super) link_base: u64,
    /// Blocks whose base counts from 0: those that begin in the leading absolute run.
    unhinted: u32,
    hint_shift: u8,
}

#[derive(Debug, Clone, Copy)]
enum Blocks<'a> {
    Narrow(&'a [Block]),
    Wide(&'a [WideBlock]),
}

#[derive(Debug, Clone, Copy)]
enum Hints<'a> {
    Narrow(&'a [U16]),
    Wide(&'a [U32]),
}

/// A block, opened.
#[derive(Debug, Clone, Copy)]
pub(super) struct OpenBlock<'a> {
    pub(super) number: u32,
    pub(super) base: u64,
    pub(super) record: Record<'a>,
    /// Symbols in it: 16, in the last block fewer.
    pub(super) used: u32,
}

impl<'a> Addresses<'a> {
    /// `None` if a section is not a whole number of entries.
    pub(super) fn new(header: &Header, blocks: &'a [u8], hints: &'a [u8], records: &'a [u8]) -> Option<Self> {
        let flags = header.flags.get();
        let blocks = if flags & flags::WIDE_BLOCKS == 0 {
            Blocks::Narrow(<[Block]>::ref_from_bytes(blocks).ok()?)
        } else {
            Blocks::Wide(<[WideBlock]>::ref_from_bytes(blocks).ok()?)
        };
        let hints = if flags & flags::WIDE_HINTS == 0 {
            Hints::Narrow(<[U16]>::ref_from_bytes(hints).ok()?)
        } else {
            Hints::Wide(<[U32]>::ref_from_bytes(hints).ok()?)
        };
        Some(Self {
            blocks,
            hints,
            records,
            symbol_count: header.symbol_count.get(),
            link_base: header.link_base.get(),
            unhinted: header.leading_absolute.get().div_ceil(BLOCK_SYMBOLS),
            hint_shift: header.hint_shift,
        })
    }

    /// Number of blocks.
    pub(super) fn block_count(&self) -> u32 {
        self.symbol_count.div_ceil(BLOCK_SYMBOLS)
    }

    /// The record at an offset.
    #[inline]
    pub(super) fn record(&self, offset: u32) -> Option<Record<'a>> {
        Record::at(self.records, offset)
    }

    /// Base and record offset of a block, as they are stored.
    #[inline]
    pub(super) fn stored(&self, block: u32) -> Option<(u64, u32)> {
        match self.blocks {
            Blocks::Narrow(blocks) => {
                blocks.get(index(block)).map(|block| (u64::from(block.base.get()), block.record.get()))
            }
            Blocks::Wide(blocks) => {
                blocks.get(index(block)).map(|block| (block.base.get(), block.record.get()))
            }
        }
    }

    #[inline]
    fn base(&self, block: u32) -> Option<u64> {
        let (base, _) = self.stored(block)?;
        Some(if block < self.unhinted { base } else { base.wrapping_add(self.link_base) })
    }

    /// The block, cut into its parts.
    #[inline]
    pub(super) fn open(&self, block: u32) -> Option<OpenBlock<'a>> {
        let (_, offset) = self.stored(block)?;
        Some(OpenBlock {
            number: block,
            base: self.base(block)?,
            record: Record::at(self.records, offset)?,
            used: self.symbol_count.checked_sub(block.wrapping_mul(BLOCK_SYMBOLS))?.min(BLOCK_SYMBOLS),
        })
    }

    /// The block of a symbol, and the symbol's place in it.
    #[inline]
    pub(super) fn open_at(&self, symbol: SymbolIndex) -> Option<(OpenBlock<'a>, u32)> {
        if symbol.0 >= self.symbol_count {
            return None;
        }
        Some((self.open(symbol.0 / BLOCK_SYMBOLS)?, symbol.0 % BLOCK_SYMBOLS))
    }

    /// Address of a symbol. Steps: one.
    #[inline]
    pub(super) fn address(&self, symbol: SymbolIndex) -> Option<u64> {
        let (block, place) = self.open_at(symbol)?;
        block.address(place)
    }

    /// First symbol at the highest address that is not above `address`, that address, and the next higher
    /// one.
    #[inline]
    pub(super) fn find(&self, address: u64) -> Option<(SymbolIndex, u64, Option<u64>)> {
        let block = self.open(self.blocks_up_to(address).checked_sub(1)?)?;
        let above = block.up_to(address);
        let place = above.checked_sub(1)?;
        let start = block.address(place)?;
        let next =
            if above < block.used { block.address(above) } else { self.base(block.number.wrapping_add(1)) };
        let before = place.checked_sub(1).and_then(|before| block.address(before));
        let first = match start.checked_sub(1) {
            // Nearly every symbol is alone at its address.
            _ if before.is_some_and(|before| before < start) => block.symbol(place),
            None => SymbolIndex(0),
            Some(below) if start == block.base => self.first_above(below, block),
            Some(below) => block.symbol(block.up_to(below)),
        };
        Some((first, start, next))
    }

    /// First symbol above `below`, where `block` is one that begins with such a symbol.
    fn first_above(&self, below: u64, block: OpenBlock<'a>) -> SymbolIndex {
        let Some(before) = block.number.checked_sub(1).and_then(|before| self.open(before)) else {
            return block.symbol(0);
        };
        match before.up_to(below) {
            // The run of aliases fills the block before, too.
            0 => SymbolIndex(self.count_up_to(below)),
            place => before.symbol(place),
        }
    }

    /// The lowest address above a symbol's own. Steps: one pass over its block; behind a run of aliases a
    /// bisection.
    pub(super) fn next_above(&self, symbol: SymbolIndex) -> Option<u64> {
        let (block, place) = self.open_at(symbol)?;
        let start = block.address(place)?;
        let above = block.up_to(start);
        if above < block.used {
            return block.address(above);
        }
        match self.base(block.number.wrapping_add(1)) {
            Some(next) if next == start => self.address(SymbolIndex(self.count_up_to(start))),
            next => next,
        }
    }

    /// How many symbols are at or below an address.
    fn count_up_to(&self, address: u64) -> u32 {
        let Some(block) = self.blocks_up_to(address).checked_sub(1) else { return 0 };
        self.open(block).map_or(0, |block| block.symbol(block.up_to(address)).0)
    }

    /// How many blocks begin at or below an address.
    fn blocks_up_to(&self, address: u64) -> u32 {
        if let Some(distance) = address.checked_sub(self.link_base) {
            let (low, high) = self.hinted_range(distance);
            let hinted = self.bisect(low, high, |base| base <= distance);
            if hinted > self.unhinted {
                return hinted;
            }
        }
        self.bisect(0, self.unhinted, |base| base <= address)
    }

    /// Bounds of the number of blocks that begin at most `distance` above the link base.
    fn hinted_range(&self, distance: u64) -> (u32, u32) {
        let count = self.block_count();
        let bucket = usize::try_from(distance.wrapping_shr(u32::from(self.hint_shift))).unwrap_or(usize::MAX);
        let bound = |bucket: usize| {
            self.hint(bucket).map_or(count, |hint| hint.saturating_add(self.unhinted).min(count))
        };
        (bound(bucket), bound(bucket.saturating_add(1)))
    }

    /// A hint as it is stored.
    #[inline]
    pub(super) fn hint(&self, number: usize) -> Option<u32> {
        match self.hints {
            Hints::Narrow(hints) => hints.get(number).map(|hint| u32::from(hint.get())),
            Hints::Wide(hints) => hints.get(number).map(|hint| hint.get()),
        }
    }

    /// Number of hints.
    pub(super) fn hint_count(&self) -> usize {
        match self.hints {
            Hints::Narrow(hints) => hints.len(),
            Hints::Wide(hints) => hints.len(),
        }
    }

    /// The first block from `low` to `high` whose stored base does not hold.
    #[inline]
    fn bisect(&self, mut low: u32, high: u32, holds: impl Fn(u64) -> bool) -> u32 {
        let mut size = high.saturating_sub(low);
        while size > 0 {
            let half = size >> 1;
            let middle = low.wrapping_add(half);
            let above = self.stored(middle).is_some_and(|(base, _)| holds(base));
            low = if above { middle.wrapping_add(1) } else { low };
            size = if above { size.wrapping_sub(half).wrapping_sub(1) } else { half };
        }
        low
    }
}

impl OpenBlock<'_> {
    /// The symbol at this place of the block.
    pub(super) fn symbol(&self, place: u32) -> SymbolIndex {
        SymbolIndex(self.number.wrapping_mul(BLOCK_SYMBOLS).wrapping_add(place))
    }

    /// Address of the symbol at this place.
    #[inline]
    pub(super) fn address(&self, place: u32) -> Option<u64> {
        Some(self.base.wrapping_add(self.record.delta(place)?))
    }

    /// How many symbols of the block are at or below an address.
    #[inline]
    pub(super) fn up_to(&self, address: u64) -> u32 {
        address.checked_sub(self.base).map_or(0, |distance| self.record.up_to(distance, self.used))
    }
}
