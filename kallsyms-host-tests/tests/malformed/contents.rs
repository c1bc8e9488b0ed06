//! What `verify` refuses: everything behind the section table.

use std::mem::offset_of;

use kallsyms_core::image::layout::{Header, SectionEntry, SectionKind, SizeException};
use kallsyms_core::{Error, Field, Image};
use kallsyms_gen::build::{build, build_untrained};
use kallsyms_gen::compress::Profile;
use kallsyms_gen::symbols::{Symbol, Symbols};
use kallsyms_host_tests::fixtures::{image_of, linux_like, sized};
use kallsyms_host_tests::image_builder::ImageBuilder;
use kallsyms_host_tests::properties;
use kallsyms_host_tests::random::Random;
use kallsyms_host_tests::symbols::{sorted, symbol};

use crate::{ask_everything, linux, parse, verify};

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
    assert_eq!(first >> 2 & 3, 0, "counts of four bits");
    let pair = linux().section(SectionKind::Records)[counts];
    let sum = (pair & 15) + (pair >> 4);
    assert!(sum < 16, "{sum} codes");
    let error = verify(linux().with_section(SectionKind::Records, counts, &[sum << 4]));
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

/// Found by fuzzing: a copy went on behind a type that is damaged, where all other forms of the name end.
#[test]
fn a_token_that_leads_nowhere() {
    let image = ImageBuilder::new(&build(&linux_like(), Profile::Compact, &mut |_, _| ()).expect("builds"));
    for half in (0..image.section(SectionKind::Tokens).len()).step_by(2) {
        let damaged = image.clone().with_section(SectionKind::Tokens, half, &[0xff, 0xff]).sealed();
        properties::image::check(&damaged, &mut Random::new(half as u64 + 1));
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
    // Found by flipping bits: behind the last symbol there is no distance that a gap could be taken off.
    let open = sorted(vec![sized_pair(0x1000, b"a"), symbol(0x1004, b't', b"b")]);
    let error = verify(ImageBuilder::new(&image_of(&open)).with_section(SectionKind::Gaps, 0, &[0x90]));
    assert_eq!(error, Error::GapTooLarge { symbol: 1, gap: 9 });
    let unmarked = sized().with_entry(SectionKind::Gaps, offset_of!(SectionEntry, kind), 77);
    assert_eq!(parse(unmarked), Error::SectionMissing { section: SectionKind::Gaps });
    // The nibble of a symbol that has an exception must say so.
    let error = verify(sized().with_section(SectionKind::Gaps, 1, &[0]));
    assert_eq!(error, Error::SizeNotMarked { exception: 1, symbol: 2 });
}

#[test]
fn leading_symbols_are_absolute_and_below_the_base() {
    let above = 0xffff_ffff_8100_0001u64.to_le_bytes();
    let error = verify(linux().with(offset_of!(Header, link_base), &above));
    assert_eq!(error, Error::WrongSideOfBase { symbol: 4, address: 0xffff_ffff_8100_0000 });
    // Untrained, every byte is its own token: the A of the types becomes a B.
    let untrained = ImageBuilder::new(&build_untrained(&linux_like()).expect("builds"));
    let place = &untrained.section(SectionKind::Tokens)[usize::from(b'A') * 4..][..4];
    let offset = u32::from_le_bytes(place.try_into().expect("four bytes")) >> 8;
    let renamed = untrained.clone().with_section(SectionKind::TokenBytes, offset as usize, b"B");
    assert_eq!(verify(renamed), Error::NotAbsolute { symbol: 0, kind: b'B' });
}

/// Where the counts and the codes of a record without links begin in the records section.
fn parts(image: &ImageBuilder, record: usize) -> (usize, usize) {
    let head = image.section(SectionKind::Records)[record];
    assert_eq!(head >> 7, 0, "no links");
    let counts = record + 1 + (16 << (head & 3));
    (counts, counts + (8 << (head >> 2 & 3)))
}

#[test]
fn a_record_that_reaches_past_the_section() {
    let image = linux();
    let block = linux_like().list.len().div_ceil(16) - 1;
    let record = record_at(&image, block);
    let error = verify(linux().with_section(SectionKind::Records, record, &[0x0f]));
    assert_eq!(error, Error::BadRecord { block: block as u32, offset: record as u32 });
}

#[test]
fn deltas_that_fall_or_are_not_blank() {
    let record = record_at(&linux(), 2);
    let error = verify(linux().with_section(SectionKind::Records, record + 1 + 2, &[0]));
    assert!(matches!(error, Error::AddressOrder { symbol: 34, .. }), "{error:?}");
    // The places behind the last symbol of the table could count as symbols.
    let symbols = linux_like().list.len();
    let record = record_at(&linux(), symbols / 16);
    let width = 1usize << (linux().section(SectionKind::Records)[record] & 3);
    let blank = vec![0; width * (16 - symbols % 16)];
    let error =
        verify(linux().with_section(SectionKind::Records, record + 1 + width * (symbols % 16), &blank));
    assert_eq!(error, Error::SpareDelta { block: symbols as u32 / 16 });
}

#[test]
fn codes_and_lengths_of_names() {
    let image = linux();
    let (_, codes) = parts(&image, record_at(&image, 2));
    let error = verify(linux().with_section(SectionKind::Records, codes, &[0xff; 4]));
    assert_eq!(error, Error::BadCode { symbol: 32 });

    // Untrained, a code is a byte and a count the length of a name and its type.
    let short = sorted(vec![symbol(0x1000, b'T', *b"first"), symbol(0x2000, b'T', *b"second")]);
    let image = || ImageBuilder::new(&build_untrained(&short).expect("builds"));
    let (counts, codes) = parts(&image(), 0);
    assert_eq!(image().section(SectionKind::Records)[counts], 0x76, "6 and 7 codes");
    let error = verify(image().with_section(SectionKind::Records, counts, &[0xc1]));
    assert_eq!(error, Error::EmptyName { symbol: 0 });
    let error = verify(image().with_section(SectionKind::Records, codes, b"A"));
    assert_eq!(error, Error::BadField { field: Field::LinkBase, value: 0x1000 });

    let long = |kind| symbol(0x1000, kind, vec![kind; 600_000]);
    let long = sorted(vec![long(b't'), long(b'd')]);
    let image = ImageBuilder::new(&build_untrained(&long).expect("builds"));
    let (counts, _) = parts(&image, 0);
    let moved = [2u32, 1_200_000].map(u32::to_le_bytes).concat();
    let error = verify(image.with_section(SectionKind::Records, counts, &moved));
    // No more codes are taken than tell that.
    assert_eq!(error, Error::NameTooLong { symbol: 1, len: 1_048_577 });
}

/// A name ends at a token that is empty, and a type that is no letter is one character.
#[test]
fn damaged_tokens_in_texts() {
    let tokens = linux().section(SectionKind::Tokens).len() / 4;
    for code in 0..tokens {
        let bytes = linux().with_section(SectionKind::Tokens, 4 * code, &[0]).sealed();
        ask_everything(&Image::parse(&bytes).expect("parses"));
    }
    let one = sorted(vec![symbol(0x1000, b'T', *b"first")]);
    let image = ImageBuilder::new(&build_untrained(&one).expect("builds"));
    // Untrained, a token is the byte that is its code.
    let place = &image.section(SectionKind::Tokens)[4 * usize::from(b'T')..][..4];
    let at = u32::from_le_bytes(place.try_into().expect("four bytes")) >> 8;
    let bytes = image.with_section(SectionKind::TokenBytes, at as usize, &[0xe9]).sealed();
    let image = Image::parse(&bytes).expect("parses");
    let symbol = image.iter().next().expect("one");
    assert_eq!(symbol.listing().to_string(), "0000000000001000 \u{e9} first");
    assert_eq!(format!("{:#}", image.lookup(0x1000).expect("is there")), "\u{e9} first+0x0");
}
