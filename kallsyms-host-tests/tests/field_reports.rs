//! What went wrong in other kernels' symbolizers, each report as a test of what is right.
//!
//! The reports of a running kernel (locks, panics in panics, interrupt frames, embedding) are in `boot.rs`;
//! those of the frame walker on broken stacks are unit tests of `kallsyms_core::backtrace` as well.

use kallsyms_core::backtrace::{End, Frames, Stack, StackMemory};
use kallsyms_core::{Error, Image, Reserved};
use kallsyms_gen::build::build;
use kallsyms_gen::compress::Profile;
use kallsyms_gen::input::{Options, read};
use kallsyms_gen::symbols::Symbols;
use kallsyms_gen::{embed, error};
use kallsyms_host_tests::elf::{ElfSymbol, TEXT, TEXT_LEN, executable, function, label, weak};
use kallsyms_host_tests::fixtures::{image_of, linux_like};
use kallsyms_host_tests::image_builder::ImageBuilder;

fn of_elf(symbols: &[ElfSymbol]) -> Symbols {
    read(&executable(symbols), &Options::default()).expect("is an ELF file").symbols
}

fn of_text(text: &str) -> Symbols {
    read(text.as_bytes(), &Options::default()).expect("is a text").symbols
}

fn with<T>(symbols: &Symbols, ask: impl FnOnce(&Image<'_>) -> T) -> T {
    let bytes = image_of(symbols);
    ask(&Image::parse(&bytes).expect("parses"))
}

/// What the image of these ELF symbols says of an offset in the text.
fn named(symbols: &[ElfSymbol], offset: u64) -> String {
    with(&of_elf(symbols), |image| image.describe(TEXT + offset).to_string())
}

fn listing(symbols: &Symbols) -> Vec<String> {
    with(symbols, |image| image.iter().map(|symbol| symbol.name().to_string()).collect())
}

#[test]
fn report_01_strong_alias_before_weak() {
    let symbols = [weak("__weak_alias", 0, 16), function("zz_strong", 0, 16), function("_strong", 0, 16)];
    assert_eq!(listing(&of_elf(&symbols)), ["zz_strong", "_strong", "__weak_alias"]);
    assert_eq!(named(&symbols, 4), "zz_strong+0x4/0x10");
}

#[test]
fn report_02_mapping_symbols_are_dropped() {
    let symbols =
        [label("$d", 0), label("$x.3", 0), label("$a", 4), function("real", 0, 16), label("$t.1", 8)];
    assert_eq!(listing(&of_elf(&symbols)), ["real"]);
    assert_eq!(named(&symbols, 9), "real+0x9/0x10");
}

#[test]
fn report_03_padding_symbols_say_so_and_can_be_left_out() {
    let text = "ffffffff81000000 t __pfx_foo\nffffffff81000010 t foo\nffffffff81000050 t bar\n";
    with(&of_text(text), |image| {
        assert_eq!(image.describe(0xffff_ffff_8100_0008).to_string(), "__pfx_foo+0x8/0x10");
        assert_eq!(image.describe(0xffff_ffff_8100_0018).to_string(), "foo+0x8/0x40");
    });
    let options = Options { drop_padding: true, ..Options::default() };
    let input = read(text.as_bytes(), &options).expect("is a text");
    assert_eq!(listing(&input.symbols), ["foo", "bar"]);
}

#[test]
fn report_04_sized_function_before_its_unsized_alias() {
    let symbols = [label("alias", 0), function("sized", 0, 8)];
    assert_eq!(listing(&of_elf(&symbols)), ["sized", "alias"]);
    assert_eq!(named(&symbols, 7), "sized+0x7/0x8");
}

#[test]
fn report_05_a_gap_belongs_to_nobody() {
    let symbols = [function("small", 0, 0x20), function("far", 0xf00, 0x10)];
    assert_eq!(named(&symbols, 0x1f), "small+0x1f/0x20");
    assert_eq!(named(&symbols, 0x20), format!("{:#x}", TEXT + 0x20));
    assert_eq!(named(&symbols, 0xeff), format!("{:#x}", TEXT + 0xeff));
}

#[test]
fn report_06_a_section_end_marker_has_no_size() {
    let symbols = [function("last", 0xff0, 0x10), label("_etext", TEXT_LEN)];
    with(&of_elf(&symbols), |image| {
        let end = image.lookup_name("_etext").expect("is there");
        assert_eq!((end.address(), end.size()), (TEXT + TEXT_LEN, Some(0)));
        assert!(image.lookup(TEXT + TEXT_LEN + 1).is_none());
        assert_eq!(image.describe_return_address(TEXT + TEXT_LEN).to_string(), "last+0x10/0x10");
    });
    // The distance from the percpu symbols to the kernel is no size either.
    with(&linux_like(), |image| {
        assert_eq!(image.lookup_name("__per_cpu_end").expect("is there").size(), None);
    });
}

#[test]
fn report_07_a_call_that_ends_its_function_names_the_caller() {
    let symbols = [function("caller", 0, 0x10), function("next", 0x10, 0x10)];
    with(&of_elf(&symbols), |image| {
        assert_eq!(image.describe_return_address(TEXT + 0x10).to_string(), "caller+0x10/0x10");
        assert_eq!(image.describe_return_address(TEXT + 0x11).to_string(), "next+0x1/0x10");
    });
}

#[test]
fn report_08_a_faulting_pc_is_looked_up_as_it_is() {
    let symbols = [function("before", 0, 0x10), function("faulting", 0x10, 0x10)];
    assert_eq!(named(&symbols, 0x10), "faulting+0x0/0x10");
}

/// A stack of a few words at 0x1000; all of 0x400000 to 0x500000 is text.
struct FakeStack(&'static [u64]);

impl StackMemory for FakeStack {
    fn stack_of(&self, address: u64) -> Option<Stack> {
        let stack = Stack { first: 0x1000, last: 0x1000 + self.0.len() as u64 * 8 - 1 };
        stack.holds(address, 1).then_some(stack)
    }

    fn read(&self, address: u64) -> Option<u64> {
        self.0.get((address.checked_sub(0x1000)? / 8) as usize).copied()
    }

    fn is_text(&self, address: u64) -> bool {
        (0x40_0000..0x50_0000).contains(&address)
    }

    fn code(&self, _: u64) -> Option<u8> {
        Some(0x90)
    }

    fn function_start(&self, _: u64) -> Option<u64> {
        None
    }
}

fn walk(stack: &'static [u64], frame_pointer: u64) -> (Vec<u64>, Option<End>) {
    let mut frames = Frames::new(FakeStack(stack), 0x40_0000, frame_pointer);
    let addresses = (&mut frames).map(|frame| frame.address).collect();
    (addresses, frames.end())
}

#[test]
fn report_11_a_garbage_frame_pointer_ends_the_walk() {
    assert_eq!(walk(&[0; 8], 0x67), (vec![0x40_0000], Some(End::Unaligned(0x67))));
}

#[test]
fn report_12_a_self_linked_frame_ends_the_walk() {
    let (addresses, end) = walk(&[0x1000, 0x40_1111, 0, 0], 0x1000);
    assert_eq!((addresses, end), (vec![0x40_0000, 0x40_1111], Some(End::NotRising(0x1000))));
}

#[test]
fn report_15_a_reservation_that_is_too_small_says_what_is_needed() {
    let image = image_of(&linux_like());
    let reservation = embed::Reservation { symbol: "TABLE".into(), offset: 0, len: 100 };
    let mut elf = vec![0; 4096];
    let refused = embed::embed(&mut elf, &reservation, &image).expect_err("does not fit");
    assert!(refused.to_string().contains(&image.len().to_string()), "{refused}");
    assert!(elf.iter().all(|byte| *byte == 0), "nothing is written");
}

#[test]
fn report_16_a_missing_or_damaged_table_is_an_error_value() {
    static EMPTY: Reserved<4096> = Reserved::new();
    assert_eq!(EMPTY.image().err(), Some(Error::NotEmbedded));
    let image = image_of(&linux_like());
    let middle = image.len() / 2;
    let damaged = ImageBuilder::new(&image).with(middle, &[image[middle] ^ 1]).bytes();
    assert!(matches!(Image::parse(&damaged), Err(Error::Checksum { .. })));
}

#[test]
fn report_17_names_have_no_length_limit_at_run_time() {
    for len in [287, 512, 5_000, 65_536, 1 << 20] {
        let name: String = ('a'..='z').cycle().take(len).collect();
        with(&of_text(&format!("0000000000001000 T {name}\n0000000000002000 T b\n")), |image| {
            let symbol = image.lookup_name(&name).expect("is found");
            assert_eq!((symbol.address(), symbol.name().len()), (0x1000, len));
            assert_eq!(image.describe(0x1003).to_string(), format!("{name}+0x3/0x1000"));
        });
    }
}

#[test]
fn report_18_the_layout_is_versioned() {
    let image = ImageBuilder::new(&image_of(&linux_like())).with(8, &[2]).sealed();
    assert_eq!(Image::open(&image).err(), Some(Error::UnsupportedVersion { found: 2 }));
}

#[test]
fn report_19_suffixes_are_part_of_the_name() {
    with(&of_text("0000000000001000 t foo.llvm.123\n0000000000002000 t foo\n"), |image| {
        assert_eq!(image.lookup_name("foo").map(|symbol| symbol.address()), Some(0x2000));
        assert_eq!(image.lookup_name("foo.llvm.123").map(|symbol| symbol.address()), Some(0x1000));
        assert!(image.lookup_name("foo.llvm.124").is_none());
    });
}

#[test]
fn report_20_cold_parts_are_shown_as_they_are() {
    let symbols = [function("work", 0, 0x20), function("work.cold", 0x800, 0x10)];
    assert_eq!(named(&symbols, 0x804), "work.cold+0x4/0x10");
    with(&of_elf(&symbols), |image| assert!(image.lookup_name("work").is_some(), "the parent is there too"));
}

#[test]
fn report_21_llvm_suffixes_do_not_hide_the_mangling() {
    let mangled = "_ZN4core3fmt9Formatter3pad17h0123456789abcdefE.llvm.9287364";
    assert_eq!(named(&[function(mangled, 0, 8)], 1), "core::fmt::Formatter::pad+0x1/0x8");
}

#[test]
fn report_22_hostile_mangled_names_are_kept_as_they_are() {
    let hostile = format!("_R{}", "Y".repeat(20_000));
    assert_eq!(listing(&of_elf(&[function(hostile.clone(), 0, 8)])), [hostile]);
}

#[test]
fn report_23_names_are_compared_whole() {
    with(&linux_like(), |image| {
        let address = |name: &str| image.lookup_name(name).map(|symbol| symbol.address());
        assert_eq!(address("xen_vcpu"), Some(0xffff_ffff_8100_3008));
        assert_eq!(address("xen_vcpu_info"), Some(0xffff_ffff_8100_3000));
        assert_eq!(address("xen_vcpu_"), None);
    });
}

#[test]
fn report_24_every_symbol_of_a_name_is_reached() {
    with(&linux_like(), |image| {
        let found: Vec<u64> = image.lookup_all("s_next").map(|symbol| symbol.address()).collect();
        let text = 0xffff_ffff_8100_2000;
        assert_eq!(found, [text, text + 0x20, text + 0x40, text + 0x60, text + 0x80, 0xffff_ffff_c020_1080]);
    });
}

#[test]
fn report_25_hidden_addresses_are_no_addresses() {
    let text = b"0000000000000000 T _stext\n0000000000000000 t foo\n";
    let hidden = read(text, &Options::default()).expect_err("is refused");
    assert!(matches!(hidden, error::Error::Hidden { symbols: 2 }), "{hidden}");
    assert!(hidden.to_string().contains("kptr_restrict"), "{hidden}");
}

#[test]
fn report_26_modules_are_no_part_of_the_name() {
    with(&of_text("ffffffffc0201000 t xfs_read\t[xfs]\nffffffffc0201100 t plain\n"), |image| {
        assert_eq!(image.lookup_name("xfs_read").expect("is found").module(), Some(&b"xfs"[..]));
        assert_eq!(image.lookup_name("plain").expect("is found").module(), None);
    });
}

#[test]
fn report_27_the_table_may_stand_at_any_address() {
    let image = image_of(&linux_like());
    for shift in 1..8 {
        let moved = [vec![0; shift], image.clone()].concat();
        assert!(Image::parse(&moved[shift..]).is_ok_and(|image| image.lookup_name("step_3").is_some()));
    }
}

#[test]
fn report_28_below_the_first_symbol_is_a_miss() {
    with(&of_text("0000000000001000 T m\n0000000000002000 T n\n"), |image| {
        assert!(image.lookup(0).is_none() && image.lookup(0xfff).is_none());
        for name in ["", "a", "l", "\0", "z"] {
            assert!(image.lookup_name(name).is_none(), "{name:?}");
        }
    });
}

#[test]
fn report_29_the_generator_finds_every_symbol_before_it_reports_success() {
    let symbols = linux_like();
    let image = build(&symbols, Profile::Fast, &mut |_, _| ()).expect("builds");
    assert_eq!(kallsyms_gen::verify::verify(&image, &symbols), Ok(()));
    let mut other = symbols.clone();
    other.list[20].name.push(b'x');
    assert!(kallsyms_gen::verify::verify(&image, &other).is_err());
}

/// No debug information is read at run time: an ELF file without any gives the same names.
#[test]
fn report_30_names_need_no_debug_information() {
    let elf = executable(&[function("plain", 0, 16)]);
    assert!(!elf.windows(6).any(|bytes| bytes == b".debug"));
    assert_eq!(named(&[function("plain", 0, 16)], 5), "plain+0x5/0x10");
}
