//! `kallsyms_offsets` and `kallsyms_addresses`.

use super::bisect::{first_not, first_not_near, start_of_run};
use super::error::{Error, Part};
use super::format::{Encoding, Tables, Width};
use super::numbers::Words;
use crate::num::{low32, widen};

/// The addresses of all symbols, ascending.
#[derive(Debug, Clone, Copy)]
pub(super) struct Addresses<'a> {
    words: Words<'a>,
    encoding: Encoding,
    pointer: Width,
    count: u32,
}

/// The first symbol at an address, and the next different address.
#[derive(Debug, Clone, Copy)]
pub(super) struct Found {
    pub(super) symbol: u32,
    pub(super) start: u64,
    pub(super) next: Option<u64>,
}

impl<'a> Addresses<'a> {
    /// Checks that the addresses ascend.
    pub(super) fn new(tables: &Tables<'a>) -> Result<Self, Error> {
        let Tables { num_syms: count, pointer, encoding, .. } = *tables;
        let width = if encoding == Encoding::Absolute { pointer } else { Width::Bits32 };
        let words = Words::new(Part::Offsets, tables.offsets, tables.endian, count, width)?;
        let addresses = Self { words, encoding, pointer, count };
        let mut previous = 0;
        for symbol in 0..count {
            let address = addresses.get(symbol).unwrap_or(0);
            if address < previous {
                return Err(Error::AddressOrder { symbol, address, previous });
            }
            previous = address;
        }
        Ok(addresses)
    }

    #[inline]
    pub(super) fn get(&self, symbol: u32) -> Option<u64> {
        let word = self.words.get(symbol)?;
        let signed = low32(word).cast_signed();
        let distance = i64::from(signed).cast_unsigned();
        let address = match self.encoding {
            Encoding::Absolute | Encoding::Offset => word,
            Encoding::UnsignedBase { relative_base } => relative_base.wrapping_add(word),
            Encoding::SignedPercpu { .. } if signed >= 0 => word,
            Encoding::SignedPercpu { relative_base } => relative_base.wrapping_sub(distance).wrapping_sub(1),
            Encoding::PcRelative { offsets_address } => {
                offsets_address.wrapping_add(widen(symbol).wrapping_mul(4)).wrapping_add(distance)
            }
        };
        Some(match self.pointer {
            Width::Bits64 => address,
            Width::Bits32 => widen(low32(address)),
        })
    }

    /// The first symbol at the highest address that is not above. Steps: a bisection.
    pub(super) fn find(&self, address: u64) -> Option<Found> {
        let above = first_not(0, self.count, |at| self.get(at).is_some_and(|here| here <= address));
        let start = self.get(above.checked_sub(1)?)?;
        let symbol = start_of_run(above, |at| self.get(at) == Some(start));
        Some(Found { symbol, start, next: self.get(above) })
    }

    /// The lowest address above a symbol's own. Steps: two bisections, near the symbol.
    pub(super) fn next_above(&self, symbol: u32, start: u64) -> Option<u64> {
        let above = first_not_near(symbol, self.count, |at| self.get(at).is_some_and(|here| here <= start));
        self.get(above)
    }
}
