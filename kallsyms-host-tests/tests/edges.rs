//! Before the first, in a gap, past the last; and the exact text of every form.

use kallsyms_core::{Image, SymbolIndex};
use kallsyms_gen::build::build;
use kallsyms_gen::compress::Profile;
use kallsyms_gen::error::{Error, Place};
use kallsyms_gen::input::{Options, read};
use kallsyms_gen::symbols::{Symbol, Symbols};
use kallsyms_host_tests::elf::{executable, function};
use kallsyms_host_tests::fixtures::{image_of, linux_like, sized};
use kallsyms_host_tests::symbols::{sorted, symbol};

const TEXT: u64 = 0xffff_ffff_8100_0000;
const SIZED: u64 = 0xffff_ffff_8000_1000;

fn with<T>(symbols: &Symbols, ask: impl FnOnce(&Image<'_>) -> T) -> T {
    let bytes = image_of(symbols);
    ask(&Image::parse(&bytes).expect("parses"))
}

fn described(image: &Image<'_>, pc: u64) -> String {
    image.describe(pc).to_string()
}

#[test]
fn below_the_first_symbol() {
    with(&sized(), |image| {
        for pc in [0, 1, SIZED - 1] {
            assert_eq!(image.lookup(pc), None);
            assert_eq!(described(image, pc), format!("{pc:#x}"));
        }
        assert_eq!(image.lookup_return_address(0), None);
        assert_eq!(image.lookup_return_address(SIZED), None);
        assert_eq!(image.describe_return_address(SIZED + 1).to_string(), "start+0x1/0x1b");
    });
}

#[test]
fn gaps_are_misses() {
    with(&sized(), |image| {
        assert_eq!(described(image, SIZED + 0x1a), "start+0x1a/0x1b");
        assert_eq!(described(image, SIZED + 0x1b), "0xffffffff8000101b");
        assert_eq!(described(image, SIZED + 0x141), "0xffffffff80001141");
        assert_eq!(described(image, SIZED + 0x3_ffff), "0xffffffff80040fff");
        assert_eq!(described(image, SIZED + 0x4_0000), "far+0x0/0x8");
        // A call that is the last instruction returns behind the end.
        assert_eq!(image.describe_return_address(SIZED + 0x1b).to_string(), "start+0x1b/0x1b");
        assert_eq!(image.lookup_return_address(SIZED + 0x1c), None);
    });
}

#[test]
fn past_an_inner_symbol_the_enclosing_one_answers() {
    with(&sized(), |image| {
        assert_eq!(described(image, SIZED + 0x3f), "outer+0x1f/0x100");
        assert_eq!(described(image, SIZED + 0x4f), "inner+0xf/0x10");
        assert_eq!(described(image, SIZED + 0x50), "outer+0x30/0x100");
        assert_eq!(described(image, SIZED + 0x11f), "outer+0xff/0x100");
    });
}

#[test]
fn past_the_end() {
    with(&sized(), |image| {
        assert_eq!(described(image, SIZED + 0x4_0010 + 19 * 0x10 + 3), "leaf_19+0x3/0x4");
        for pc in [SIZED + 0x4_0010 + 19 * 0x10 + 4, SIZED + 0x5_0001, u64::MAX] {
            assert_eq!(image.lookup(pc), None);
        }
    });
    // Text does not say where the last symbol ends: its page is taken for its own, its size is not known.
    with(&linux_like(), |image| {
        assert_eq!(described(image, 0xffff_ffff_c020_1084), "s_next+0x4 [xfs]");
        assert_eq!(described(image, 0xffff_ffff_c020_1fff), "s_next+0xf7f [xfs]");
        assert_eq!(image.lookup(0xffff_ffff_c020_2000), None);
    });
}

#[test]
fn address_zero_is_a_symbol_and_the_last_address_too() {
    let symbols = sorted(vec![symbol(0, b'T', *b"first"), symbol(u64::MAX, b'T', *b"last")]);
    with(&symbols, |image| {
        assert_eq!(image.lookup_name("first").map(|symbol| symbol.address()), Some(0));
        assert_eq!(described(image, 0), "first+0x0/0xffffffffffffffff");
        assert_eq!(described(image, u64::MAX - 1), "first+0xfffffffffffffffe/0xffffffffffffffff");
        assert_eq!(described(image, u64::MAX), "last+0x0");
        assert_eq!(
            image.describe_return_address(u64::MAX).to_string(),
            "first+0xffffffffffffffff/0xffffffffffffffff"
        );
    });
}

/// The distance from the last absolute symbol to the kernel is nobody's.
#[test]
fn absolute_symbols_do_not_reach_the_kernel() {
    with(&linux_like(), |image| {
        assert_eq!(described(image, 0x33fff), "cpu_debug_store+0x32fff/0x33000");
        assert_eq!(described(image, 0x34000), "__per_cpu_end+0x0");
        assert_eq!(described(image, 0x34001), "0x34001");
        assert_eq!(described(image, TEXT - 1), "0xffffffff80ffffff");
    });
}

#[test]
fn a_slide_moves_all_but_absolute_symbols() {
    with(&linux_like(), |image| {
        let moved = image.with_slide(0x1e0_0000);
        assert_eq!(described(&moved, TEXT + 0x1e0_0050), "step_0+0x0/0x40");
        assert_eq!(described(&moved, TEXT + 0x50), "0xffffffff81000050");
        assert_eq!(described(&moved, 0x1000), "cpu_debug_store+0x0/0x33000");
        assert_eq!(moved.lookup_name("step_0").map(|symbol| symbol.address()), Some(TEXT + 0x1e0_0050));
        assert_eq!(moved.lookup_name("__per_cpu_end").map(|symbol| symbol.address()), Some(0x34000));
        // Downwards and around the end of the address space.
        let down = image.with_slide(0u64.wrapping_sub(TEXT));
        assert_eq!(down.lookup_name("_stext").map(|symbol| symbol.address()), Some(0));
        assert_eq!(described(&down, 0x52), "step_0+0x2/0x40");
    });
}

/// A function with absolute symbols in its middle: under a slide it answers behind them, too.
#[test]
fn a_slide_passes_over_absolute_aliases() {
    let constant = |size, parent| Symbol { size: Some(size), parent, ..symbol(0x1017, b'a', *b"constant") };
    let symbols = Symbols {
        covered_last: Some(0x1fff),
        ..sorted(vec![
            Symbol { size: Some(0x30), ..symbol(0x1000, b't', *b"function") },
            constant(1, Some(0)),
            constant(0x40, None),
        ])
    };
    with(&symbols, |image| {
        let moved = image.with_slide(0x10_0000);
        assert_eq!(described(&moved, 0x10_1016), "function+0x16/0x30");
        assert_eq!(described(&moved, 0x10_1017), "function+0x17/0x30");
        assert_eq!(described(&moved, 0x10_102f), "function+0x2f/0x30");
        assert_eq!(described(&moved, 0x10_1030), "0x101030");
        assert_eq!(described(&moved, 0x1017), "constant+0x0/0x1");
    });
}

#[test]
fn names_that_are_not_there() {
    with(&linux_like(), |image| {
        for name in ["", "a", "zzz", "step_", "step_00", "step_400", "_", "xen_vcp", "xen_vcpu_", "__pfx_"] {
            assert!(image.lookup_name(name).is_none(), "{name:?}");
            assert_eq!(image.lookup_all(name).count(), 0);
        }
        assert!(image.lookup_name(&"x".repeat(3_000_000)).is_none());
        assert!(image.lookup_name(b"step_\xff").is_none());
    });
}

#[test]
fn text_forms() {
    with(&linux_like(), |image| {
        let location = image.lookup(TEXT + 0x52).expect("is in step_0");
        assert_eq!(format!("{location} {location:#}"), "step_0+0x2/0x40 t step_0+0x2/0x40");
        let symbol = image.lookup_name("xfs_read").expect("is there");
        assert_eq!(symbol.to_string(), "xfs_read");
        assert_eq!(symbol.listing().to_string(), "ffffffffc0201000 t xfs_read\t[xfs]");
        let first = image.symbol(SymbolIndex(0)).expect("is there");
        assert_eq!(first.listing().to_string(), "0000000000000000 A fixed_percpu_data");
        assert_eq!(first.name().to_owned_name::<17>().expect("fits"), b"fixed_percpu_data");
        assert_eq!(
            first.name().to_owned_name::<16>().unwrap_err().to_string(),
            "the name is longer than 16 bytes"
        );
        assert_eq!(image.symbol(SymbolIndex(image.len())), None);
    });
}

#[test]
fn eight_digits() {
    let mut symbols = sorted(vec![symbol(0x8000, b'T', *b"stext"), symbol(0xffff_ffff, b't', *b"top")]);
    symbols.address_digits = 8;
    with(&symbols, |image| {
        let lines: Vec<String> = image.iter().map(|symbol| symbol.listing().to_string()).collect();
        assert_eq!(lines, ["00008000 T stext", "ffffffff t top"]);
        assert_eq!(image.lookup_name("top").map(|symbol| symbol.address()), Some(0xffff_ffff));
    });
}

/// The table may stand anywhere, and in a longer reservation.
#[test]
fn any_alignment() {
    let bytes = image_of(&linux_like());
    for shift in 0..9 {
        let mut moved = vec![0xaa; shift];
        moved.extend(&bytes);
        moved.extend([0xaa; 100]);
        let image = Image::parse(&moved[shift..]).expect("parses");
        image.verify().expect("is sound");
        assert_eq!(image.as_bytes(), bytes);
        assert_eq!(described(&image, TEXT + 0x52), "step_0+0x2/0x40");
    }
}

/// A listing's line ends at a line feed, and a name at a tab and a bracket.
#[test]
fn names_that_no_listing_can_hold() {
    for name in ["fo\no", "foo\t[bar]"] {
        let elf = executable(&[function(name, 0, 8)]);
        let refused = read(&elf, &Options::default()).expect_err("is refused");
        assert!(matches!(refused, Error::NameUnprintable { place: Place::Offset(_), .. }), "{refused}");
    }
}

/// UTF-8 that the codes cut anywhere comes out whole; what is no UTF-8 comes out as U+FFFD, as the standard
/// library says.
#[test]
fn names_of_any_bytes() {
    let names: [&[u8]; 8] = [
        "größe_漢字_🦀".as_bytes(),
        b"\xff",
        b"a\xf0\x9f\xa6",
        b"\xf0\x9f\xa6\x80\xf0\x9f\xa6",
        b"\xe6\xbc\xe6\xbc\xa2",
        b"\xc3(\xa0\xa1",
        b"tail\xc3",
        b"\x80\x80\x80",
    ];
    let list = names.iter().zip(1u64..).map(|(name, at)| symbol(at * 16, b't', *name)).collect();
    with(&sorted(list), |image| {
        for (symbol, name) in image.iter().zip(names) {
            assert_eq!(symbol.to_string(), String::from_utf8_lossy(name));
            assert!(symbol.name() == *name && image.lookup_name(name) == Some(symbol));
        }
    });
}

/// Names around the length that text is gathered in, cut characters and broken ones at each place of it.
#[test]
fn names_of_every_length_are_copied_and_written() {
    let tail = ["\u{e9}".as_bytes(), "\u{20ac}".as_bytes(), "\u{1f980}".as_bytes(), &[0xff], &[0xe2, 0x82]];
    let name =
        |len: usize| [vec![b'a' + (len % 26) as u8; len], tail[len % 5].to_vec(), b"_end".to_vec()].concat();
    let names: Vec<Vec<u8>> = (1..300).map(name).collect();
    let list = names.iter().zip(1u64..).map(|(name, at)| symbol(0x1000 * at, b't', name.clone()));
    let symbols = sorted(list.collect());
    for profile in [Profile::Fast, Profile::Compact] {
        let bytes = build(&symbols, profile, &mut |_, _| ()).expect("builds");
        let image = Image::parse(&bytes).expect("parses");
        for (symbol, name) in image.iter().zip(&names) {
            let mut buffer = vec![0; name.len()];
            assert_eq!(symbol.name().copy_to(&mut buffer).expect("fits"), name);
            let short = symbol.name().copy_to(&mut buffer[1..]).unwrap_err();
            assert_eq!(short.capacity, name.len() - 1);
            let text = String::from_utf8_lossy(name);
            assert_eq!(symbol.to_string(), text);
            assert_eq!(symbol.listing().to_string(), format!("{:016x} t {text}", symbol.address()));
            // Where the last one ends is not known.
            let offset = if name == &names[names.len() - 1] { ("+0x0", 0) } else { ("+0x2/0x1000", 2) };
            assert_eq!(described(&image, symbol.address() + offset.1), format!("{text}{}", offset.0));
            let mut longer = name.clone();
            longer.push(b'!');
            assert!(symbol.name() == *name.as_slice() && symbol.name() != *longer.as_slice());
        }
    }
}
