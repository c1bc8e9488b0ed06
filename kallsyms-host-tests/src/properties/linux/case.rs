//! Linux's tables as one input.

use kallsyms_core::linux::{Encoding, Endian, Kallsyms, Lengths, NameOrder, Width};

use super::compare::compare_symbols;
use super::raw::RawTables;
use crate::properties::input::{Parts, push_part};
use crate::properties::table::{self, Contents};
use crate::random::Random;

/// Symbols up to which a case is compared with the slow reader, which looks at every one for every question.
const MAX_SYMBOLS: u32 = 600;

/// As [`check_tables`], of the tables of an input.
///
/// # Panics
///
/// Where it is not so.
pub fn check_case(input: &[u8]) {
    check_tables(&read_case(input), &mut Random::of(input));
}

/// Tables are refused with an error, or answer as the slow reader does, with an index of their names and without.
///
/// # Panics
///
/// Where they do not.
pub fn check_tables(raw: &RawTables, random: &mut Random) {
    match Kallsyms::new(raw.view()) {
        Ok(kallsyms) => check_accepted(raw, &kallsyms, random),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

fn check_accepted(raw: &RawTables, kallsyms: &Kallsyms<'_>, random: &mut Random) {
    table::check(kallsyms, random, Contents::Checked);
    let mut room = vec![0; kallsyms.name_index_words()];
    let indexed = kallsyms.with_name_index(&mut room).expect("there is room");
    table::check(&indexed, random, Contents::Checked);
    if raw.num_syms <= MAX_SYMBOLS {
        compare_symbols(raw, kallsyms, random);
    }
}

/// The tables of an input, whatever it is.
#[must_use]
pub fn read_case(input: &[u8]) -> RawTables {
    let mut parts = Parts::new(input);
    let (flags, encoding) = (parts.byte(), parts.byte());
    let has = |bit: u8| flags >> bit & 1 == 1;
    let width = |wide| if wide { Width::Bits64 } else { Width::Bits32 };
    let order = |big| if big { Endian::Big } else { Endian::Little };
    let (num_syms, base) = (u32::from(parts.half()), parts.number());
    let names = parts.part().to_vec();
    let places = parts.part().to_vec();
    let (markers, name_offsets) =
        if has(5) { (Some((places, width(has(6)))), Vec::new()) } else { (None, places) };
    RawTables {
        num_syms,
        pointer: width(has(0)),
        endian: order(has(1)),
        encoding: match encoding % 5 {
            0 => Encoding::Absolute,
            1 => Encoding::Offset,
            2 => Encoding::UnsignedBase { relative_base: base },
            3 => Encoding::SignedPercpu { relative_base: base },
            _ => Encoding::PcRelative { offsets_address: base },
        },
        lengths: match flags >> 2 & 3 {
            1 => Some(Lengths::Byte),
            2 => Some(Lengths::ByteOrTwo),
            _ => None,
        },
        names,
        markers,
        name_offsets: (name_offsets, order(has(7))),
        token_table: parts.part().to_vec(),
        token_index: parts.part().to_vec(),
        offsets: parts.part().to_vec(),
        seqs_of_names: parts.part().to_vec(),
        name_order: if has(4) { NameOrder::WithoutLlvm } else { NameOrder::Whole },
    }
}

/// The input of tables, each of which has less than 64 KiB.
///
/// # Panics
///
/// Of a larger one.
#[must_use]
pub fn write_case(raw: &mut RawTables) -> Vec<u8> {
    let (encoding, base) = match raw.encoding {
        Encoding::Absolute => (0, 0),
        Encoding::Offset => (1, 0),
        Encoding::UnsignedBase { relative_base } => (2, relative_base),
        Encoding::SignedPercpu { relative_base } => (3, relative_base),
        Encoding::PcRelative { offsets_address } => (4, offsets_address),
    };
    let lengths = match raw.lengths {
        None => 0,
        Some(Lengths::Byte) => 1,
        Some(Lengths::ByteOrTwo) => 2,
    };
    let marker_width = raw.markers.as_ref().map(|(_, width)| *width);
    let flags = u8::from(raw.pointer == Width::Bits64)
        | u8::from(raw.endian == Endian::Big) << 1
        | lengths << 2
        | u8::from(raw.name_order == NameOrder::WithoutLlvm) << 4
        | u8::from(marker_width.is_some()) << 5
        | u8::from(marker_width == Some(Width::Bits64)) << 6
        | u8::from(raw.name_offsets.1 == Endian::Big) << 7;
    let mut input = vec![flags, encoding];
    input.extend(u16::try_from(raw.num_syms).expect("few symbols").to_le_bytes());
    input.extend(base.to_le_bytes());
    raw.parts_mut().iter().for_each(|part| push_part(&mut input, part));
    input
}
