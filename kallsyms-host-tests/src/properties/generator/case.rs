//! A list of symbols, or a file, as one input.

use kallsyms_core::Image;
use kallsyms_core::linux::{Endian, Lengths, NameOrder, Width};
use kallsyms_gen::build::{BuildError, build, build_linux, build_untrained};
use kallsyms_gen::compress::Profile;
use kallsyms_gen::embed;
use kallsyms_gen::input::{self, Demangling};
use kallsyms_gen::linux::AddressForm;
use kallsyms_gen::linux::write::{Options, PlaceForm, own_symbols};
use kallsyms_gen::object_file::Machine;
use kallsyms_gen::order;
use kallsyms_gen::sizes::settle;
use kallsyms_gen::symbols::{Candidate, Symbol, Symbols};

use super::{by_oracle, by_reader};
use crate::properties::input::{Parts, push_part};
use crate::properties::table::{self, Contents};
use crate::random::Random;
use crate::symbols::{sorted, symbol};

/// Most symbols of a case: the oracle looks at every one for every question.
const MAX_SYMBOLS: usize = 80;

/// Where code lies: a place of a symbol is counted from one of these.
const BASES: [u64; 4] = [0, 0xffff_ffff_8100_0000, u64::MAX - 0xffff, 0x1_0000];

/// A list of symbols, and how it is written.
#[derive(Debug, Clone, Default)]
pub struct Case {
    /// Bit 0: symbols of an ELF, with sizes, bit 1: the dictionary is trained, bit 2: addresses have 8 digits.
    pub flags: u8,
    /// The forms of Linux's tables.
    pub forms: u8,
    /// How far the kernel is moved.
    pub slide: u64,
    /// The symbols.
    pub entries: Vec<Entry>,
}

/// A symbol of a case.
#[derive(Debug, Clone, Default)]
pub struct Entry {
    /// Which base its address is counted from, and how wide its steps are.
    pub base: u8,
    /// Steps from there.
    pub steps: u16,
    /// Its nm type.
    pub kind: u8,
    /// Bytes that it claims.
    pub size: u16,
    /// Its name.
    pub name: Vec<u8>,
}

impl Entry {
    fn address(&self) -> u64 {
        let step = if self.base & 4 == 0 { 1 } else { 16 };
        BASES[usize::from(self.base & 3)].wrapping_add(u64::from(self.steps) * step)
    }
}

/// A list of symbols is found in full, both ways, in whatever table holds it; one that cannot hold it is an error.
///
/// # Panics
///
/// Where it is not so.
pub fn check_case(input: &[u8]) {
    let case = read_case(input);
    if case.entries.is_empty() {
        return;
    }
    let symbols = symbols(&case);
    let built = match case.flags & 2 {
        0 => build_untrained(&symbols),
        _ => build(&symbols, Profile::Fast, &mut |_, _| ()),
    };
    match built {
        Ok(bytes) => {
            let slide = if case.flags & 4 == 0 { case.slide } else { 0 };
            by_oracle::check(&bytes, &symbols, slide, &[]);
            by_reader::check_image(&bytes, &symbols, &[]);
            table::check(&Image::parse(&bytes).expect("is sound"), &mut Random::of(input), Contents::Checked);
        }
        Err(error) => refused(&error),
    }
    match build_linux(&symbols, &options(case.forms)) {
        Ok(tables) => {
            let kallsyms = tables.kallsyms().expect("is sound");
            let listed = kallsyms
                .iter()
                .map(|symbol| (symbol.address(), symbol.kind(), symbol.name().bytes().collect()));
            let own = own_symbols(&symbols)
                .list
                .into_iter()
                .map(|symbol| (symbol.address, symbol.kind, symbol.name));
            assert!(listed.eq(own));
            table::check(&kallsyms, &mut Random::of(input), Contents::Checked);
        }
        Err(error) => refused(&error),
    }
}

/// A file gives symbols that a table can hold, or an error; never one that fails its own check.
///
/// # Panics
///
/// Where it is not so.
pub fn check_file(bytes: &[u8]) {
    for demangling in [Demangling::Never, Demangling::Always] {
        let options = input::Options {
            demangling,
            all_symbols: demangling == Demangling::Never,
            drop_padding: demangling == Demangling::Always,
        };
        match input::read(bytes, &options) {
            Ok(found) => match build_untrained(&found.symbols) {
                Ok(image) => assert!(Image::parse(&image).is_ok_and(|image| image.verify().is_ok())),
                Err(error) => refused(&error),
            },
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
    for error in [
        embed::find(bytes, None).err().map(|error| error.to_string()),
        embed::embedded(bytes).err().map(|error| error.to_string()),
        Machine::of(bytes).err().map(|error| error.to_string()),
    ] {
        assert!(error.is_none_or(|text| !text.is_empty()));
    }
}

fn refused(error: &BuildError) {
    assert!(!matches!(error, BuildError::Verify(_)), "{error:?}");
    assert!(!error.to_string().is_empty());
}

fn symbols(case: &Case) -> Symbols {
    let mask = if case.flags & 4 == 0 { u64::MAX } else { u64::from(u32::MAX) };
    let address_digits = if case.flags & 4 == 0 { 16 } else { 8 };
    let entries = case.entries.iter().take(MAX_SYMBOLS);
    let list: Vec<Symbol> = if case.flags & 1 == 0 {
        entries.map(|entry| symbol(entry.address() & mask, entry.kind, entry.name.clone())).collect()
    } else {
        let candidate = |entry: &Entry| Candidate {
            address: entry.address() & mask,
            kind: entry.kind,
            name: entry.name.clone(),
            size: entry.size.into(),
            room: (!entry.kind.eq_ignore_ascii_case(&b'a'))
                .then(|| (mask - (entry.address() & mask)).min(0x1_0000)),
        };
        let mut candidates: Vec<Candidate> = entries.map(candidate).collect();
        order::sort(&mut candidates);
        settle(candidates)
    };
    Symbols { address_digits, ..sorted(list) }
}

fn options(forms: u8) -> Options {
    let has = |bit: u8| forms >> bit & 1 == 1;
    let width = |wide| if wide { Width::Bits64 } else { Width::Bits32 };
    let order = |big| if big { Endian::Big } else { Endian::Little };
    Options {
        pointer: width(!has(0)),
        endian: order(has(1)),
        addresses: [
            AddressForm::SignedPercpu,
            AddressForm::Absolute,
            AddressForm::PcRelative,
            AddressForm::UnsignedBase,
        ][usize::from(forms >> 2 & 3)],
        offsets_address: None,
        lengths: if has(4) { Lengths::Byte } else { Lengths::ByteOrTwo },
        places: if has(5) { PlaceForm::Offsets(order(has(6))) } else { PlaceForm::Markers(width(has(6))) },
        seqs_of_names: (!has(7)).then_some(NameOrder::Whole),
    }
}

fn read_case(input: &[u8]) -> Case {
    let mut parts = Parts::new(input);
    let mut case =
        Case { flags: parts.byte(), forms: parts.byte(), slide: parts.number(), entries: Vec::new() };
    while !parts.is_empty() && case.entries.len() < MAX_SYMBOLS {
        let (base, steps, kind, size) = (parts.byte(), parts.half(), parts.byte(), parts.half());
        case.entries.push(Entry { base, steps, kind, size, name: parts.part().to_vec() });
    }
    case
}

/// The input of a case.
#[must_use]
pub fn write_case(case: &Case) -> Vec<u8> {
    let mut input = vec![case.flags, case.forms];
    input.extend(case.slide.to_le_bytes());
    for entry in &case.entries {
        input.push(entry.base);
        input.extend(entry.steps.to_le_bytes());
        input.push(entry.kind);
        input.extend(entry.size.to_le_bytes());
        push_part(&mut input, &entry.name);
    }
    input
}
