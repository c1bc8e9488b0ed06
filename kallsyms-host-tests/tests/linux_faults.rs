//! Faults that Linux had in its own tables and fixed, each by its number on the list of facts.

use kallsyms_core::linux::{Encoding, Endian, Lengths, NameOrder, Width};
use kallsyms_gen::build::build_linux;
use kallsyms_gen::linux::write::{Options, WriteError, write};
use kallsyms_gen::linux::{AddressForm, Tables};
use kallsyms_gen::symbols::Symbols;
use kallsyms_host_tests::symbols::{sorted, symbol};

const TEXT: u64 = 0xffff_ffff_8100_0000;

/// Symbols 16 bytes apart.
fn text(names: &[&str]) -> Symbols {
    sorted((0..).zip(names).map(|(at, name)| symbol(TEXT + at * 16, b't', *name)).collect())
}

fn built(symbols: &Symbols, options: &Options) -> Tables {
    build_linux(symbols, options).expect("the symbols are fit for the tables")
}

fn addresses(tables: &Tables, name: &str) -> Vec<u64> {
    let kallsyms = tables.kallsyms().expect("sound tables");
    kallsyms.lookup_all(name).map(|symbol| symbol.address()).collect()
}

/// A name of so many bytes that no pair of it becomes a token.
fn incompressible(len: usize) -> Vec<u8> {
    (0..len).map(|place| (place * 7 % 255 + 1) as u8).collect()
}

/// The type of a symbol whose length takes two bytes was read from the second one.
#[test]
fn fault_1_type_behind_a_long_length() {
    let list = vec![symbol(TEXT, b'D', incompressible(300)), symbol(TEXT + 16, b'W', incompressible(511))];
    let tables = built(&sorted(list), &Options::default());
    assert!(tables.names[0] >= 0x80, "two bytes");
    let kallsyms = tables.kallsyms().expect("sound tables");
    assert_eq!(kallsyms.lengths(), Lengths::ByteOrTwo);
    let kinds: Vec<u8> = kallsyms.iter().map(|symbol| symbol.kind()).collect();
    assert_eq!(kinds, b"DW");
}

/// Lookups matched names without their `.llvm.` part; names were sorted after it was cut; the comparison and
/// the order disagreed.
#[test]
fn fault_2_names_are_compared_as_they_are_sorted() {
    let names = ["f.llvm.9.cold", "f.a", "f.llvm.1", "g", "f.llvm.1", "f_", "f.llvm.10"];
    for order in [NameOrder::Whole, NameOrder::WithoutLlvm] {
        let tables = built(&text(&names), &Options { seqs_of_names: Some(order), ..Options::default() });
        assert!(addresses(&tables, "f").is_empty(), "{order:?}");
        assert_eq!(addresses(&tables, "f.llvm.1"), [TEXT + 0x20, TEXT + 0x40], "{order:?}");
        for (at, name) in (0..).zip(names).filter(|(_, name)| *name != "f.llvm.1") {
            assert_eq!(addresses(&tables, name), [TEXT + at * 16], "{name} {order:?}");
        }
    }
}

/// Names were cut at any dot.
#[test]
fn fault_3_only_llvm_is_ignored() {
    let tables = built(&text(&["f.isra.0", "f.cold", "f.llvm.123"]), &Options::default());
    let kallsyms = tables.kallsyms().expect("sound tables");
    let ignoring = kallsyms.lookup_all_ignoring_llvm("f").map(|symbol| symbol.address());
    assert_eq!(ignoring.collect::<Vec<u64>>(), [TEXT + 0x20]);
    assert!(kallsyms.lookup_name("f").is_none());
}

/// `_text` was absolute and passed over: the base was the next symbol's.
#[test]
fn fault_4_an_absolute_text_is_the_base() {
    let list =
        vec![symbol(0x1000, b'A', "percpu"), symbol(TEXT, b'A', "_text"), symbol(TEXT + 0x40, b'T', "start")];
    let tables = built(&sorted(list.clone()), &Options::default());
    assert_eq!(tables.encoding, Encoding::SignedPercpu { relative_base: TEXT });
    assert_eq!(tables.kallsyms().expect("sound tables").describe(TEXT + 0x44).to_string(), "start+0x4");

    let unsigned = Options { addresses: AddressForm::UnsignedBase, ..Options::default() };
    let tables = built(&sorted(list[1..].to_vec()), &unsigned);
    assert_eq!(tables.encoding, Encoding::UnsignedBase { relative_base: TEXT });
    assert_eq!(addresses(&tables, "_text"), [TEXT]);
}

/// A base above `_text` on a machine of 32 bits: the difference is negative, and addresses wrap.
#[test]
fn fault_5_a_base_above_text_wraps_at_32_bits() {
    let list = [0xc000_8000, 0xc001_0000, 0xc010_0000].map(|at| symbol(at, b'T', format!("at_{at:x}")));
    let options =
        Options { pointer: Width::Bits32, addresses: AddressForm::UnsignedBase, ..Options::default() };
    let mut tables = built(&sorted(list.to_vec()), &options);
    let base = 0xc002_0000u32;
    tables.encoding = Encoding::UnsignedBase { relative_base: base.into() };
    let offsets = list.each_ref().map(|symbol| (symbol.address as u32).wrapping_sub(base));
    tables.offsets = offsets.map(u32::to_le_bytes).concat();
    let kallsyms = tables.kallsyms().expect("sound tables");
    assert_eq!(kallsyms.describe(0xc000_8004).to_string(), "at_c0008000+0x4/0x8000");
    let listed: Vec<u64> = kallsyms.iter().map(|symbol| symbol.address()).collect();
    assert_eq!(listed, [0xc000_8000, 0xc001_0000, 0xc010_0000]);
}

/// The linker's thunks changed the table, and the longer table the thunks. Ours is made after the last link,
/// so that thunks are symbols like others; the same symbols give the same bytes.
#[test]
fn fault_6_thunks_do_not_diverge() {
    let names = ["start", "__AArch64ADRPThunk_start", "__start_veneer", "idle"];
    let options = Options::default();
    let once = write(&text(&names), &options).expect("tables");
    assert_eq!(once, write(&text(&names), &options).expect("tables"));
    let read = once.kallsyms().expect("sound tables");
    let listed: Vec<String> = read.iter().map(|symbol| symbol.name().to_string()).collect();
    assert_eq!(listed, names);
}

/// Percpu values, which are offsets and no addresses, moved with the kernel.
#[test]
fn fault_7_percpu_values_stay_where_they_are() {
    let list = vec![symbol(0, b'A', "first"), symbol(0x1000, b'A', "percpu"), symbol(TEXT, b'T', "start")];
    let tables = built(&sorted(list), &Options::default());
    let kallsyms = tables.kallsyms().expect("sound tables").with_slide(0x1e00_0000);
    let at = |name| kallsyms.lookup_name(name).map(|symbol| symbol.address());
    assert_eq!(
        [at("first"), at("percpu"), at("start")],
        [Some(0), Some(0x1000), Some(TEXT + 0x1e00_0000)],
        "address 0 is an address"
    );
}

/// The empty name walked over every symbol.
#[test]
fn fault_8_the_empty_name_is_none() {
    for seqs_of_names in [None, Some(NameOrder::Whole), Some(NameOrder::WithoutLlvm)] {
        // Without its .llvm. part this name is empty too.
        let options = Options { seqs_of_names, ..Options::default() };
        let tables = built(&text(&["f", ".llvm.1"]), &options);
        assert!(addresses(&tables, "").is_empty());
        assert_eq!(addresses(&tables, ".llvm.1"), [TEXT + 0x10]);
        let kallsyms = tables.kallsyms().expect("sound tables");
        assert!(kallsyms.lookup_name_ignoring_llvm("").is_none());
    }
}

/// A limit on names that counted no NUL.
#[test]
fn fault_9_the_limit_counts_the_nul() {
    let table = |len| write(&sorted(vec![symbol(TEXT, b't', "n".repeat(len))]), &Options::default());
    assert!(table(511).is_ok());
    assert!(matches!(table(512), Err(WriteError::NameTooLong { len: 512, most: 511, .. })));
}

/// A buffer of 512 bytes for the type, 511 bytes and the NUL.
#[test]
fn fault_10_the_longest_name_comes_back() {
    for (name, lengths) in [
        ("n".repeat(511).into_bytes(), Lengths::ByteOrTwo),
        (incompressible(511), Lengths::ByteOrTwo),
        ("n".repeat(511).into_bytes(), Lengths::Byte),
    ] {
        let symbols = sorted(vec![symbol(TEXT, b't', name.clone()), symbol(TEXT + 16, b'T', "behind")]);
        for endian in [Endian::Little, Endian::Big] {
            let tables = built(&symbols, &Options { lengths, endian, ..Options::default() });
            let kallsyms = tables.kallsyms().expect("sound tables");
            let found = kallsyms.lookup_name(&name).expect("is found");
            assert_eq!((found.name().bytes().collect::<Vec<u8>>(), found.kind()), (name.clone(), b't'));
            assert!(found.name().to_owned_name::<510>().is_err());
            assert!(found.name().to_owned_name::<511>().is_ok());
            assert_eq!(addresses(&tables, "behind"), [TEXT + 16]);
        }
    }
}
