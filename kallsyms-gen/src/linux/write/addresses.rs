//! Addresses in each of the encodings.

use kallsyms_core::linux::{Encoding, Width};
use kallsyms_core::table::is_absolute_kind;

use super::{Options, WriteError, printable};
use crate::linux::AddressForm;
use crate::linux::numbers::Numbers;
use crate::symbols::Symbol;

/// The table of the addresses, and how to read it.
pub(super) fn encode(symbols: &[&Symbol], options: &Options) -> Result<(Encoding, Vec<u8>), WriteError> {
    let encoding = encoding(symbols, options);
    let mut table = Numbers::new(options.endian);
    for (index, symbol) in symbols.iter().enumerate() {
        let address = symbol.address;
        if options.pointer == Width::Bits32 && u32::try_from(address).is_err() {
            return Err(WriteError::AddressTooWide { index, name: printable(symbol), address });
        }
        if encoding == Encoding::Absolute {
            table.push_wide(address, options.pointer);
            continue;
        }
        let offset = offset(encoding, index, symbol, options.pointer).ok_or_else(|| {
            let (lowest, highest) = reach(encoding, index);
            let (name, form) = (printable(symbol), options.addresses);
            WriteError::AddressOutOfReach { index, name, address, form, lowest, highest }
        })?;
        table.push_u32(offset);
    }
    Ok((encoding, table.into_bytes()))
}

fn encoding(symbols: &[&Symbol], options: &Options) -> Encoding {
    let lowest = |counts: fn(&Symbol) -> bool| {
        symbols.iter().filter(|symbol| counts(symbol)).map(|symbol| symbol.address).min().unwrap_or(0)
    };
    match options.addresses {
        AddressForm::Absolute => Encoding::Absolute,
        AddressForm::Offset => Encoding::Offset,
        AddressForm::UnsignedBase => Encoding::UnsignedBase { relative_base: lowest(|_| true) },
        AddressForm::SignedPercpu => {
            Encoding::SignedPercpu { relative_base: lowest(|symbol| !stands_for_itself(symbol)) }
        }
        AddressForm::PcRelative => {
            let middle = || {
                let highest = symbols.iter().map(|symbol| symbol.address).max().unwrap_or(0);
                let lowest = lowest(|_| true);
                (lowest + (highest - lowest) / 2) & !3
            };
            Encoding::PcRelative { offsets_address: options.offsets_address.unwrap_or_else(middle) }
        }
    }
}

/// Whether the kernel's generator takes a symbol for percpu: its value moves with no kernel.
///
/// An absolute symbol at a high address, as `_text` is in some kernels, is counted from the base like code.
fn stands_for_itself(symbol: &Symbol) -> bool {
    is_absolute_kind(symbol.kind) && i32::try_from(symbol.address).is_ok()
}

/// The entry of a symbol, where it can hold the address.
fn offset(encoding: Encoding, index: usize, symbol: &Symbol, pointer: Width) -> Option<u32> {
    let address = symbol.address;
    match encoding {
        Encoding::Absolute | Encoding::Offset => u32::try_from(address).ok(),
        Encoding::UnsignedBase { relative_base } => u32::try_from(address.checked_sub(relative_base)?).ok(),
        Encoding::SignedPercpu { .. } if stands_for_itself(symbol) => u32::try_from(address).ok(),
        Encoding::SignedPercpu { relative_base } => {
            // base − 1 − offset is the address: the offset is its complement.
            let distance = i32::try_from(address.checked_sub(relative_base)?).ok()?;
            Some((!distance).cast_unsigned())
        }
        Encoding::PcRelative { offsets_address } => {
            let distance = address.wrapping_sub(entry(offsets_address, index));
            match pointer {
                // All of the address space is within reach, which ends where it begins.
                Width::Bits32 => Some(distance as u32),
                Width::Bits64 => i32::try_from(distance.cast_signed()).ok().map(i32::cast_unsigned),
            }
        }
    }
}

/// The lowest and the highest address that an entry can hold.
fn reach(encoding: Encoding, index: usize) -> (u64, u64) {
    const HALF: u64 = 1 << 31;
    let whole = u64::from(u32::MAX);
    match encoding {
        Encoding::Absolute => (0, u64::MAX),
        Encoding::Offset => (0, whole),
        Encoding::UnsignedBase { relative_base } => (relative_base, relative_base.saturating_add(whole)),
        Encoding::SignedPercpu { relative_base } => (relative_base, relative_base.saturating_add(HALF - 1)),
        Encoding::PcRelative { offsets_address } => {
            let entry = entry(offsets_address, index);
            (entry.saturating_sub(HALF), entry.saturating_add(HALF - 1))
        }
    }
}

/// Where an entry of a table of offsets lies.
fn entry(offsets_address: u64, index: usize) -> u64 {
    offsets_address.wrapping_add(4 * index as u64)
}
