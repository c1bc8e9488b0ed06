//! Every field of an image, wrong: the error names the field and the value; nothing panics.

use std::mem::offset_of;

use kallsyms_core::image::layout::{Header, SectionEntry, SectionKind, SizeException};
use kallsyms_core::{Error, Field, Image};
use kallsyms_gen::build::build;
use kallsyms_gen::compress::Profile;
use kallsyms_gen::symbols::{Symbol, Symbols};
use kallsyms_host_tests::fixtures::{image_of, linux_like, sized};
use kallsyms_host_tests::image_builder::ImageBuilder;
use kallsyms_host_tests::symbols::{sorted, symbol};
use proptest::prelude::*;

fn linux() -> ImageBuilder {
    ImageBuilder::new(&image_of(&linux_like()))
}

/// What `parse` says, with a checksum that fits.
fn parse(image: ImageBuilder) -> Error {
    let bytes = image.sealed();
    let open = Image::open(&bytes).expect_err("is refused by open");
    assert_eq!(Image::parse(&bytes).expect_err("is refused by parse"), open);
    open
}

/// What `verify` says of an image that opens.
fn verify(image: ImageBuilder) -> Error {
    let bytes = image.sealed();
    let image = Image::parse(&bytes).expect("parses");
    ask_everything(&image);
    image.verify().expect_err("is refused by verify")
}

/// Asks every kind of question; there is nothing to assert but that each comes back.
fn ask_everything(image: &Image<'_>) {
    for symbol in image.iter().take(300) {
        let line = symbol.listing().to_string();
        assert!(line.len() >= image.header().address_digits as usize);
        let _ = (symbol.size(), symbol.module(), symbol.name().len());
        for pc in [symbol.address(), symbol.address().wrapping_add(9)] {
            let _ = (image.describe(pc).to_string(), image.describe_return_address(pc).to_string());
        }
        let name: Vec<u8> = symbol.name().fragments().flatten().copied().collect();
        assert!(image.lookup_all(&name).count() <= image.len() as usize);
    }
    for pc in [0, 1, u64::MAX, 1 << 63, 0xffff_ffff_8100_0000] {
        let _ = (image.lookup(pc), image.lookup_return_address(pc), image.with_slide(pc).lookup(7).is_some());
    }
    let _ = (image.lookup_name("step_1"), image.lookup_name(""), image.starting_with("step").count());
}

#[test]
fn sound_images_are_sound() {
    for symbols in [linux_like(), sized()] {
        let bytes = image_of(&symbols);
        Image::parse(&bytes).and_then(|image| image.verify()).expect("is sound");
    }
}

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

#[test]
fn every_flipped_bit_fails_the_checksum() {
    let bytes = linux().bytes();
    for at in (size_of::<Header>() + 200..bytes.len()).step_by(7) {
        let flipped = ImageBuilder::new(&bytes).with(at, &[bytes[at] ^ 1 << (at % 8)]).bytes();
        assert!(matches!(Image::parse(&flipped), Err(Error::Checksum { .. })), "byte {at}");
    }
}

#[test]
fn records_tokens_and_names() {
    let error = verify(linux().with_section(SectionKind::Blocks, 8 + 4, &u32::MAX.to_le_bytes()));
    assert!(matches!(error, Error::RecordOrder { block: 1, offset: u32::MAX, expected: 1.. }), "{error:?}");
    let error = verify(linux().with_section(SectionKind::Tokens, 0, &[0]));
    assert_eq!(error, Error::EmptyToken { code: 0 });
    let error = verify(linux().with_section(SectionKind::Tokens, 4, &[1, 0xff, 0xff, 0xff]));
    assert_eq!(error, Error::TokenOutOfBounds { code: 1 });
    // The first count of the first block: a reference with nothing before it.
    let first = linux().section(SectionKind::Records)[0];
    let counts = 1 + (16 << (first & 3));
    assert_eq!(first >> 2 & 3, 1, "counts of eight bits");
    let pair = linux().section(SectionKind::Records)[counts..counts + 2].to_vec();
    let error = verify(linux().with_section(SectionKind::Records, counts, &[0, pair[0] + pair[1]]));
    assert_eq!(error, Error::BadPrefixReference { symbol: 0 });
}

/// A nested token that holds itself must not expand for ever.
#[test]
fn a_token_that_holds_itself() {
    let bytes = build(&linux_like(), Profile::Compact, &mut |_, _| ()).expect("builds");
    let image = ImageBuilder::new(&bytes);
    let literal =
        |code: usize| image.section(SectionKind::Tokens)[code * 4..][..2] == (code as u16).to_le_bytes();
    let tokens = image.section(SectionKind::Tokens).len() / 4;
    let byte = (0..tokens).find(|code| literal(*code)).expect("a byte") as u16;
    let pair = (0..tokens).find(|code| !literal(*code)).expect("a pair") as u16;
    for halves in [[byte, pair], [pair, byte], [pair, pair]] {
        // A token whose left half is itself is a literal byte, so a circle takes two tokens.
        let other = (0..tokens as u16).find(|code| ![byte, pair].contains(code)).expect("a third token");
        let [left, right] = halves.map(|half| if half == pair { other } else { half }.to_le_bytes());
        let [back_left, back_right] = halves.map(u16::to_le_bytes);
        let circle = ImageBuilder::new(&bytes)
            .with_section(SectionKind::Tokens, usize::from(pair) * 4, &[left, right].concat())
            .with_section(SectionKind::Tokens, usize::from(other) * 4, &[back_left, back_right].concat());
        assert!(matches!(verify(circle), Error::TokenTooLarge { .. }));
    }
}

#[test]
fn addresses_and_hints() {
    let error = verify(linux().with_section(SectionKind::Blocks, 16, &0u32.to_le_bytes()));
    assert_eq!(error, Error::BadHint { hint: 1, found: 1, expected: 2 });
    let error = verify(linux().with_section(SectionKind::Hints, 0, &[9]));
    assert_eq!(error, Error::BadHint { hint: 0, found: 9, expected: 0 });
    let error = verify(linux().with(offset_of!(Header, covered_last), &[0; 8]));
    assert_eq!(error, Error::BadField { field: Field::CoveredLast, value: 0 });
    let error = verify(linux().with(offset_of!(Header, leading_absolute), &3u32.to_le_bytes()));
    assert_eq!(error, Error::WrongSideOfBase { symbol: 3, address: 0x34000 });
}

/// Where the record of a block stands in the records section.
fn record_at(image: &ImageBuilder, block: usize) -> usize {
    let at = block * 8 + 4;
    u32::from_le_bytes(image.section(SectionKind::Blocks)[at..at + 4].try_into().expect("four bytes"))
        as usize
}

#[test]
fn deltas() {
    let image = linux();
    let base = u32::from_le_bytes(image.section(SectionKind::Blocks)[16..20].try_into().expect("four bytes"));
    let record = record_at(&image, 2);
    assert_eq!(image.section(SectionKind::Records)[record] & 3, 0, "deltas of one byte");
    let shift = image.section(SectionKind::Records)[record] >> 4 & 7;
    // The same addresses from a base that lies below the first symbol.
    let mut lowered = linux().with_section(SectionKind::Blocks, 16, &(base - (1 << shift)).to_le_bytes());
    for place in 1..17 {
        let delta = image.section(SectionKind::Records)[record + place];
        lowered = lowered.with_section(SectionKind::Records, record + place, &[delta.wrapping_add(1)]);
    }
    let hint = lowered.section(SectionKind::Hints).to_vec();
    let error = verify(lowered);
    assert!(matches!(error, Error::FirstDelta { block: 2 } | Error::BadHint { .. }), "{error:?} {hint:x?}");
    let first = linux().with_section(SectionKind::Records, record + 1, &[1]);
    assert_eq!(verify(first), Error::FirstDelta { block: 2 });
    // Absolute symbols and the kernel share the first block, whose deltas have 8 bytes.
    assert_eq!(linux().section(SectionKind::Records)[0] & 3, 3, "deltas of eight bytes");
    let mut shifted = linux().section(SectionKind::Records)[0];
    shifted |= 0x70;
    let error = verify(linux().with_section(SectionKind::Records, 0, &[shifted]));
    assert_eq!(error, Error::DeltaOverflow { symbol: 4 });
}

#[test]
fn hints_and_link_base() {
    let len = linux().section(SectionKind::Hints).len() as u32;
    let fewer = linux().with_entry(SectionKind::Hints, offset_of!(SectionEntry, len), len - 4);
    let (found, expected) = (u64::from(len) / 2 - 2, u64::from(len) / 2);
    assert_eq!(verify(fewer), Error::HintCount { found, expected });
    // A constant must not stand at the link base as if it moved.
    let symbols = sorted(vec![symbol(0x1000, b'T', *b"start"), symbol(0x1000, b'A', *b"constant")]);
    let text = image_of(&symbols);
    assert_eq!(Image::parse(&text).and_then(|image| image.verify()), Ok(()));
    let symbols = sorted(vec![symbol(0x1000, b'T', *b"start"), symbol(0x9000, b'T', *b"next")]);
    let kinds = sorted(vec![symbol(0x1000, b'A', *b"start"), symbol(0x9000, b'T', *b"next")]);
    let (moving, constant) = (image_of(&symbols), image_of(&kinds));
    assert_eq!(Image::parse(&moving).expect("parses").header().link_base.get(), 0x1000);
    assert_eq!(Image::parse(&constant).expect("parses").header().link_base.get(), 0x9000);
}

#[test]
fn name_index() {
    let error = verify(linux().with_section(SectionKind::Pilots, 0, &[0xaa, 0x55, 0xaa, 0x55]));
    assert!(matches!(error, Error::NotFoundByName { .. }), "{error:?}");
    let names = Image::parse(&linux().bytes()).expect("parses").header().name_count.get() - 1;
    let error = verify(linux().with(offset_of!(Header, name_count), &names.to_le_bytes()));
    assert!(matches!(error, Error::NameCount { stored, .. } if stored == names), "{error:?}");
    let error = verify(linux().with(offset_of!(Header, hash_seed), &[0xff; 8]));
    assert!(matches!(error, Error::NotFoundByName { symbol: 0 }), "{error:?}");
}

#[test]
fn links() {
    let symbols = linux_like();
    let s_next = symbols.list.iter().position(|symbol| symbol.name == b"s_next").expect("is there");
    let image = linux();
    let block = s_next / 16;
    let at = block * 8 + 4;
    let offset =
        u32::from_le_bytes(image.section(SectionKind::Blocks)[at..at + 4].try_into().unwrap()) as usize;
    let head = image.section(SectionKind::Records)[offset];
    assert_eq!(head >> 7, 1, "the block of s_next has links");
    let links = offset + 1 + (16 << (head & 3)) + (8 << (head >> 2 & 3)) + 2;
    let error = verify(linux().with_section(SectionKind::Records, links, &[0]));
    assert_eq!(error, Error::BadLink { symbol: s_next as u32, target: 0 });
    let error = verify(linux().with_section(SectionKind::Records, links, &[0xff]));
    assert_eq!(error, Error::BadLink { symbol: s_next as u32, target: 255 });
    // One that skips an occurrence leaves it without any.
    let error = verify(linux().with_section(SectionKind::Records, links, &[s_next as u8 + 2]));
    assert_eq!(
        error,
        Error::Unlinked {
            symbols: linux_like().list.len() as u32,
            reached: linux_like().list.len() as u32 - 1
        }
    );
}

#[test]
fn size_exceptions_and_modules() {
    let sized = || ImageBuilder::new(&image_of(&sized()));
    let error = verify(sized().with_section(
        SectionKind::SizeExceptions,
        offset_of!(SizeException, symbol),
        &[0xff; 4],
    ));
    assert_eq!(error, Error::SizeOrder { exception: 0, symbol: u32::MAX });
    let error = verify(sized().with_section(
        SectionKind::SizeExceptions,
        offset_of!(SizeException, parent),
        &[0, 0, 0, 0],
    ));
    assert_eq!(error, Error::SizeParent { exception: 0, parent: 0 });
    let error = verify(linux().with_section(SectionKind::ModuleRuns, 0, &[0xff; 4]));
    assert_eq!(error, Error::ModuleOrder { run: 0, first: u32::MAX });
    let error = verify(linux().with_section(SectionKind::ModuleRuns, 4, &[0xff; 4]));
    assert_eq!(error, Error::ModuleName { run: 0, offset: u32::MAX });
    let size = offset_of!(SizeException, size);
    let error = verify(sized().with_section(SectionKind::SizeExceptions, size, &[0xff; 8]));
    assert_eq!(error, Error::SizeOverflow { exception: 0, size: u64::MAX });
    let sized_pair = |address, name: &[u8]| Symbol { size: Some(4), ..symbol(address, b't', name) };
    let close = sorted(vec![sized_pair(0x1000, b"a"), sized_pair(0x1004, b"b")]);
    let close = Symbols { covered_last: Some(0x1007), ..close };
    let error = verify(ImageBuilder::new(&image_of(&close)).with_section(SectionKind::Gaps, 0, &[9]));
    assert_eq!(error, Error::GapTooLarge { symbol: 0, gap: 9 });
    let unmarked = sized().with_entry(SectionKind::Gaps, offset_of!(SectionEntry, kind), 77);
    assert_eq!(parse(unmarked), Error::SectionMissing { section: SectionKind::Gaps });
    // The nibble of a symbol that has an exception must say so.
    let error = verify(sized().with_section(SectionKind::Gaps, 1, &[0]));
    assert_eq!(error, Error::SizeNotMarked { exception: 1, symbol: 2 });
}

#[test]
fn non_absolute_in_the_leading_run() {
    let mut symbols = linux_like();
    symbols.list[3].name = b"A_per_cpu_end".to_vec();
    // The type is the first byte of the first code: a table whose leading run is said to be longer than it is.
    let error = verify(
        ImageBuilder::new(&image_of(&symbols))
            .with(offset_of!(Header, link_base), &0xffff_ffff_8100_0001u64.to_le_bytes()),
    );
    assert_eq!(error, Error::WrongSideOfBase { symbol: 4, address: 0xffff_ffff_8100_0000 });
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever the bytes, every question comes back.
    #[test]
    fn damaged_images_answer(
        from_elf in any::<bool>(),
        profile in prop::sample::select(vec![Profile::Fast, Profile::Compact]),
        damage in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..12),
    ) {
        let symbols = if from_elf { sized() } else { linux_like() };
        let mut bytes = build(&symbols, profile, &mut |_, _| ()).expect("builds");
        for (at, value) in damage {
            let at = at.index(bytes.len() - 16) + 16;
            bytes[at] = value;
        }
        if let Ok(image) = Image::open(&bytes) {
            ask_everything(&image);
            let _ = image.verify();
        }
    }
}
