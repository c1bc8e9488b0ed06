//! Random symbols that Linux's tables can hold, and the ways to write them.

use kallsyms_core::linux::{Endian, Lengths, NameOrder, Width};
use kallsyms_gen::linux::AddressForm;
use kallsyms_gen::linux::write::{MAX_NAME, Options, PlaceForm};
use kallsyms_gen::symbols::{Symbol, Symbols};
use proptest::collection::SizeRange;
use proptest::prelude::*;

use crate::symbols::{sorted, table};

/// Tokens that a length of one byte tells: what no compression makes longer.
const MAX_ONE_BYTE_NAME: usize = 254;

/// Every layout of the tables, but for the place of `kallsyms_offsets`.
pub fn options() -> impl Strategy<Value = Options> {
    let endian = || prop_oneof![Just(Endian::Little), Just(Endian::Big)];
    let width = || prop_oneof![Just(Width::Bits32), Just(Width::Bits64)];
    let addresses = prop_oneof![
        Just(AddressForm::Absolute),
        Just(AddressForm::UnsignedBase),
        Just(AddressForm::SignedPercpu),
        Just(AddressForm::PcRelative),
        Just(AddressForm::Offset),
    ];
    let places = prop_oneof![width().prop_map(PlaceForm::Markers), endian().prop_map(PlaceForm::Offsets)];
    let lengths = prop_oneof![Just(Lengths::Byte), Just(Lengths::ByteOrTwo)];
    let seqs = prop_oneof![Just(None), Just(Some(NameOrder::Whole)), Just(Some(NameOrder::WithoutLlvm))];
    (width(), endian(), addresses, lengths, places, seqs).prop_map(
        |(pointer, endian, addresses, lengths, places, seqs_of_names)| Options {
            pointer,
            endian,
            addresses,
            offsets_address: None,
            lengths,
            places,
            seqs_of_names,
        },
    )
}

/// Symbols that these options can hold, in table order.
pub fn symbols_for(options: Options, len: impl Into<SizeRange>) -> impl Strategy<Value = Symbols> {
    let bases = match options.pointer {
        Width::Bits64 => [0, 0x10_0000, 0xffff_8000_0000_0000, 0xffff_ffff_8000_0000],
        Width::Bits32 => [0, 0x10_0000, 0x7000_0000, 0x8000_0000],
    };
    (table(len), proptest::sample::select(bases.to_vec())).prop_map(move |(symbols, base)| {
        let list = symbols.list.into_iter().map(|symbol| fitted(symbol, &options, base)).collect();
        let address_digits = if options.pointer == Width::Bits32 { 8 } else { 16 };
        Symbols { address_digits, ..sorted(list) }
    })
}

fn fitted(mut symbol: Symbol, options: &Options, base: u64) -> Symbol {
    symbol.module = None;
    symbol.name.truncate(match options.lengths {
        Lengths::Byte => MAX_ONE_BYTE_NAME,
        Lengths::ByteOrTwo => MAX_NAME,
    });
    let low_32 = symbol.address & 0xffff_ffff;
    let low_31 = symbol.address & 0x7fff_ffff;
    // Constants and percpu symbols are low, or anywhere in the kernel.
    let is_low = symbol.kind.eq_ignore_ascii_case(&b'a') && symbol.address & 1 << 40 == 0;
    symbol.address = match (options.addresses, options.pointer) {
        (AddressForm::Absolute, Width::Bits64) => symbol.address,
        (AddressForm::SignedPercpu, _) if is_low => low_31,
        (AddressForm::SignedPercpu | AddressForm::PcRelative, Width::Bits64) => base + low_31,
        (AddressForm::SignedPercpu, Width::Bits32) => base + low_31 % 0x7000_0000,
        (AddressForm::UnsignedBase, Width::Bits64) => base.min(0xffff_8000_0000_0000) + low_32,
        (_, Width::Bits32) | (AddressForm::Offset, _) => low_32,
    };
    symbol
}
