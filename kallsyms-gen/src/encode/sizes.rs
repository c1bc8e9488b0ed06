//! Sizes: gap nibbles and exceptions.

use kallsyms_core::image::layout::{GAP_ESCAPE, NO_PARENT, SizeException};
use zerocopy::IntoBytes;

use super::Frame;
use crate::symbols::Symbol;

/// The two sections that hold true sizes; both empty where the input tells none.
#[derive(Debug, Default)]
pub(super) struct Sizes {
    pub(super) gaps: Vec<u8>,
    pub(super) exceptions: Vec<u8>,
}

impl Sizes {
    pub(super) fn encode(symbols: &[Symbol], frame: &Frame) -> Self {
        let mut sizes = Self::default();
        if symbols.iter().all(|symbol| symbol.size.is_none() && symbol.parent.is_none()) {
            return sizes;
        }
        let nibbles: Vec<u8> = symbols
            .iter()
            .zip(distances(symbols, frame))
            .enumerate()
            .map(|(at, (symbol, distance))| sizes.gap(at as u32, symbol, distance))
            .collect();
        sizes.gaps = nibbles.chunks(2).map(|pair| pair[0] | pair.get(1).unwrap_or(&0) << 4).collect();
        sizes
    }

    fn gap(&mut self, at: u32, symbol: &Symbol, distance: Option<u64>) -> u8 {
        let gap = match (symbol.size, distance) {
            (None, _) => Some(0),
            (Some(size), Some(distance)) => {
                distance.checked_sub(size).filter(|gap| *gap <= u64::from(GAP_ESCAPE))
            }
            (Some(_), None) => None,
        };
        match gap {
            Some(gap) if symbol.parent.is_none() => gap as u8,
            _ => {
                let exception = SizeException {
                    symbol: at.into(),
                    parent: symbol.parent.unwrap_or(NO_PARENT).into(),
                    size: symbol.size.or(distance).unwrap_or(0).into(),
                };
                self.exceptions.extend(exception.as_bytes());
                GAP_ESCAPE
            }
        }
    }
}

/// Bytes from each symbol to the next different address, as the core's views see them.
fn distances(symbols: &[Symbol], frame: &Frame) -> Vec<Option<u64>> {
    let mut distances = vec![None; symbols.len()];
    let mut above = frame.end_known.then(|| frame.covered_last.checked_add(1)).flatten();
    let mut end = symbols.len();
    while end > 0 {
        let address = symbols[end - 1].address;
        let start =
            symbols[..end].iter().rposition(|symbol| symbol.address != address).map_or(0, |at| at + 1);
        let meets_kernel = start < frame.leading && end >= frame.leading;
        let distance = above.filter(|_| !meets_kernel).map(|above| above - address);
        distances[start..end].fill(distance);
        (above, end) = (Some(address), start);
    }
    distances
}
