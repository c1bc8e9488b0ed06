//! Patterns, names without what LTO adds, text forms and the self-test, on both kinds of table.

use kallsyms_core::glob::Glob;
use kallsyms_core::image::layout::SectionKind;
use kallsyms_core::linux::{Bounds, Span, Width};
use kallsyms_core::query::{Fault, SelfTest};
use kallsyms_core::table::Layout;
use kallsyms_core::{Image, SymbolIndex, Table};
use kallsyms_gen::build::build;
use kallsyms_gen::compress::Profile;
use kallsyms_gen::input::{self, Options};
use kallsyms_gen::linux::write::{self, write};
use kallsyms_gen::linux::{AddressForm, Tables};
use kallsyms_gen::symbols::Symbols;
use kallsyms_host_tests::fixtures::linux_like;
use kallsyms_host_tests::image_builder::ImageBuilder;

fn read(text: &str) -> Symbols {
    input::read(text.as_bytes(), &Options::default()).expect("is a listing").symbols
}

fn image_of(symbols: &Symbols, profile: Profile) -> Vec<u8> {
    build(symbols, profile, &mut |_, _| ()).expect("builds")
}

fn tables_of(symbols: &Symbols) -> Tables {
    let options = match symbols.address_digits {
        8 => write::Options {
            pointer: Width::Bits32,
            addresses: AddressForm::Absolute,
            ..write::Options::default()
        },
        _ => write::Options::default(),
    };
    write(symbols, &options).expect("can be written")
}

/// The same question to an image of either profile and to Linux's tables, with and without an order of names.
macro_rules! on_every_table {
    ($symbols:expr, |$table:ident| $ask:expr) => {{
        let symbols: &Symbols = $symbols;
        for profile in [Profile::Fast, Profile::Compact] {
            let image = image_of(symbols, profile);
            let $table = &Image::parse(&image).expect("parses");
            $ask
        }
        for order in [Some(kallsyms_core::linux::NameOrder::Whole), None] {
            let options = write::Options { seqs_of_names: order, ..write::Options::default() };
            let tables = write(symbols, &options).expect("can be written");
            let $table = &tables.kallsyms().expect("sound");
            $ask
        }
    }};
}

fn names<'t, L: Layout + 't>(symbols: impl Iterator<Item = kallsyms_core::Symbol<'t, L>>) -> Vec<String> {
    symbols.map(|symbol| format!("{:x} {symbol}", symbol.address())).collect()
}

const TRACE: &str = "\
ffffffff81000000 T _stext
ffffffff81000010 t tcp_sendmsg
ffffffff81000020 t tcp_sendmsg.llvm.5312
ffffffff81000030 t tcp_recvmsg
ffffffff81000040 t udp_sendmsg
ffffffff81000050 t tcp_sendmsg
ffffffff81000060 t what?
ffffffff81000070 t foo.llvm.99
ffffffff81000080 t foo.a
ffffffff81000090 t foo.llvm.7
";

#[test]
fn patterns_find_what_their_semantics_say() {
    on_every_table!(&read(TRACE), |table| {
        let kernel = |pattern: &str| names(table.matching(Glob::kernel(pattern)));
        assert_eq!(
            kernel("tcp_*msg"),
            ["ffffffff81000010 tcp_sendmsg", "ffffffff81000030 tcp_recvmsg", "ffffffff81000050 tcp_sendmsg"]
        );
        assert_eq!(kernel("[!t]?p_*").len(), 1);
        assert_eq!(kernel("tcp_sendmsg"), ["ffffffff81000010 tcp_sendmsg", "ffffffff81000050 tcp_sendmsg"]);
        assert_eq!(kernel(r"what\?"), ["ffffffff81000060 what?"]);
        assert_eq!(kernel("*").len(), 10);
        assert_eq!(kernel("").len(), 0);
        let libbpf = names(table.matching(Glob::libbpf("[!t]?p_*")));
        assert_eq!(libbpf, [""; 0]);
        assert_eq!(names(table.matching(Glob::libbpf("w*t?"))), ["ffffffff81000060 what?"]);
    });
}

/// Upstream fault 2 and 3, field report 19: exact first; the second question cuts only `.llvm.<digits>`.
#[test]
fn names_without_llvm_are_a_second_question() {
    on_every_table!(&read(TRACE), |table| {
        let found =
            |name: &str| table.lookup_name_ignoring_llvm(name).map(|symbol| symbol.address() & 0xffff);
        assert_eq!(found("tcp_sendmsg"), Some(0x10));
        assert_eq!(found("tcp_sendmsg.llvm.5312"), Some(0x20));
        // Another build's number.
        assert_eq!(found("tcp_sendmsg.llvm.1"), Some(0x10));
        assert_eq!(found("foo"), Some(0x70));
        assert_eq!(found("foo.llvm.7"), Some(0x90));
        for absent in ["fo", "foo.", "foo.llvm", "foo.llvm.", "foo.b", "", ".llvm.9"] {
            assert_eq!(found(absent), None, "{absent}");
        }
        assert!(table.lookup_name("foo").is_none());
        assert_eq!(names(table.lookup_all_ignoring_llvm("foo")).len(), 2);
        assert_eq!(
            names(table.lookup_all_ignoring_llvm("tcp_sendmsg.llvm.3")),
            [
                "ffffffff81000010 tcp_sendmsg",
                "ffffffff81000020 tcp_sendmsg.llvm.5312",
                "ffffffff81000050 tcp_sendmsg"
            ]
        );
    });
}

/// What `sprint_symbol`, `sprint_symbol_no_offset`, `sprint_symbol_build_id` and `sprint_backtrace` print.
#[test]
fn text_forms_of_sprint_symbol() {
    let symbols = read(
        "ffffffff81000000 T _stext\nffffffffc0201000 t xfs_read\t[xfs]\nffffffffc0201040 t xfs_write\t[xfs]\n",
    );
    let image = image_of(&symbols, Profile::Fast);
    let image = Image::parse(&image).expect("parses");
    let pc = 0xffff_ffff_c020_1004;
    assert_eq!(image.describe(pc).to_string(), "xfs_read+0x4/0x40 [xfs]");
    assert_eq!(image.describe(pc - 4).to_string(), "xfs_read+0x0/0x40 [xfs]");
    assert_eq!(image.describe(pc).without_offset().to_string(), "xfs_read [xfs]");
    let id = [0x3b; 20];
    let text = image.describe(pc).with_build_id(&id).to_string();
    assert_eq!(text, format!("xfs_read+0x4/0x40 [xfs {}]", "3b".repeat(20)));
    let text = image.describe(pc).without_offset().with_build_id(&id).to_string();
    assert_eq!(text, format!("xfs_read [xfs {}]", "3b".repeat(20)));
    // The kernel itself has no module, and no id.
    assert_eq!(
        image.describe(0xffff_ffff_8100_0000).without_offset().with_build_id(&id).to_string(),
        "_stext"
    );
    assert_eq!(image.describe_return_address(0xffff_ffff_c020_1040).to_string(), "xfs_read+0x40/0x40 [xfs]");
    assert_eq!(image.describe(0x1000).without_offset().to_string(), "0x1000");
    assert_eq!(image.describe_return_address(0xffff_ffff_8100_0000).to_string(), "0xffffffff81000000");
}

/// Init memory above `_end`: the last symbol ends at `_end`, and still answers for what the gate lets
/// through.
#[test]
fn the_gate_alone_ends_the_last_symbol() {
    let symbols = read("0000000000001000 T _stext\n0000000000002000 t last\n");
    let tables = tables_of(&symbols);
    let kallsyms = tables.kallsyms().expect("sound").with_bounds(Some(Bounds {
        kernel: Span { start: 0x1000, end: 0x3000 },
        init: Span { start: 0x4000, end: 0x8000 },
        init_text: Span { start: 0x4000, end: 0x5000 },
    }));
    for (pc, text) in [
        (0xfff, "0xfff"),
        (0x2fff, "last+0xfff/0x1000"),
        (0x3000, "0x3000"),
        (0x4800, "last+0x2800/0x3000"),
        (0x6000, "last+0x4000/0x1000"),
        (0x8000, "0x8000"),
    ] {
        assert_eq!(kallsyms.describe(pc).to_string(), text);
    }
}

/// A 32-bit kernel counts a slide in 32 bits, whichever way it moved.
#[test]
fn a_slide_wraps_with_the_addresses() {
    let symbols = read("40000000 t low\n40000100 t mid\nc0000000 t high\nc0000100 t end\n");
    let image = image_of(&symbols, Profile::Fast);
    let tables = tables_of(&symbols);
    let image = Image::parse(&image).expect("parses");
    let kallsyms = tables.kallsyms().expect("sound");
    assert_eq!(kallsyms.address_digits(), 8);
    for slide in [0xc000_0000u64, 0x9000_0000, 0x4000_0000u64.wrapping_neg(), 0x10] {
        let (image, kallsyms) = (image.with_slide(slide), kallsyms.with_slide(slide));
        for (name, link) in [("low", 0x4000_0000u64), ("high", 0xc000_0000)] {
            let address = link.wrapping_add(slide) & 0xffff_ffff;
            assert_eq!(image.lookup_name(name).map(|symbol| symbol.address()), Some(address), "{slide:#x}");
            assert_eq!(
                kallsyms.lookup_name(name).map(|symbol| symbol.address()),
                Some(address),
                "{slide:#x}"
            );
            let text = format!("{name}+0x10/0x100");
            assert_eq!(image.describe(address + 0x10).to_string(), text, "{slide:#x}");
            assert_eq!(kallsyms.describe(address + 0x10).to_string(), text, "{slide:#x}");
            // No address of such a machine.
            assert!(
                image.lookup(address + (1 << 32)).is_none() && kallsyms.lookup(address + (1 << 32)).is_none()
            );
        }
    }
}

/// A clock that advances by one with every look at it.
fn ticking() -> impl FnMut() -> u64 {
    let mut ticks = 0;
    move || {
        ticks += 1;
        ticks
    }
}

#[test]
fn a_sound_table_passes_its_self_test() {
    let symbols = linux_like();
    let expanded: usize = symbols.list.iter().map(|symbol| symbol.name.len() + 1).sum();
    let check = |report: SelfTest, what: &str| {
        assert_eq!(report.symbols as usize, symbols.list.len(), "{what}");
        assert_eq!(report.expanded as usize, expanded, "{what}");
        assert!(report.stored > 0 && report.ratio() == report.stored * 10_000 / report.expanded, "{what}");
        // Every lookup and the walk take one tick of this clock.
        assert_eq!((report.lookup.min, report.lookup.max, report.lookup.mean()), (1, 1, 1), "{what}");
        assert_eq!((report.lookup.count, report.walk), (report.symbols, 1), "{what}");
    };
    for profile in [Profile::Fast, Profile::Compact] {
        let image = image_of(&symbols, profile);
        let image = Image::parse(&image).expect("parses");
        let report = image.self_test(&mut [0; 512], ticking()).expect("is sound");
        assert_eq!(report.beyond_gate, 0);
        check(report, "image");
    }
    let own = write::own_symbols(&symbols);
    let tables = tables_of(&own);
    let report = tables.kallsyms().expect("sound").self_test(&mut [0; 512], ticking()).expect("is sound");
    assert_eq!(report.symbols as usize, own.list.len());
    // Records and tokens, as they lie in the tables.
    assert_eq!(
        report.stored as usize,
        tables.names.len() + tables.token_table.len() + tables.token_index.len()
    );
}

#[test]
fn a_damaged_table_fails_its_self_test() {
    let symbols = read(TRACE);
    let tables = tables_of(&symbols);
    let with_seqs = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut tables = tables.clone();
        change(&mut tables.seqs_of_names);
        fault(&tables.kallsyms().expect("the order of names is believed"))
    };
    // Ranks: _stext, foo.a, foo.llvm.7, foo.llvm.99, tcp_recvmsg, tcp_sendmsg twice, …
    assert_eq!(tables.seqs_of_names[5 * 3..7 * 3], [0, 0, 1, 0, 0, 5]);
    // Symbols of one name rise: a search ends at the first of the last that do.
    assert_eq!(
        with_seqs(&|seqs| seqs.swap(5 * 3 + 2, 6 * 3 + 2)),
        Fault::SomeNotFound { found: 9, symbols: 10 }
    );
    assert_eq!(
        with_seqs(&|seqs| seqs.swap(2, 9 * 3 + 2)),
        Fault::NotFoundByName { symbol: SymbolIndex(0), found: None }
    );
    assert_eq!(
        with_seqs(&|seqs| seqs[6 * 3 + 2] = 1),
        Fault::OutOfOrder { symbol: SymbolIndex(1), behind: SymbolIndex(1) }
    );
    // The second a has no rank; the c in its place is not met by any search.
    let four =
        read("0000000000001000 t a\n0000000000002000 t a\n0000000000003000 t b\n0000000000004000 t c\n");
    let mut tables = tables_of(&four);
    tables.seqs_of_names[5] = 3;
    assert_eq!(fault(&tables.kallsyms().expect("sound")), Fault::SomeNotFound { found: 3, symbols: 4 });

    let image = image_of(&linux_like(), Profile::Fast);
    let parsed = Image::parse(&image).expect("parses");
    let short = parsed.self_test(&mut [0; 4], ticking());
    assert!(matches!(short, Err(Fault::NameTooLong { symbol: SymbolIndex(0), len: 17 })), "{short:?}");
    // Hints that lead past every block.
    let builder = ImageBuilder::new(&image);
    let hints = vec![0xff; builder.section(SectionKind::Hints).len()];
    let damaged = builder.with_section(SectionKind::Hints, 0, &hints).sealed();
    let damaged = Image::parse(&damaged).expect("only verify and the self-test see it");
    let found = fault(&damaged);
    assert!(matches!(found, Fault::NotFoundByAddress { .. }), "{found}");
}

fn fault<L: Layout>(table: &Table<L>) -> Fault {
    table.self_test(&mut [0; 512], ticking()).expect_err("is damaged")
}
