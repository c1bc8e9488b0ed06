//! Every compression, and every header.

use kallsyms_core::linux::Width;
use kallsyms_gen::extract::{Codec, Extracted, Fault, MemoryOrder, Payload, extract, is_kernel};
use kallsyms_gen::linux::AddressForm;
use kallsyms_gen::linux::write::Options;
use kallsyms_gen::symbols::Symbols;
use kallsyms_host_tests::elf::{function, with_symbols};
use kallsyms_host_tests::fake_kernel::{
    CODECS, IMAGE, IMAGE_32, bz_image, kernel, noise, pack, symbols, vmlinux, zboot, zimage,
};

use crate::{COUNT, assert_lists, fault};

fn image() -> (Symbols, Vec<u8>) {
    let symbols = symbols(IMAGE, COUNT, true);
    let placed = kernel(&symbols, &Options::default(), MemoryOrder::From6_4);
    (symbols, placed.bytes)
}

fn payloads(extracted: &Extracted) -> Vec<(Codec, usize)> {
    extracted.wrapping.0.iter().map(|&Payload { codec, offset }| (codec, offset)).collect()
}

#[test]
fn every_codec_in_every_wrapping() {
    let (symbols, image) = image();
    let elf = vmlinux(&image, IMAGE, Options::default().pointer, Options::default().endian);
    for codec in CODECS {
        let (raw, elf) = (pack(codec, &image), pack(codec, &elf));
        let kernels = [
            ("alone", raw.clone(), 0),
            ("x86", bz_image(&elf), 4 * 512 + 0x2cc),
            ("zboot", zboot("gzip", &raw), 0x2000),
            // At this offset what lz4 leaves as it is lies at no multiple of 4.
            ("after noise", noise(21).take(7002).chain(raw.clone()).collect(), 7002),
        ];
        for (wrapping, kernel, offset) in kernels {
            let extracted = extract(&kernel).unwrap_or_else(|error| panic!("{codec}, {wrapping}: {error}"));
            assert_eq!(payloads(&extracted), [(codec, offset)], "{codec}, {wrapping}");
            assert_lists(&extracted, &symbols);
            assert_eq!(is_kernel(&kernel), wrapping != "after noise", "{codec}, {wrapping}");
        }
    }
}

/// Its tables are found as without symbols; but it is read by its symbols, so it is no kernel to search as a
/// SOURCE.
#[test]
fn a_vmlinux_with_symbols_has_its_tables() {
    let (symbols, image) = image();
    let stripped = vmlinux(&image, IMAGE, Width::Bits64, Options::default().endian);
    let own = [function("only_in_the_elf_file", 0, 0x40).at(IMAGE + 0x40)];
    let mut whole = with_symbols(stripped.clone(), 0x1000, IMAGE, &own);
    let (from_stripped, from_whole) = (extract(&stripped).expect("tables"), extract(&whole).expect("tables"));
    assert_eq!(from_whole, from_stripped);
    assert_lists(&from_whole, &symbols);
    whole[0x1100..0x1100 + 19].copy_from_slice(b"Linux version 6.12\n");
    assert!(!is_kernel(&whole));
}

#[test]
fn a_packed_kernel_may_be_packed_again() {
    let (symbols, image) = image();
    let kernel = pack(Codec::Gzip, &bz_image(&pack(Codec::Zstd, &image)));
    let extracted = extract(&kernel).expect("tables");
    assert_eq!(payloads(&extracted), [(Codec::Gzip, 0), (Codec::Zstd, 4 * 512 + 0x2cc)]);
    assert_eq!(extracted.wrapping.to_string(), "the gzip payload at 0x0, in it the zstd payload at 0xacc");
    assert_lists(&extracted, &symbols);
    let deep = (0..4).fold(image, |image, _| pack(Codec::Gzip, &image));
    assert!(extract(&deep).is_err());
}

/// Compressed data that is no kernel, as an initrd in front of one.
#[test]
fn other_payloads_are_passed_over() {
    let (symbols, image) = image();
    let other: Vec<u8> = noise(31).take(1 << 16).collect();
    let file: Vec<u8> = [
        noise(33).take(99).collect(),
        pack(Codec::Zstd, &other),
        pack(Codec::Gzip, b"config"),
        pack(Codec::Xz, &image),
    ]
    .concat();
    let extracted = extract(&file).expect("tables");
    assert_eq!(payloads(&extracted).last().map(|&(codec, _)| codec), Some(Codec::Xz));
    assert_lists(&extracted, &symbols);
}

#[test]
fn a_payload_past_the_end_is_said() {
    let (_, image) = image();
    let packed = pack(Codec::Zstd, &image);
    let mut kernel = bz_image(&packed);
    kernel.truncate(kernel.len() / 2);
    let (offset, size, len) = (4 * 512 + 0x2cc, packed.len(), kernel.len());
    assert_eq!(fault(extract(&kernel)), Fault::PayloadOutOfBounds { offset, size, len });
    let message = extract(&kernel).expect_err("half a kernel").to_string();
    assert!(message.contains("the file itself: the boot header places the payload at 0xacc"), "{message}");
    assert!(message.contains("the zstd payload at 0xacc: zstd data that does not decompress"), "{message}");
}

/// A zImage tells no place, but that its pointers have 32 bits.
#[test]
fn the_payload_of_a_zimage_is_searched_for() {
    let options = Options { pointer: Width::Bits32, addresses: AddressForm::Offset, ..Options::LINUX_6_12 };
    let symbols = symbols(IMAGE_32, COUNT, false);
    let placed = kernel(&symbols, &options, MemoryOrder::From7_0);
    for codec in CODECS {
        let extracted = extract(&zimage(&pack(codec, &placed.bytes))).expect("tables");
        assert_eq!(payloads(&extracted), [(codec, 0x3b2d)]);
        assert_eq!(extracted.tables.pointer, Width::Bits32);
        assert_lists(&extracted, &symbols);
    }
}

#[test]
fn kernels_are_told_by_their_first_bytes() {
    let mut arm64 = noise(41).take(4096).collect::<Vec<u8>>();
    arm64[0x38..0x3c].copy_from_slice(b"ARM\x64");
    let mut riscv = noise(41).take(4096).collect::<Vec<u8>>();
    riscv[0x38..0x3c].copy_from_slice(b"RSC\x05");
    let mut s390 = noise(41).take(0x2_0000).collect::<Vec<u8>>();
    s390[0x1_0008..0x1_000e].copy_from_slice(b"S390EP");
    for kernel in [arm64, riscv, s390] {
        assert!(is_kernel(&kernel));
    }
    let (_, image) = image();
    let mut elf = vmlinux(&image, IMAGE, Options::default().pointer, Options::default().endian);
    assert!(!is_kernel(&elf), "an ELF file that says nothing of Linux");
    elf[0x1100..0x1100 + 19].copy_from_slice(b"Linux version 6.12\n");
    assert!(is_kernel(&elf));
    for other in [&b""[..], b"MZ", b"ffffffff81000000 T _text\n", b"\x7fELF", &[0x1f, 0x8b, 8]] {
        assert!(!is_kernel(other), "{other:?}");
    }
}
