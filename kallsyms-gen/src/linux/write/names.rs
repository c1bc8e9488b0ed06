//! Names as tokens, and where each is found.

use kallsyms_core::linux::{Lengths, Width};

use super::{Options, PlaceForm, U24, WriteError, printable};
use crate::linux::markers::STRIDE;
use crate::linux::numbers::Numbers;
use crate::linux::tables::Places;
use crate::linux::tokens::Texts;
use crate::symbols::Symbol;

/// The tables that have to do with names.
#[derive(Debug)]
pub(super) struct Names {
    pub(super) records: Vec<u8>,
    pub(super) places: Places,
    pub(super) token_table: Vec<u8>,
    pub(super) token_index: Vec<u8>,
}

pub(super) fn encode(symbols: &[&Symbol], options: &Options) -> Result<Names, WriteError> {
    let mut texts = Texts::new(symbols.iter().map(|symbol| (symbol.kind, symbol.name.as_slice())));
    let most = u32::MAX as usize;
    if texts.total() > most {
        let hint = "leave out symbols";
        return Err(WriteError::NamesTooLong { bytes: texts.total(), most, hint });
    }
    let tokens = texts.compress();
    let (mut records, mut starts) = (Vec::with_capacity(texts.total()), Vec::with_capacity(symbols.len()));
    for (index, text) in texts.iter().enumerate() {
        starts.push(records.len());
        push_length(&mut records, text.len(), options.lengths).ok_or_else(|| WriteError::RecordTooLong {
            index,
            name: printable(symbols[index]),
            tokens: text.len(),
        })?;
        records.extend_from_slice(text);
    }
    let places = places(&starts, options)?;
    let (token_table, token_index) = token_tables(&tokens, options)?;
    Ok(Names { records, places, token_table, token_index })
}

/// `None` where the scheme cannot tell the length.
fn push_length(records: &mut Vec<u8>, len: usize, lengths: Lengths) -> Option<()> {
    match lengths {
        Lengths::ByteOrTwo if len > 0x7f => {
            records.extend([(len & 0x7f) as u8 | 0x80, u8::try_from(len >> 7).ok()?]);
        }
        Lengths::Byte | Lengths::ByteOrTwo => records.push(u8::try_from(len).ok()?),
    }
    Some(())
}

fn places(starts: &[usize], options: &Options) -> Result<Places, WriteError> {
    let last = starts.last().copied().unwrap_or(0);
    let too_long = |most, hint| Err(WriteError::NamesTooLong { bytes: last, most, hint });
    match options.places {
        PlaceForm::Markers(width) => {
            if width == Width::Bits32 && u32::try_from(last).is_err() {
                return too_long(u32::MAX as usize, "leave out symbols");
            }
            let mut table = Numbers::new(options.endian);
            for &start in starts.iter().step_by(STRIDE) {
                table.push_wide(start as u64, width);
            }
            Ok(Places::Markers { bytes: table.into_bytes(), width })
        }
        PlaceForm::Offsets(endian) => {
            if last >= U24 {
                return too_long(U24 - 1, "leave out symbols, or write markers (--layout linux)");
            }
            let mut table = Numbers::new(endian);
            for &start in starts {
                table.push_u24(start as u32);
            }
            Ok(Places::Offsets { bytes: table.into_bytes(), endian })
        }
    }
}

/// The strings, each closed by a NUL, and the offset of each.
fn token_tables(tokens: &[Vec<u8>], options: &Options) -> Result<(Vec<u8>, Vec<u8>), WriteError> {
    let bytes = tokens.iter().map(|token| token.len() + 1).sum();
    let mut table = Vec::with_capacity(bytes);
    let mut index = Numbers::new(options.endian);
    for token in tokens {
        index.push_u16(u16::try_from(table.len()).map_err(|_| WriteError::TokensTooLong { bytes })?);
        table.extend_from_slice(token);
        table.push(0);
    }
    Ok((table, index.into_bytes()))
}
