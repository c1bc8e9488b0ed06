//! Images: the dictionary, the counts, the links.

use std::cell::Cell;

use kallsyms_core::image::layout::{MAX_CODES, MAX_NAME, MAX_TOKEN, RecordHead, SectionKind};
use kallsyms_core::query::Fault;
use kallsyms_core::{Error, Image, SymbolIndex};
use kallsyms_gen::build::{build, build_untrained};
use kallsyms_gen::compress::Profile;
use kallsyms_host_tests::fixtures::{image_of, linux_like};
use kallsyms_host_tests::image_builder::ImageBuilder;
use kallsyms_host_tests::random::Random;
use kallsyms_host_tests::symbols::{sorted, symbol};

use crate::tables::{TEXT, aliases, chains_through_all, duplicates, nested_functions};

/// The two halves of each token.
type Dictionary<'d> = &'d dyn Fn(u16) -> [u16; 2];

/// No dictionary of pairs makes a code more than 255 pieces.
#[test]
fn the_deepest_dictionaries() {
    let bytes = build(&linux_like(), Profile::Compact, &mut |_, _| ()).expect("builds");
    let sound = ImageBuilder::new(&bytes);
    let tokens = u16::try_from(sound.section(SectionKind::Tokens).len() / 4).expect("few");
    let codes = sound.section(SectionKind::Records).len() as u64 * 8 / u64::from(bytes[53]);
    let literal = |token: u16| [token, u16::from(b'x')];
    let dictionaries: [(&str, Dictionary<'_>); 5] = [
        ("left without end", &|token| [(token + 1) % tokens, token]),
        ("right without end", &|token| if token == 0 { literal(0) } else { [0, token] }),
        ("in a circle", &|token| if token == 0 { literal(0) } else { [0, token % (tokens - 1) + 1] }),
        ("doubled", &|token| if token == 0 { literal(0) } else { [token - 1, token - 1] }),
        ("as deep as may be", &|token| if token == 0 { literal(0) } else { [token.min(15) - 1, 0] }),
    ];
    for (what, pair) in dictionaries {
        let section: Vec<u8> =
            (0..tokens).flat_map(|token| pair(token).map(u16::to_le_bytes)).flatten().collect();
        let bytes = sound.clone().with_section(SectionKind::Tokens, 0, &section).sealed();
        let image = Image::parse(&bytes).expect("passes the checks");
        let mut pieces = 0;
        for symbol in &image {
            pieces += symbol.name().fragments().count() as u64;
            assert_eq!(symbol.name().len(), symbol.name().fragments().count(), "{what}: bytes are pieces");
        }
        assert!(pieces <= MAX_TOKEN as u64 * codes, "{what}: {pieces} pieces of {codes} codes");
        println!("{what}: {pieces} pieces of at most {codes} codes");
    }
}

/// A count of 2^32 - 1 takes no more codes than the longest name has, though three times as many follow.
#[test]
fn a_name_of_all_codes_that_follow() {
    let mut random = Random::new(1);
    let name = |_| -> Vec<u8> { (0..MAX_NAME).map(|_| random.below(255) as u8 + 1).collect() };
    let list = (0_u64..).zip((0..3).map(name)).map(|(at, name)| symbol(TEXT + at * 16, b't', name));
    let image = ImageBuilder::new(&build_untrained(&sorted(list.collect())).expect("builds"));
    let head = RecordHead(image.section(SectionKind::Records)[0]);
    assert_eq!(head.count_width(), 3, "counts of 32 bits");
    let counts = 1 + (16 << head.delta_width());
    let damaged = image.with_section(SectionKind::Records, counts, &u32::MAX.to_le_bytes()).sealed();
    let image = Image::parse(&damaged).expect("passes the checks");
    let first = image.symbol(SymbolIndex(0)).expect("is there").name();
    let pieces = first.fragments().count();
    assert!((MAX_NAME..=MAX_CODES as usize).contains(&pieces), "{pieces} pieces");
    let Err(Error::SectionLength { section: SectionKind::Records, .. }) = image.verify() else {
        panic!("{:?}", image.verify())
    };
}

#[test]
fn symbols_of_one_name() {
    let bytes = image_of(&duplicates(5_000));
    let image = Image::parse(&bytes).expect("parses");
    assert_eq!(image.lookup_all("same").count(), 5_000);
    let asked = Cell::new(0);
    let mut out = [None; 1];
    let found = image.resolve_with(&["same"], &mut out, |_| {
        asked.set(asked.get() + 1);
        false
    });
    assert_eq!((found, asked.get()), (0, 5_000));
}

/// The chain of a name rises, so that it has no more symbols than the table; all chains together are followed
/// no further than the first symbol that is met twice.
#[test]
fn links_through_all_symbols() {
    const NAMES: u32 = 3_000;
    let bytes = chains_through_all(NAMES);
    let image = Image::parse(&bytes).expect("passes the checks");
    for (name, symbols) in [("name_0", NAMES + 1), ("name_1000", NAMES - 999), ("name_2999", 2)] {
        assert_eq!(image.lookup_all(name).count(), symbols as usize, "{name}");
    }
    assert_eq!(image.self_test(&mut [0; 16], || 0), Err(Fault::FoundTwice { symbols: 2 * NAMES }));
    assert!(matches!(image.verify(), Err(Error::BadLink { symbol: 0, target: 2 })));
}

/// The answers of the tables whose steps `instructions` counts.
#[test]
fn aliases_and_nested_functions() {
    let bytes = image_of(&aliases(5_000));
    let image = Image::parse(&bytes).expect("parses");
    for table in [image, image.with_slide(0x1000)] {
        let found = table.lookup(TEXT + table.slide() + 8).expect("is in the last symbols");
        assert_eq!((found.symbol().index(), found.offset()), (SymbolIndex(1), 8));
    }
    let bytes = image_of(&nested_functions(2_000));
    let image = Image::parse(&bytes).expect("parses");
    for (at, symbol) in [(1_999, 1_999), (2_001, 1_998), (2_002, 1_997), (3_999, 0), (2_999, 1_000)] {
        let found = image.lookup(TEXT + at).map(|found| found.symbol().index());
        assert_eq!(found, Some(SymbolIndex(symbol)), "{at}");
    }
}
