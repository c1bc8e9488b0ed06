//! Every layout, as an ELF file and as a raw image.

use kallsyms_core::linux::{Encoding, Endian, NameOrder, Width};
use kallsyms_gen::extract::{AddressSource, Fault, MemoryOrder, extract};
use kallsyms_gen::linux::write::{Options, PlaceForm, write};
use kallsyms_gen::linux::{AddressForm, Places};
use kallsyms_host_tests::fake_kernel::{
    BEFORE, IMAGE, IMAGE_32, kernel, lay_out, noise, number, symbols, vmlinux,
};
use kallsyms_host_tests::symbols::symbol;

use crate::{COUNT, assert_lists, fault, has_percpu, kernels, options};

fn image_of(width: Width) -> u64 {
    if width == Width::Bits32 { IMAGE_32 } else { IMAGE }
}

#[test]
fn every_layout_is_found_in_an_elf_file() {
    for (options, order) in kernels() {
        let image = image_of(options.pointer);
        let symbols = symbols(image, COUNT, has_percpu(&options));
        let placed = kernel(&symbols, &options, order);
        let file = vmlinux(&placed.bytes, image, options.pointer, options.endian);
        let extracted = extract(&file).unwrap_or_else(|error| panic!("{options:?} {order:?}: {error}"));
        assert_lists(&extracted, &symbols);
        let tables = &extracted.tables;
        assert_eq!(AddressForm::from(tables.encoding), options.addresses);
        assert_eq!((tables.pointer, tables.endian), (options.pointer, options.endian), "{options:?}");
        assert_eq!(extracted.memory_order, order, "{options:?}");
        assert_eq!(tables.seqs_of_names.is_empty(), options.seqs_of_names.is_none());
        assert_eq!(tables.facts.kallsyms_all, Some(true));
        let places = match tables.places {
            Places::Markers { width, .. } => PlaceForm::Markers(width),
            Places::Offsets { endian, .. } => PlaceForm::Offsets(endian),
        };
        assert_eq!(places, options.places);
        assert!(extracted.wrapping.0.is_empty());
        if options.addresses == AddressForm::PcRelative {
            assert_eq!(extracted.address_source, AddressSource::Segments);
            let offsets_address = image + placed.label("offsets") as u64;
            assert_eq!(tables.encoding, Encoding::PcRelative { offsets_address });
        }
    }
}

#[test]
fn every_layout_with_its_addresses_in_it_is_found_in_a_raw_image() {
    let absolute = |(options, _): &(Options, _)| options.addresses != AddressForm::PcRelative;
    for (options, order) in kernels().into_iter().filter(absolute) {
        let symbols = symbols(image_of(options.pointer), COUNT, has_percpu(&options));
        let placed = kernel(&symbols, &options, order);
        let extracted =
            extract(&placed.bytes).unwrap_or_else(|error| panic!("{options:?} {order:?}: {error}"));
        assert_lists(&extracted, &symbols);
        let tables = &extracted.tables;
        assert_eq!(
            (AddressForm::from(tables.encoding), tables.pointer),
            (options.addresses, options.pointer)
        );
    }
}

/// The number of symbols decides the padding between the tables, and how full the last marker is.
#[test]
fn every_padding_is_passed() {
    let offsets = Options { places: PlaceForm::Offsets(Endian::Little), ..Options::LINUX_7_0 };
    let kernels = [MemoryOrder::UpTo6_3, MemoryOrder::From6_4, MemoryOrder::From7_0]
        .map(|order| (options(order), order));
    for count in 1279..1287 {
        for (options, order) in kernels.into_iter().chain([(offsets, MemoryOrder::From7_0)]) {
            let symbols = symbols(IMAGE, count, false);
            let placed = kernel(&symbols, &options, order);
            let file = vmlinux(&placed.bytes, IMAGE, options.pointer, options.endian);
            let extracted = extract(&file);
            assert_lists(&extracted.unwrap_or_else(|error| panic!("{count} {order:?}: {error}")), &symbols);
        }
    }
}

#[test]
fn an_order_without_llvm_is_told_and_one_that_nobody_can_search_is_left_out() {
    let mut symbols = symbols(IMAGE, COUNT, false);
    // Without the suffix the second comes first, for its address is lower.
    symbols.list[100].name = b"promoted.llvm.2".to_vec();
    symbols.list[200].name = b"promoted".to_vec();
    let options = Options { addresses: AddressForm::UnsignedBase, ..Options::LINUX_6_12 };
    for order in [NameOrder::Whole, NameOrder::WithoutLlvm] {
        let tables = write(&symbols, &Options { seqs_of_names: Some(order), ..options }).expect("tables");
        let extracted = extract(&lay_out(&tables, MemoryOrder::From6_4).bytes).expect("tables");
        assert_eq!(extracted.tables.name_order, order);
        assert_eq!(extracted.tables.seqs_of_names, tables.seqs_of_names);
    }
    let mut tables = write(&symbols, &options).expect("tables");
    // Two that differ change places.
    let (one, other) = (500 * 3, 1000 * 3);
    for byte in 0..3 {
        tables.seqs_of_names.swap(one + byte, other + byte);
    }
    for order in [MemoryOrder::UpTo6_3, MemoryOrder::From6_4] {
        let extracted = extract(&lay_out(&tables, order).bytes).expect("tables");
        assert_eq!(extracted.tables.seqs_of_names, [0_u8; 0]);
        assert_lists(&extracted, &symbols);
    }
}

#[test]
fn lengths_of_two_bytes_are_told_from_long_ones() {
    // Characters in use stand for themselves: of many, a name of many different pairs has a token a
    // character.
    let mut symbols = symbols(IMAGE, COUNT, false);
    let long: String = noise(99).map(|byte| char::from(b'!' + byte % 94)).take(500).collect();
    symbols.list[77] = symbol(symbols.list[77].address, b't', long);
    let options = Options { addresses: AddressForm::UnsignedBase, ..Options::LINUX_6_12 };
    let tables = write(&symbols, &options).expect("tables");
    let extracted = extract(&lay_out(&tables, MemoryOrder::From6_4).bytes).expect("tables");
    assert_lists(&extracted, &symbols);
    assert_eq!(extracted.tables.lengths, Some(options.lengths));
}

#[test]
fn two_sets_of_tables_are_one_too_many() {
    let symbols = symbols(IMAGE, COUNT, false);
    let order = MemoryOrder::From6_4;
    let placed = kernel(&symbols, &options(order), order);
    let twice = [placed.bytes.clone(), placed.bytes.clone()].concat();
    let second = placed.bytes.len() + placed.label("names");
    assert_eq!(fault(extract(&twice)), Fault::Several { names: vec![placed.label("names"), second] });
}

#[test]
fn plain_numbers_without_aliases_have_two_readings() {
    let mut symbols = symbols(IMAGE_32, COUNT, false);
    for (number, symbol) in symbols.list.iter_mut().enumerate() {
        symbol.address = IMAGE_32 + 16 * number as u64;
    }
    let options = Options { pointer: Width::Bits32, addresses: AddressForm::Offset, ..Options::LINUX_6_12 };
    let placed = kernel(&symbols, &options, MemoryOrder::From7_0);
    let result = extract(&vmlinux(&placed.bytes, IMAGE_32, Width::Bits32, options.endian));
    let message = result.as_ref().expect_err("two readings").to_string();
    assert!(message.contains("can be read as pc-relative of 32 bits at 0x"), "{message}");
    assert!(message.contains(" and as offset of 32 bits at 0x"), "{message}");
}

#[test]
fn the_release_is_told_by_the_banner() {
    let symbols = symbols(IMAGE, COUNT, false);
    let mut placed = kernel(&symbols, &Options::default(), MemoryOrder::From6_4);
    let banner = b"Linux version %s\nLinux version 6.12.107+deb13-amd64 (builder@host) #1 SMP\0";
    placed.bytes[BEFORE - 0x100..][..banner.len()].copy_from_slice(banner);
    let extracted = extract(&placed.bytes).expect("tables");
    assert_eq!(extracted.tables.facts.kernel.as_deref(), Some("6.12.107+deb13-amd64"));
}

/// A number of symbols that is as wide as a pointer, before 4.20.
#[test]
fn a_wide_number_of_symbols_is_read() {
    let mut wide = 0;
    for (options, order) in kernels() {
        let old = options.places == PlaceForm::Markers(Width::Bits64);
        if !old {
            continue;
        }
        wide += 1;
        let symbols = symbols(IMAGE, COUNT, false);
        let mut placed = kernel(&symbols, &options, order);
        let at = placed.label("num_syms");
        let count = number(COUNT as u64, Width::Bits64, options.endian);
        placed.bytes[at..at + 8].copy_from_slice(&count);
        assert_lists(&extract(&placed.bytes).expect("tables"), &symbols);
    }
    assert_eq!(wide, 4);
}
