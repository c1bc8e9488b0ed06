//! Addresses: blocks, hints, and the deltas in the records.

use zerocopy::FromBytes;
use zerocopy::little_endian::{U16, U32};

use super::layout::{BLOCK_SYMBOLS, Block, Header, WideBlock, flags};
use super::record::{Around, Record};
use crate::num::{index, low32, wide};
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
    #[inline(always)]
    pub(super) fn find(&self, address: u64) -> Option<(SymbolIndex, u64, Option<u64>)> {
        let (block, around) = self.around(address)?;
        let start = block.base.wrapping_add(around.start);
        // Nearly every symbol is alone at its address.
        let first = if around.alone { block.symbol(around.place) } else { self.first_at(start) };
        Some((first, start, self.next(&block, &around)))
    }

    /// The last symbol that is not above an address, and its neighbours.
    #[inline(always)]
    fn around(&self, address: u64) -> Option<(OpenBlock<'a>, Around)> {
        let block = self.open(self.blocks_up_to(address).checked_sub(1)?)?;
        Some((block, block.record.around(address.checked_sub(block.base)?, block.used)?))
    }

    /// Where the symbol behind it starts.
    #[inline]
    fn next(&self, block: &OpenBlock<'_>, around: &Around) -> Option<u64> {
        match around.next {
            Some(next) => Some(block.base.wrapping_add(next)),
            None => self.base(block.number.wrapping_add(1)),
        }
    }

    /// The lowest address above this one, which a symbol has. Steps: those of [`find`](Self::find).
    #[inline(always)]
    pub(super) fn next_above(&self, start: u64) -> Option<u64> {
        let (block, around) = self.around(start)?;
        self.next(&block, &around)
    }

    /// The first symbol at this address, which a symbol has. Steps: those of [`find`](Self::find).
    #[inline(never)]
    fn first_at(&self, start: u64) -> SymbolIndex {
        let below = start.checked_sub(1).and_then(|below| self.around(below));
        below.map_or(SymbolIndex(0), |(block, around)| block.symbol(around.place.wrapping_add(1)))
    }

    /// How many blocks begin at or below an address.
    #[inline]
    fn blocks_up_to(&self, address: u64) -> u32 {
        match address.checked_sub(self.link_base).map(|distance| self.hinted_up_to(distance)) {
            Some(hinted) if hinted > self.unhinted => hinted,
            _ => self.unhinted_up_to(address),
        }
    }

    /// The same of the leading absolute run.
    fn unhinted_up_to(&self, address: u64) -> u32 {
        self.bisect(0, self.unhinted, address)
    }

    /// How many blocks, the unhinted ones among them, begin at most `distance` above the link base.
    #[inline]
    fn hinted_up_to(&self, distance: u64) -> u32 {
        let bucket = usize::try_from(distance.wrapping_shr(u32::from(self.hint_shift))).unwrap_or(usize::MAX);
        match (self.hint(bucket), self.hint(bucket.wrapping_add(1))) {
            (Some(low), Some(high)) => {
                let low = low.wrapping_add(self.unhinted);
                self.bisect(low, high.wrapping_add(self.unhinted), distance)
            }
            // Behind the last block's base.
            _ => self.block_count(),
        }
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

    /// The first block from `low` to `high` whose stored base is above `limit`.
    #[inline]
    fn bisect(&self, low: u32, high: u32, limit: u64) -> u32 {
        let range = index(low)..index(high);
        let below = match self.blocks {
            Blocks::Narrow(blocks) => blocks
                .get(range)
                .map_or(0, |blocks| blocks.partition_point(|block| u64::from(block.base.get()) <= limit)),
            Blocks::Wide(blocks) => blocks
                .get(range)
                .map_or(0, |blocks| blocks.partition_point(|block| block.base.get() <= limit)),
        };
        low.wrapping_add(low32(wide(below)))
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
}
