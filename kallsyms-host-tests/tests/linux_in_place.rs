//! Tables in memory as a kernel has them: one region, labels in it, other bytes behind each table.

use kallsyms_core::linux::{Encoding, Endian, Error, Kallsyms, Places, Region, Tables, Width};
use kallsyms_gen::linux::write::{self, Options, PlaceForm, write};
use kallsyms_gen::linux::{self, AddressForm};
use kallsyms_gen::symbols::{Symbol, Symbols};
use kallsyms_host_tests::fixtures::linux_like;

const RODATA: u64 = 0xffff_ffff_8200_0003;

/// The tables behind one another, none aligned, and their labels in the order they are handed over.
struct Memory {
    bytes: Vec<u8>,
    labels: Vec<u64>,
}

impl Memory {
    fn new(parts: &[&[u8]]) -> Self {
        let mut memory = Self { bytes: vec![0xa5; 5], labels: Vec::new() };
        for part in parts {
            memory.labels.push(RODATA + memory.bytes.len() as u64);
            memory.bytes.extend(*part);
            memory.bytes.extend([0xa5; 3]);
        }
        memory
    }

    fn region(&self) -> Region<'_> {
        Region { address: RODATA, bytes: &self.bytes }
    }
}

fn number(value: u64, width: Width, endian: Endian) -> Vec<u8> {
    let bytes = match endian {
        Endian::Little => value.to_le_bytes().to_vec(),
        Endian::Big => value.to_be_bytes().to_vec(),
    };
    match (width, endian) {
        (Width::Bits64, _) => bytes,
        (Width::Bits32, Endian::Little) => bytes[..4].to_vec(),
        (Width::Bits32, Endian::Big) => bytes[4..].to_vec(),
    }
}

/// What a kernel of this layout would do with its own labels.
fn in_place(tables: &linux::Tables, pc_relative: bool) {
    let (relative_base, offsets_at) = match tables.encoding {
        Encoding::UnsignedBase { relative_base } | Encoding::SignedPercpu { relative_base } => {
            (relative_base, 0)
        }
        Encoding::PcRelative { offsets_address } => (0, offsets_address),
        _ => (0, 0),
    };
    let (pointer, endian) = (tables.pointer, tables.endian);
    let parts: [&[u8]; 8] = [
        &number(tables.num_syms.into(), Width::Bits32, endian),
        &tables.names,
        tables.places.bytes(),
        &tables.token_table,
        &tables.token_index,
        &tables.offsets,
        &number(relative_base, pointer, endian),
        &tables.seqs_of_names,
    ];
    let memory = Memory::new(&parts);
    let [num_syms, names, places, token_table, token_index, offsets, base, seqs] = memory.labels[..] else {
        unreachable!()
    };
    let region = memory.region();
    let encoding = match tables.encoding {
        Encoding::UnsignedBase { .. } => {
            Encoding::UnsignedBase { relative_base: region.number(base, pointer, endian).expect("inside") }
        }
        Encoding::SignedPercpu { .. } => {
            Encoding::SignedPercpu { relative_base: region.number(base, pointer, endian).expect("inside") }
        }
        // The table's own address, wherever the kernel runs.
        Encoding::PcRelative { .. } => Encoding::PcRelative { offsets_address: offsets },
        other => other,
    };
    let view = Tables {
        num_syms: region.number(num_syms, Width::Bits32, endian).expect("inside") as u32,
        pointer,
        endian,
        encoding,
        lengths: None,
        names: region.from(names).expect("inside"),
        places: match tables.view().places {
            Places::Markers { width, .. } => {
                Places::Markers { bytes: region.from(places).expect("inside"), width }
            }
            Places::Offsets { endian, .. } => {
                Places::Offsets { bytes: region.from(places).expect("inside"), endian }
            }
        },
        token_table: region.from(token_table).expect("inside"),
        token_index: region.from(token_index).expect("inside"),
        offsets: region.from(offsets).expect("inside"),
        seqs_of_names: region.from(seqs).expect("inside"),
        name_order: tables.name_order,
    };
    let table = Kallsyms::new(view).expect("sound");
    let kallsyms = tables.kallsyms().expect("sound");
    assert_eq!(table.len(), kallsyms.len());
    // A PC-relative table moves with its kernel.
    let moved = if pc_relative { offsets.wrapping_sub(offsets_at) } else { 0 };
    for (found, written) in table.iter().zip(&kallsyms) {
        assert_eq!(found.address(), written.address().wrapping_add(moved));
        assert_eq!((found.kind(), found.name() == written.name()), (written.kind(), true));
        let name: Vec<u8> = found.name().bytes().collect();
        let first = kallsyms.lookup_name(&name).map(|first| first.address().wrapping_add(moved));
        assert_eq!(table.lookup_name(&name).map(|first| first.address()), first);
    }
    assert_eq!((table.names_len(), table.tokens_len()), (tables.names.len(), tables.token_table.len() + 512));
}

#[test]
fn labels_lead_to_the_same_symbols_in_every_layout() {
    // An absolute symbol at 0 is further from the kernel than an offset reaches.
    let mut symbols = write::own_symbols(&linux_like());
    symbols.list.retain(|symbol| symbol.address >= 0xffff_ffff_8000_0000);
    for endian in [Endian::Little, Endian::Big] {
        for places in
            [PlaceForm::Markers(Width::Bits32), PlaceForm::Markers(Width::Bits64), PlaceForm::Offsets(endian)]
        {
            for addresses in [
                AddressForm::Absolute,
                AddressForm::UnsignedBase,
                AddressForm::SignedPercpu,
                AddressForm::PcRelative,
            ] {
                let options = Options { endian, places, addresses, ..Options::default() };
                let tables = write(&symbols, &options).expect("can be written");
                in_place(&tables, addresses == AddressForm::PcRelative);
            }
        }
        let low = symbols
            .list
            .iter()
            .map(|symbol| Symbol { address: symbol.address & 0x7fff_ffff, ..symbol.clone() });
        let mut low: Vec<Symbol> = low.collect();
        low.sort_by_key(|symbol| symbol.address);
        let low = Symbols { list: low, address_digits: 8, ..Symbols::default() };
        for addresses in [AddressForm::Absolute, AddressForm::UnsignedBase, AddressForm::Offset] {
            let options = Options { endian, addresses, pointer: Width::Bits32, ..Options::default() };
            in_place(&write(&low, &options).expect("can be written"), false);
        }
    }
}

#[test]
fn a_label_outside_is_an_error() {
    let memory = Memory::new(&[&[1, 2, 3, 4]]);
    let region = memory.region();
    let len = memory.bytes.len();
    let end = RODATA + len as u64;
    for label in [0, RODATA - 1, end + 1, u64::MAX] {
        assert_eq!(region.from(label), Err(Error::LabelOutOfRegion { label, region: RODATA, len }));
    }
    assert_eq!(region.from(end), Ok(&[][..]));
    assert_eq!(region.number(memory.labels[0], Width::Bits32, Endian::Big), Ok(0x0102_0304));
    assert_eq!(region.number(memory.labels[0], Width::Bits32, Endian::Little), Ok(0x0403_0201));
    let refused = region.number(end - 3, Width::Bits32, Endian::Big);
    assert!(matches!(refused, Err(Error::LabelOutOfRegion { .. })), "{refused:?}");
}
