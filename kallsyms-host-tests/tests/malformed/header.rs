//! What `open` and `parse` refuse: the header and the section table.

use std::mem::offset_of;

use kallsyms_core::image::layout::{Header, SectionEntry, SectionKind};
use kallsyms_core::{Error, Field, Image};

use crate::{linux, parse};

#[test]
fn too_short() {
    let bytes = linux().bytes();
    for len in [0, 7] {
        assert_eq!(Image::parse(&bytes[..len]).unwrap_err(), Error::TooShort { len, needed: 136 });
    }
    for len in [8, 9, 10, 135] {
        assert_eq!(Image::parse(&bytes[..len]).unwrap_err(), Error::TooShort { len, needed: 136 });
    }
}

#[test]
fn every_truncation_is_refused() {
    let bytes = linux().bytes();
    let image_len = bytes.len() as u32;
    for len in 136..bytes.len() {
        assert_eq!(Image::open(&bytes[..len]).unwrap_err(), Error::Truncated { image_len, len });
    }
}

#[test]
fn bad_magic() {
    let found = *b"\x7fELF\x02\x01\x01\x00";
    assert_eq!(parse(linux().with(0, &found)), Error::BadMagic { found });
}

#[test]
fn not_embedded_and_unknown_versions() {
    assert_eq!(parse(linux().with(8, &[0, 0])), Error::NotEmbedded);
    assert_eq!(parse(linux().with(8, &[2, 0])), Error::UnsupportedVersion { found: 2 });
    assert_eq!(parse(linux().with(8, &[1, 1])), Error::UnsupportedVersion { found: 257 });
}

#[test]
fn header_fields() {
    macro_rules! refused {
        ($field:ident, $value:expr, $expected:ident) => {
            assert_eq!(
                parse(linux().with(offset_of!(Header, $field), &$value.to_le_bytes())),
                Error::BadField { field: Field::$expected, value: $value as u64 },
            )
        };
    }
    refused!(image_len, 0u32, ImageLen);
    refused!(image_len, 200u32, ImageLen);
    refused!(symbol_count, 0u32, SymbolCount);
    refused!(name_count, 0u32, NameCount);
    refused!(name_count, u32::MAX, NameCount);
    refused!(leading_absolute, u32::MAX, LeadingAbsolute);
    refused!(flags, 0x10u32, Flags);
    refused!(address_digits, 0u8, AddressDigits);
    refused!(address_digits, 17u8, AddressDigits);
    refused!(code_bits, 7u8, CodeBits);
    refused!(code_bits, 17u8, CodeBits);
    refused!(fingerprint_bits, 17u8, FingerprintBits);
    refused!(hash_id, 2u8, HashId);
    refused!(token_count, 0u32, TokenCount);
    refused!(token_count, u32::MAX, TokenCount);
    refused!(slot_count, 0u32, SlotCount);
    refused!(bucket_count, 0u32, BucketCount);
    refused!(hint_shift, 64u8, HintShift);
    refused!(link_bytes, 0u8, LinkBytes);
    refused!(link_bytes, 5u8, LinkBytes);
    refused!(prefix_len, 17u8, PrefixLen);
    refused!(build_id_len, 33u8, BuildIdLen);
    refused!(section_count, 33u32, SectionCount);
    refused!(reserved, 1u32, Reserved);
}

#[test]
fn header_length() {
    let section_count = u32::from(linux().bytes()[offset_of!(Header, section_count)]);
    for header_len in [0, 137, 136] {
        let image = linux().with(offset_of!(Header, header_len), &u16::to_le_bytes(header_len));
        assert_eq!(parse(image), Error::HeaderLength { header_len, section_count });
    }
    let header_len = 136 + 12 * section_count as u16;
    for section_count in [0, section_count + 1, 32] {
        let image = linux().with(offset_of!(Header, section_count), &section_count.to_le_bytes());
        assert_eq!(parse(image), Error::HeaderLength { header_len, section_count });
    }
}

#[test]
fn counts_that_the_sections_do_not_fit() {
    let image = linux();
    let len = image.section(SectionKind::Blocks).len() as u32;
    let error = parse(linux().with(offset_of!(Header, symbol_count), &1_000_000u32.to_le_bytes()));
    assert_eq!(error, Error::SectionLength { section: SectionKind::Blocks, len, expected: 500_000 });
    let len = image.section(SectionKind::Pilots).len() as u32;
    let error = parse(linux().with(offset_of!(Header, bucket_count), &u32::MAX.to_le_bytes()));
    assert_eq!(
        error,
        Error::SectionLength { section: SectionKind::Pilots, len, expected: u64::from(u32::MAX) }
    );
}

#[test]
fn section_table() {
    let (kind, offset, len) =
        (offset_of!(SectionEntry, kind), offset_of!(SectionEntry, offset), offset_of!(SectionEntry, len));
    let image_len = linux().bytes().len() as u32;
    let section = SectionKind::Records;
    let record_len = linux().section(section).len() as u32;
    assert_eq!(
        parse(linux().with_entry(section, offset, 0xffff_ffc0)),
        Error::SectionOutOfBounds { section, offset: 0xffff_ffc0, len: record_len, image_len }
    );
    assert!(matches!(
        parse(linux().with_entry(section, len, u32::MAX)),
        Error::SectionOutOfBounds { section: SectionKind::Records, len: u32::MAX, .. }
    ));
    assert_eq!(
        parse(linux().with_entry(section, offset, 321)),
        Error::SectionMisaligned { section, offset: 321 }
    );
    assert_eq!(parse(linux().with_entry(section, kind, 99)), Error::SectionMissing { section });
    assert_eq!(
        parse(linux().with_entry(section, kind, SectionKind::Blocks as u32)),
        Error::SectionRepeated { section: SectionKind::Blocks }
    );
    assert!(matches!(
        parse(linux().with_entry(SectionKind::ModuleRuns, len, 7)),
        Error::SectionLength { section: SectionKind::ModuleRuns, len: 7, expected: 8 }
    ));
    assert!(matches!(
        parse(linux().with_entry(SectionKind::Hints, len, 3)),
        Error::SectionLength { section: SectionKind::Hints, len: 3, expected: 2 }
    ));
}

/// A later writer's section is skipped.
#[test]
fn unknown_sections_are_skipped() {
    let bytes = linux().with_entry(SectionKind::ModuleRuns, 0, 77).sealed();
    let image = Image::parse(&bytes).expect("parses");
    assert_eq!(image.lookup_name("xfs_read").expect("is there").module(), None);
}
