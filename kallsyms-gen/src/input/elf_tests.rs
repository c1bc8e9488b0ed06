use object::elf::{
    EM_ARM, ET_REL, SHN_ABS, SHN_COMMON, SHT_DYNSYM, STB_GNU_UNIQUE, STB_LOCAL, STB_WEAK, STT_FILE, STT_FUNC,
    STT_GNU_IFUNC, STT_NOTYPE, STT_OBJECT, STT_SECTION, STT_TLS,
};

use super::super::fixture::{BSS, DATA, Fixture, FixtureSection, RODATA, TEXT, symbol};
use super::*;
use crate::input::{self, Input};

const BASE: u64 = 0xffff_ffff_8000_0000;

fn read(fixture: &Fixture, options: &Options) -> Result<Symbols, Error> {
    input::read(&fixture.build(), options).map(|Input { symbols, .. }| symbols)
}

fn lines(symbols: &Symbols) -> Vec<String> {
    let line = |symbol: &crate::symbols::Symbol| {
        let name = String::from_utf8_lossy(&symbol.name);
        format!("{:x} {} {name} {:#x}", symbol.address, char::from(symbol.kind), symbol.size.expect("a size"))
    };
    symbols.list.iter().map(line).collect()
}

fn kernel() -> Fixture {
    Fixture::at(BASE).with([
        symbol("crt0.S", STT_FILE, SHN_ABS.0, 0, 0).bound(STB_LOCAL),
        symbol("", STT_SECTION, TEXT, BASE, 0).bound(STB_LOCAL),
        symbol("local", STT_FUNC, TEXT, BASE + 0x20, 0x10).bound(STB_LOCAL),
        symbol("$x", STT_NOTYPE, TEXT, BASE + 0x20, 0).bound(STB_LOCAL),
        symbol("$d.1", STT_NOTYPE, TEXT, BASE + 0x28, 0).bound(STB_LOCAL),
        symbol(".Lloop", STT_NOTYPE, TEXT, BASE + 0x24, 0).bound(STB_LOCAL),
        symbol("_start", STT_NOTYPE, TEXT, BASE, 0),
        symbol("memcpy", STT_GNU_IFUNC, TEXT, BASE + 0x40, 8),
        symbol("weak", STT_FUNC, TEXT, BASE + 0x60, 0x10).bound(STB_WEAK),
        symbol("strong", STT_FUNC, TEXT, BASE + 0x60, 0x10),
        symbol("_etext", STT_NOTYPE, TEXT, BASE + 0x1000, 0),
        symbol("table", STT_OBJECT, TEXT, BASE + 0x80, 0x10),
        symbol("defined_elsewhere", STT_FUNC, 0, 0, 0),
        symbol("counter", STT_OBJECT, DATA, BASE + 0x1000, 8),
        symbol("hook", STT_OBJECT, DATA, BASE + 0x1008, 8).bound(STB_WEAK),
        symbol("unique", STT_OBJECT, DATA, BASE + 0x1010, 8).bound(STB_GNU_UNIQUE),
        symbol("zeroed", STT_OBJECT, BSS, BASE + 0x2000, 0x40).bound(STB_LOCAL),
        symbol("constants", STT_OBJECT, RODATA, BASE + 0x3000, 0),
        symbol("__end", STT_NOTYPE, RODATA, BASE + 0x4000, 0),
        symbol("VERSION", STT_NOTYPE, SHN_ABS.0, 0x42, 0),
        symbol("tls", STT_TLS, DATA, 0x10, 4),
        symbol("common", STT_OBJECT, SHN_COMMON.0, 8, 8),
    ])
}

#[test]
fn takes_code_by_default() {
    let symbols = read(&kernel(), &Options::default()).expect("symbols");
    let expected = [
        "ffffffff80000000 T _start 0x20",
        "ffffffff80000020 t local 0x10",
        "ffffffff80000040 i memcpy 0x8",
        "ffffffff80000060 T strong 0x10",
        "ffffffff80000060 W weak 0x10",
        "ffffffff80001000 T _etext 0x0",
    ];
    assert_eq!(lines(&symbols), expected);
    assert_eq!((symbols.address_digits, symbols.covered_last), (16, Some(BASE + 0x1000)));
    assert!(symbols.build_id.is_empty() && symbols.modules.is_empty());
}

#[test]
fn takes_all_when_asked() {
    let symbols = read(&kernel(), &Options { all_symbols: true, ..Options::default() }).expect("symbols");
    let expected = [
        "10 A tls 0x4",
        "42 A VERSION 0x0",
        "ffffffff80000000 T _start 0x20",
        "ffffffff80000020 t local 0x10",
        "ffffffff80000040 i memcpy 0x8",
        "ffffffff80000060 T strong 0x10",
        "ffffffff80000060 W weak 0x10",
        "ffffffff80000080 T table 0x10",
        "ffffffff80001000 D counter 0x8",
        "ffffffff80001000 T _etext 0x0",
        "ffffffff80001008 V hook 0x8",
        "ffffffff80001010 u unique 0x8",
        "ffffffff80002000 b zeroed 0x40",
        "ffffffff80003000 R constants 0x1000",
        "ffffffff80004000 R __end 0x0",
    ];
    assert_eq!(lines(&symbols), expected);
    assert_eq!(symbols.covered_last, Some(BASE + 0x4000));
}

#[test]
fn both_classes_and_byte_orders_read_the_same() {
    let mut kernel = Fixture::at(0x8000_0000)
        .with([symbol("a", STT_FUNC, TEXT, 0x8000_0010, 4), symbol("b", STT_NOTYPE, TEXT, 0x8000_0020, 0)]);
    for (is_64, big_endian) in [(false, false), (false, true), (true, false), (true, true)] {
        (kernel.is_64, kernel.big_endian) = (is_64, big_endian);
        let symbols = read(&kernel, &Options::default()).expect("symbols");
        assert_eq!(lines(&symbols), ["80000010 T a 0x4", "80000020 T b 0xfe0"]);
        assert_eq!(symbols.address_digits, if is_64 { 16 } else { 8 });
    }
}

#[test]
fn thumb_bits_are_not_addresses() {
    let mut kernel = Fixture::at(0x8000).with([symbol("thumb", STT_FUNC, TEXT, 0x8011, 4)]);
    (kernel.is_64, kernel.machine) = (false, EM_ARM.0);
    assert_eq!(lines(&read(&kernel, &Options::default()).expect("symbols")), ["8010 T thumb 0x4"]);
}

/// Percpu sections of older kernels lie at address 0.
#[test]
fn percpu_symbols_below_the_code_are_absolute() {
    let mut kernel = kernel();
    let percpu = FixtureSection { name: ".data..percpu", address: 0, ..kernel.sections[1].clone() };
    kernel.sections.push(percpu);
    kernel.symbols =
        vec![symbol("fixed_percpu_data", STT_OBJECT, 5, 0, 0x30), symbol("code", STT_FUNC, TEXT, BASE, 0x30)];
    let all = Options { all_symbols: true, ..Options::default() };
    let expected = ["0 A fixed_percpu_data 0x30", "ffffffff80000000 T code 0x30"];
    assert_eq!(lines(&read(&kernel, &all).expect("symbols")), expected);
    kernel.sections[4].address = BASE + 0x8000;
    kernel.symbols[0].value = BASE + 0x8000;
    let expected = ["ffffffff80000000 T code 0x30", "ffffffff80008000 D fixed_percpu_data 0x30"];
    assert_eq!(lines(&read(&kernel, &all).expect("symbols")), expected);
}

#[test]
fn names_are_demangled_unless_told_otherwise() {
    let name = "_ZN4core3fmt9Formatter3pad17h0123456789abcdefE";
    let kernel = Fixture::at(BASE).with([
        symbol(name, STT_FUNC, TEXT, BASE, 1),
        symbol("__pfx_f", STT_FUNC, TEXT, BASE + 0x10, 0x10),
        symbol("a", STT_FUNC, TEXT, BASE + 0x20, 1),
        symbol("a", STT_FUNC, TEXT, BASE + 0x20, 1).bound(STB_LOCAL),
    ]);
    let names = |options| {
        let symbols = read(&kernel, &options).expect("symbols");
        symbols
            .list
            .iter()
            .map(|symbol| String::from_utf8_lossy(&symbol.name).into_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(names(Options::default()), ["core::fmt::Formatter::pad", "__pfx_f", "a", "a"]);
    let options = Options { demangling: Demangling::Never, drop_padding: true, ..Options::default() };
    assert_eq!(names(options), [name, "a", "a"]);
}

/// Ties are settled on the name that is stored.
#[test]
fn aliases_are_ordered_by_their_demangled_names() {
    let kernel = Fixture::at(BASE).with([
        symbol("b", STT_FUNC, TEXT, BASE, 1),
        symbol("_RNvC1z1z", STT_FUNC, TEXT, BASE, 1),
        symbol("_RNvC1a1a", STT_FUNC, TEXT, BASE, 1),
    ]);
    let expected = ["ffffffff80000000 T a::a 0x1", "ffffffff80000000 T b 0x1", "ffffffff80000000 T z::z 0x1"];
    assert_eq!(lines(&read(&kernel, &Options::default()).expect("symbols")), expected);
}

#[test]
fn the_dynamic_table_serves_where_there_is_no_other() {
    let mut kernel = kernel();
    kernel.table = SHT_DYNSYM.0;
    assert_eq!(read(&kernel, &Options::default()).expect("symbols").list.len(), 6);
    kernel.table = 0;
    let error = read(&kernel, &Options::default()).expect_err("no table");
    assert!(error.to_string().starts_with("no symbol table in the ELF file, it was stripped"), "{error}");
}

#[test]
fn the_build_id_is_kept() {
    let mut kernel = kernel();
    let mut data = [4u32, 20, 3].iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
    data.extend(b"GNU\0");
    data.extend(1..=20);
    let note = FixtureSection { name: ".note.gnu.build-id", kind: 7, flags: 2, address: 0x100, data };
    kernel.sections.push(note);
    let id: Vec<u8> = (1..=20).collect();
    assert_eq!(read(&kernel, &Options::default()).expect("symbols").build_id, id);
}

#[test]
fn files_without_wanted_symbols_say_what_to_do() {
    let data = Fixture::at(BASE).with([symbol("counter", STT_OBJECT, DATA, BASE + 0x1000, 8)]);
    let error = read(&data, &Options::default()).expect_err("no code");
    let text = "no function symbol in an executable section in the ELF file, \
                was it stripped before? --all-symbols takes data symbols too";
    assert_eq!(error.to_string(), text);
    let error = read(&Fixture::at(BASE), &Options { all_symbols: true, ..Options::default() });
    assert!(matches!(error, Err(Error::NoElfSymbols { wanted: "symbol with an address", .. })));
    let mut object = kernel();
    object.file_type = ET_REL.0;
    assert_eq!(read(&object, &Options::default()), Err(Error::ElfRelocatable));
}

#[test]
fn every_truncation_is_an_error_with_an_offset() {
    let mut small = kernel();
    for section in &mut small.sections {
        section.data.truncate(16);
    }
    for (is_64, big_endian) in [(true, false), (false, true)] {
        (small.is_64, small.big_endian) = (is_64, big_endian);
        let file = small.build();
        for len in 4..file.len() {
            match input::read(&file[..len], &Options::default()) {
                Err(Error::ElfTruncated { len: found, offset, size, .. }) => {
                    assert!(found == len as u64 && offset + size > found);
                }
                other => panic!("{len} of {} bytes: {other:?}", file.len()),
            }
        }
    }
    let error = input::read(&kernel().build()[..40], &Options::default()).expect_err("truncated");
    let text = "truncated ELF file: the file header at offset 0x0 has 0x40 bytes, the file ends at 0x28; \
                link or copy it again";
    assert_eq!(error.to_string(), text);
}

/// Each byte set to each of a few values: an error or an answer, never a panic.
#[test]
fn damaged_files_never_panic() {
    let mut small = kernel();
    for section in &mut small.sections {
        section.data.truncate(16);
    }
    let file = small.build();
    let options = Options { all_symbols: true, ..Options::default() };
    for place in 4..file.len() {
        for value in [0, 1, 0x7f, 0x80, 0xff] {
            let mut damaged = file.clone();
            damaged[place] = value;
            let _ = input::read(&damaged, &options);
        }
    }
}

#[test]
fn damaged_symbols_are_named_by_offset() {
    let mut kernel = kernel();
    kernel.symbols[6].section = 77;
    let error = read(&kernel, &Options::default()).expect_err("no such section");
    assert!(
        matches!(&error, Error::ElfMalformed { part: "the symbol", reason, .. } if reason == "section 77 of 8")
    );
    let long = Fixture::at(BASE).with([symbol(&"n".repeat(2 << 20), STT_FUNC, TEXT, BASE, 1)]);
    assert!(matches!(
        read(&long, &Options::default()),
        Err(Error::NameTooLong { place: Place::Offset(_), len: 2_097_152 })
    ));
    let fits = Fixture::at(BASE).with([symbol(&"n".repeat(1 << 20), STT_FUNC, TEXT, BASE, 1)]);
    assert_eq!(read(&fits, &Options::default()).expect("symbols").list[0].name.len(), 1 << 20);
}
