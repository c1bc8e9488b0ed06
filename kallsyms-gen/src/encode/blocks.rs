//! Blocks, hints and records.

use kallsyms_core::image::layout::{BIT_PADDING, BLOCK_SYMBOLS, Block, RecordHead, WideBlock};
use zerocopy::IntoBytes;

use super::bit_writer::BitWriter;
use super::names::Names;
use super::{EncodeError, Frame};
use crate::symbols::Symbol;

/// Widths that a record's head can say.
const WIDTHS: u8 = 4;

/// The three sections that say where symbols start and what they are called.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    pub(super) blocks: Vec<u8>,
    pub(super) wide: bool,
    pub(super) hints: Vec<u8>,
    pub(super) wide_hints: bool,
    pub(super) hint_shift: u8,
    pub(super) records: Vec<u8>,
}

impl Blocks {
    pub(super) fn encode(symbols: &[Symbol], names: &Names, frame: &Frame) -> Result<Self, EncodeError> {
        let mut bases = Vec::new();
        let mut records = Vec::new();
        for (number, block) in symbols.chunks(BLOCK_SYMBOLS as usize).enumerate() {
            let first = number * BLOCK_SYMBOLS as usize;
            let base = block[0].address - if first < frame.leading { 0 } else { frame.link_base };
            let offset =
                u32::try_from(records.len()).map_err(|_| EncodeError::TooLarge { what: "records" })?;
            bases.push((base, offset));
            write_record(&mut records, block, first, names, frame);
        }
        records.extend([0; BIT_PADDING]);
        let wide = bases.iter().any(|(base, _)| u32::try_from(*base).is_err());
        let hinted = frame.leading.div_ceil(BLOCK_SYMBOLS as usize).min(bases.len());
        let (hint_shift, hints) = hints(&bases[hinted..]);
        let wide_hints = hints.last().is_some_and(|hint| u16::try_from(*hint).is_err());
        let hints = if wide_hints {
            hints.iter().flat_map(|hint| hint.to_le_bytes()).collect()
        } else {
            hints.iter().flat_map(|hint| (*hint as u16).to_le_bytes()).collect()
        };
        let blocks = bases.iter().flat_map(|&(base, record)| block_bytes(wide, base, record)).collect();
        Ok(Self { blocks, wide, hints, wide_hints, hint_shift, records })
    }
}

fn block_bytes(wide: bool, base: u64, record: u32) -> Vec<u8> {
    if wide {
        WideBlock { base: base.into(), record: record.into() }.as_bytes().to_vec()
    } else {
        Block { base: (base as u32).into(), record: record.into() }.as_bytes().to_vec()
    }
}

/// Hint k is the number of blocks whose base >> shift is below k; there are no more hints than blocks, plus
/// one.
fn hints(bases: &[(u64, u32)]) -> (u8, Vec<u32>) {
    let Some(&(last, _)) = bases.last() else { return (0, Vec::new()) };
    let shift = (0u8..64).find(|shift| last >> shift < bases.len() as u64).unwrap_or(63);
    let hints = (0..=(last >> shift) + 1)
        .map(|bucket| bases.partition_point(|(base, _)| base >> shift < bucket) as u32)
        .collect();
    (shift, hints)
}

fn write_record(records: &mut Vec<u8>, block: &[Symbol], first: usize, names: &Names, frame: &Frame) {
    let base = block[0].address;
    let deltas: Vec<u64> = block.iter().map(|symbol| symbol.address - base).collect();
    let shift = deltas.iter().fold(RecordHead::MAX_SHIFT, |shift, delta| shift.min(delta.trailing_zeros()));
    let deltas: Vec<u64> = deltas.iter().map(|delta| delta >> shift).collect();
    let counts: Vec<u64> = (0..block.len()).map(|place| names.codes(first + place).len() as u64).collect();
    let delta_width = width_of(&deltas, |width| 8 << width);
    let count_width = width_of(&counts, |width| 4 << width);
    let links: Vec<Option<u32>> = names.links[first..first + block.len()].to_vec();
    let has_links = links.iter().any(Option::is_some);

    records.push(RecordHead::new(delta_width, count_width, shift as u8, has_links).0);
    write_numbers(records, &deltas, 8 << delta_width, u64::MAX);
    write_numbers(records, &counts, 4 << count_width, 0);
    if has_links {
        let present = links
            .iter()
            .enumerate()
            .fold(0u16, |bits, (place, link)| bits | u16::from(link.is_some()) << place);
        records.extend(present.to_le_bytes());
        for link in links.into_iter().flatten() {
            records.extend(&link.to_le_bytes()[..usize::from(frame.link_bytes)]);
        }
    }
    let mut codes = BitWriter::default();
    for place in 0..block.len() {
        for code in names.codes(first + place) {
            codes.push(u64::from(*code), u32::from(names.encoded.dictionary.code_bits));
        }
    }
    records.extend(codes.finish());
}

/// The least of the four widths whose `bits` hold every number.
fn width_of(numbers: &[u64], bits: impl Fn(u8) -> u32) -> u8 {
    let largest = numbers.iter().copied().max().unwrap_or(0);
    (0..WIDTHS).find(|&width| bits(width) >= 64 || largest >> bits(width) == 0).unwrap_or(WIDTHS - 1)
}

/// Sixteen numbers of `bits` each; `filler` stands where the block has no symbol.
fn write_numbers(records: &mut Vec<u8>, numbers: &[u64], bits: u32, filler: u64) {
    let padded = numbers.iter().copied().chain(std::iter::repeat(filler)).take(BLOCK_SYMBOLS as usize);
    if bits == 4 {
        let nibbles: Vec<u8> = padded.map(|number| number as u8).collect();
        records.extend(nibbles.chunks(2).map(|pair| pair[0] | pair[1] << 4));
    } else {
        padded.for_each(|number| records.extend(&number.to_le_bytes()[..bits as usize / 8]));
    }
}
