//! Large tables: all names and a sample of the addresses, against maps and the oracle.

use std::collections::HashMap;

use kallsyms_core::Image;
use kallsyms_core::image::layout::flags;
use kallsyms_gen::build::{build, build_untrained};
use kallsyms_gen::compress::Profile;
use kallsyms_gen::symbols::Symbols;
use kallsyms_host_tests::oracle::Oracle;
use kallsyms_host_tests::symbols::{sorted, symbol};

/// The same numbers in every run.
fn random() -> impl FnMut() -> u64 {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    }
}

fn names_are_found(image: &Image<'_>, symbols: &Symbols) {
    let mut places = HashMap::<&[u8], Vec<u32>>::new();
    for (at, symbol) in (0u32..).zip(&symbols.list) {
        places.entry(&symbol.name).or_default().push(at);
    }
    for (name, expected) in places {
        assert!(image.lookup_all(name).map(|symbol| symbol.index().0).eq(expected));
        assert!(image.lookup_name(&[name, b"\x01"].concat()).is_none());
    }
}

/// Random bytes in random names, some of 5,000 bytes; runs of aliases; a third of the names are duplicates.
#[test]
fn seventy_thousand_symbols() {
    let mut random = random();
    let mut list = vec![symbol(0, b'T', *b"zero"), symbol(u64::MAX, b'T', *b"top")];
    while list.len() < 70_000 {
        let address = 0xffff_ffff_8100_0000 + random() % 0x20_0000 * 16;
        let name: Vec<u8> = match random() % 100 {
            0 => (0..random() % 5_000 + 1).map(|_| (random() % 255) as u8 + 1).collect(),
            1..33 => format!("__func__.{}", random() % 5_000).into_bytes(),
            _ => format!("step_{:x}", random()).into_bytes(),
        };
        for alias in 0..1 + u64::from(random().is_multiple_of(50)) * 40 {
            list.push(symbol(address, b't', [&name[..], &vec![b'_'; alias as usize]].concat()));
        }
    }
    let symbols = sorted(list);
    let bytes = build(&symbols, Profile::Fast, &mut |_, _| ()).expect("builds");
    let image = Image::parse(&bytes).expect("parses");
    names_are_found(&image, &symbols);
    let oracle = Oracle::new(&symbols, 0);
    for _ in 0..300 {
        let pc = 0xffff_ffff_8100_0000 + random() % 0x200_0000;
        let found = image.lookup(pc).map(|found| (found.symbol().index().0, found.offset(), found.size()));
        assert_eq!(found, oracle.by_address(pc), "{pc:#x}");
    }
}

/// More than 65,535 blocks take hints of 32 bits, and links of three bytes.
#[test]
fn above_a_million_symbols() {
    let list = (0..1_100_000u64).map(|number| {
        let name =
            if number.is_multiple_of(4) { format!("d{}", number / 64) } else { format!("s{number:x}") };
        symbol(0xffff_ffff_8000_0000 + number * 32 + number % 7, b't', name)
    });
    let symbols = sorted(list.collect());
    let bytes = build_untrained(&symbols).expect("builds");
    let image = Image::parse(&bytes).expect("parses");
    assert_ne!(image.header().flags.get() & flags::WIDE_HINTS, 0);
    assert_eq!(image.header().link_bytes, 3);
    names_are_found(&image, &symbols);
    let addresses: Vec<u64> = symbols.list.iter().map(|symbol| symbol.address).collect();
    let mut random = random();
    for _ in 0..200_000 {
        let pc = addresses[0] + random() % (addresses[addresses.len() - 1] - addresses[0]);
        let at = addresses.partition_point(|address| *address <= pc) - 1;
        let found = image.lookup(pc).expect("lies between two symbols");
        assert_eq!((found.symbol().index().0 as usize, found.offset()), (at, pc - addresses[at]));
    }
}
