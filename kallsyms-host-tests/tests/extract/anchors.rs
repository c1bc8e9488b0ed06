//! Addresses that only a relocation, or the pointers of the image, tell.

use kallsyms_core::linux::{Encoding, Endian, Width};
use kallsyms_gen::extract::{AddressSource, Fault, MemoryOrder, extract};
use kallsyms_gen::linux::AddressForm;
use kallsyms_gen::linux::write::Options;
use kallsyms_gen::symbols::Symbols;
use kallsyms_host_tests::fake_kernel::{BEFORE, IMAGE, Placed, kernel, number, symbols, vmlinux};

use crate::{COUNT, assert_lists, fault, options};

/// A kernel whose base stands as zero in the file.
fn without_base(order: MemoryOrder, endian: Endian) -> (Symbols, Placed) {
    let symbols = symbols(IMAGE, COUNT, false);
    let mut placed = kernel(&symbols, &Options { endian, ..options(order) }, order);
    let at = placed.label("relative_base");
    placed.bytes[at..at + 8].fill(0);
    (symbols, placed)
}

/// An entry of `.rela.dyn`.
fn relocation(place: u64, kind: u64, value: u64, endian: Endian) -> Vec<u8> {
    [place, kind, value].into_iter().flat_map(|word| number(word, Width::Bits64, endian)).collect()
}

#[test]
fn a_relocation_fills_the_base() {
    for order in [MemoryOrder::UpTo6_3, MemoryOrder::From6_4] {
        for (kind, endian) in [(0x403, Endian::Little), (3, Endian::Little), (12, Endian::Big)] {
            let (symbols, mut placed) = without_base(order, endian);
            let at = placed.label("relative_base") as u64;
            let entries = [
                relocation(IMAGE + 0x2_0000, kind, IMAGE + 0x400, endian),
                relocation(IMAGE + at, kind, IMAGE, endian),
                relocation(IMAGE + at + 8, kind, IMAGE + 0x1000, endian),
            ];
            let entries = entries.concat();
            placed.bytes[0x3_0000..][..entries.len()].copy_from_slice(&entries);
            let elf = vmlinux(&placed.bytes, IMAGE, Width::Bits64, endian);
            // Without segments an entry alone might belong to another place.
            assert!(matches!(fault(extract(&placed.bytes)), Fault::NoRelativeBase { .. }));
            point(&mut placed, &symbols, Width::Bits64, endian, 40);
            for file in [placed.bytes, elf] {
                let extracted = extract(&file).expect("tables");
                assert_eq!(extracted.address_source, AddressSource::Relocation);
                assert_eq!(extracted.tables.encoding, Encoding::UnsignedBase { relative_base: IMAGE });
                assert_lists(&extracted, &symbols);
            }
        }
    }
}

#[test]
fn a_base_that_nothing_fills_is_said() {
    for order in [MemoryOrder::UpTo6_3, MemoryOrder::From6_4] {
        let (_, placed) = without_base(order, Endian::Little);
        let at = placed.label("relative_base");
        assert_eq!(fault(extract(&placed.bytes)), Fault::NoRelativeBase { at });
        let message = extract(&placed.bytes).expect_err("no base").to_string();
        assert!(message.contains(&format!("relative_base at {at:#x} is zero")), "{message}");
    }
}

#[test]
fn relocations_that_contradict_each_other_fill_nothing() {
    let (_, mut placed) = without_base(MemoryOrder::From6_4, Endian::Little);
    let at = placed.label("relative_base") as u64;
    let entries =
        [IMAGE, IMAGE + 0x1000].map(|base| relocation(IMAGE + at, 0x403, base, Endian::Little)).concat();
    placed.bytes[0x3_0000..][..entries.len()].copy_from_slice(&entries);
    let elf = vmlinux(&placed.bytes, IMAGE, Width::Bits64, Endian::Little);
    assert!(matches!(fault(extract(&elf)), Fault::NoRelativeBase { .. }));
}

/// Fills the front of an image with pointers: so many in a hundred lead to symbols, the others between them.
fn point(placed: &mut Placed, symbols: &Symbols, width: Width, endian: Endian, hits: usize) {
    const POINTERS: usize = 2000;
    let places = placed.bytes[0x1_0000..BEFORE].chunks_exact_mut(width.bytes());
    for (number_of, place) in places.take(POINTERS).enumerate() {
        let target = &symbols.list[number_of * 7919 % symbols.list.len()];
        let astray = if number_of % 100 < hits { 0 } else { 4 };
        place.copy_from_slice(&number(target.address + astray, width, endian));
    }
}

#[test]
fn pointers_tell_where_an_image_is_linked() {
    for (width, endian) in
        [(Width::Bits64, Endian::Little), (Width::Bits64, Endian::Big), (Width::Bits32, Endian::Little)]
    {
        let image = if width == Width::Bits64 { IMAGE } else { 0xc030_0000 };
        let symbols = symbols(image, COUNT, false);
        let options =
            Options { pointer: width, endian, addresses: AddressForm::PcRelative, ..Options::LINUX_7_0 };
        let mut placed = kernel(&symbols, &options, MemoryOrder::From7_0);
        point(&mut placed, &symbols, width, endian, 40);
        let extracted = extract(&placed.bytes).expect("tables");
        assert_eq!(extracted.address_source, AddressSource::Pointers);
        assert_eq!(extracted.tables.pointer, width);
        let offsets_address = image + placed.label("offsets") as u64;
        assert_eq!(extracted.tables.encoding, Encoding::PcRelative { offsets_address });
        assert_lists(&extracted, &symbols);
    }
}

#[test]
fn pointers_tell_a_base_that_is_zero() {
    let (symbols, mut placed) = without_base(MemoryOrder::UpTo6_3, Endian::Big);
    point(&mut placed, &symbols, Width::Bits64, Endian::Big, 40);
    let extracted = extract(&placed.bytes).expect("tables");
    assert_eq!(extracted.address_source, AddressSource::Pointers);
    assert_lists(&extracted, &symbols);
}

#[test]
fn pointers_that_settle_nothing_are_an_error() {
    let symbols = symbols(IMAGE, COUNT, false);
    let mut placed = kernel(&symbols, &Options::LINUX_7_0, MemoryOrder::From7_0);
    let at = placed.label("offsets");
    assert_eq!(fault(extract(&placed.bytes)), Fault::NoLinkAddress { at });
    for hits in [0, 5] {
        point(&mut placed, &symbols, Width::Bits64, Endian::Little, hits);
        assert_eq!(fault(extract(&placed.bytes)), Fault::NoLinkAddress { at }, "{hits}");
    }
    let message = extract(&placed.bytes).expect_err("no address").to_string();
    assert!(message.contains("count from their own place, and nothing tells its address"), "{message}");
}
