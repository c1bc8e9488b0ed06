use super::*;

use crate::linux::{AddressForm, Places};
use kallsyms_core::linux::{Encoding, Lengths, Width};

const TEXT: u64 = 0xffff_ffff_8100_0000;

fn symbols(list: &[(u64, u8, &[u8])]) -> Symbols {
    let one = |&(address, kind, name): &(u64, u8, &[u8])| Symbol {
        address,
        kind,
        name: name.to_vec(),
        size: None,
        parent: None,
        module: None,
    };
    Symbols { list: list.iter().map(one).collect(), address_digits: 16, ..Symbols::default() }
}

fn with(addresses: AddressForm) -> Options {
    Options { addresses, ..Options::default() }
}

fn numbers(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks(4).map(|bytes| u32::from_le_bytes(bytes.try_into().expect("4 bytes"))).collect()
}

#[test]
fn a_small_table_byte_by_byte() {
    let list = symbols(&[(0, b'A', b"p"), (TEXT, b'T', b"b"), (TEXT, b'T', b"a"), (TEXT + 16, b't', b"b")]);
    let tables = write(&list, &Options::default()).expect("tables");
    assert_eq!(tables.encoding, Encoding::SignedPercpu { relative_base: TEXT });
    assert_eq!(numbers(&tables.offsets), [0, 0xffff_ffff, 0xffff_ffff, 0xffff_ffef]);
    // Each pair occurs once; the lowest by first + (second << 8) first: Ta, Tb, tb, Ap.
    assert_eq!(tables.names, [1, 0xfc, 1, 0xfe, 1, 0xff, 1, 0xfd]);
    assert_eq!(tables.places, Places::Markers { bytes: vec![0; 4], width: Width::Bits32 });
    assert_eq!(tables.seqs_of_names, [0, 0, 2, 0, 0, 1, 0, 0, 3, 0, 0, 0]);
    assert!(tables.token_table.ends_with(b"\0Ap\0tb\0Tb\0Ta\0"));
    // 256 NULs, the 6 bytes in use, 4 pairs.
    assert_eq!(tables.token_table.len(), 256 + 6 + 8);
    assert_eq!(tables.token_index[2 * 0x41..][..4], [0x41, 0, 0x43, 0]);
}

#[test]
fn symbols_of_modules_are_left_out() {
    let mut list = symbols(&[(TEXT, b'T', b"a"), (TEXT + 16, b't', b"b")]);
    list.modules.push(b"xfs".to_vec());
    list.list[1].module = Some(0);
    assert_eq!(write(&list, &Options::default()).expect("tables").num_syms, 1);
    list.list[0].module = Some(0);
    assert_eq!(write(&list, &Options::default()), Err(WriteError::NoSymbols));
}

#[test]
fn each_encoding_has_its_reach() {
    let table = |list: &[(u64, u8, &[u8])], options: &Options| write(&symbols(list), options);
    let reach = |list: &[(u64, u8, &[u8])], options: &Options| match table(list, options) {
        Err(WriteError::AddressOutOfReach { index, lowest, highest, .. }) => Some((index, lowest, highest)),
        Ok(_) => None,
        Err(other) => panic!("{other}"),
    };
    let unsigned = with(AddressForm::UnsignedBase);
    assert_eq!(reach(&[(16, b'T', b"a"), (16 + 0xffff_ffff, b'T', b"b")], &unsigned), None);
    let far = reach(&[(16, b'T', b"a"), (17 + 0xffff_ffff, b'T', b"b")], &unsigned);
    assert_eq!(far, Some((1, 16, 16 + 0xffff_ffff)));

    let percpu = with(AddressForm::SignedPercpu);
    assert_eq!(reach(&[(0x7fff_ffff, b'A', b"a"), (TEXT, b'T', b"b")], &percpu), None);
    assert_eq!(reach(&[(TEXT, b'T', b"a"), (u64::MAX, b'T', b"b")], &percpu), None);
    let far = reach(&[(16, b'T', b"a"), (16 + 0x8000_0000, b'T', b"b")], &percpu);
    assert_eq!(far, Some((1, 16, 16 + 0x7fff_ffff)));

    let pc_relative = Options { offsets_address: Some(TEXT), ..with(AddressForm::PcRelative) };
    let near = [(TEXT - 0x8000_0000, b'T', &b"a"[..]), (TEXT + 0x7eff_ffff, b'T', b"b")];
    assert_eq!(numbers(&table(&near, &pc_relative).expect("tables").offsets), [0x8000_0000, 0x7eff_fffb]);
    let far = reach(&[(TEXT - 0x8000_0001, b'T', b"a")], &pc_relative);
    assert_eq!(far, Some((0, TEXT - 0x8000_0000, u64::MAX)));

    let offset = with(AddressForm::Offset);
    assert_eq!(reach(&[(0xffff_ffff, b'T', b"a")], &offset), None);
    assert_eq!(reach(&[(0x1_0000_0000, b'T', b"a")], &offset), Some((0, 0, 0xffff_ffff)));

    let narrow = Options { pointer: Width::Bits32, ..with(AddressForm::Absolute) };
    let error = table(&[(0x1_0000_0000, b'T', b"a")], &narrow).expect_err("too wide");
    assert!(matches!(error, WriteError::AddressTooWide { index: 0, address: 0x1_0000_0000, .. }), "{error}");
    let bytes = table(&[(0x8000_0000, b'T', b"a")], &narrow).expect("tables").offsets;
    assert_eq!(bytes, [0, 0, 0, 0x80]);
    let wide = table(&[(u64::MAX, b'T', b"a")], &with(AddressForm::Absolute)).expect("tables");
    assert_eq!(wide.offsets, [0xff; 8]);
}

/// Upstream fault 4: `_text` as an absolute symbol was skipped, and the base was wrong.
#[test]
fn an_absolute_text_is_the_base() {
    let list = symbols(&[(0, b'A', b"percpu"), (TEXT, b'A', b"_text"), (TEXT + 0x40, b'T', b"f")]);
    let tables = write(&list, &Options::default()).expect("tables");
    assert_eq!(tables.encoding, Encoding::SignedPercpu { relative_base: TEXT });
    assert_eq!(numbers(&tables.offsets), [0, !0, !0x40]);
}

/// Upstream fault 10: the buffer for a name of 511 characters was too short by one.
#[test]
fn the_longest_name_is_511_bytes() {
    let name = [b'n'; 512];
    let tables = write(&symbols(&[(TEXT, b'T', &name[..511])]), &Options::default()).expect("tables");
    // 512 bytes with the type: halved eight times by nn, nnnn, …; T stands alone.
    assert!(tables.token_table.windows(256).any(|token| token == &name[..256]));
    let error = write(&symbols(&[(TEXT, b'T', &name)]), &Options::default()).expect_err("too long");
    let WriteError::NameTooLong { index: 0, name, len: 512, most: 511 } = &error else { panic!("{error}") };
    assert_eq!(*name, "n".repeat(60) + "…");
}

/// Text that has every byte but NUL, so that only one pair becomes a token.
fn incompressible(len: usize) -> Vec<u8> {
    (0..len).map(|place| (place * 7 % 255 + 1) as u8).collect()
}

#[test]
fn a_length_of_one_byte_tells_255_tokens() {
    let list = |len| {
        let (filler, name) = (incompressible(255), incompressible(len));
        symbols(&[(TEXT, b'T', &filler), (TEXT, b'T', &filler), (TEXT, b'T', &filler), (TEXT, b'T', &name)])
    };
    let byte = Options { lengths: Lengths::Byte, ..Options::default() };
    let error = write(&list(300), &byte).expect_err("too long");
    assert!(matches!(error, WriteError::RecordTooLong { index: 3, tokens: 299.., .. }), "{error}");
    let tables = write(&list(250), &byte).expect("tables");
    assert_eq!(tables.names[0], 255, "one pair of 256 bytes is a token");
    let tables = write(&list(300), &Options::default()).expect("tables");
    assert_eq!(tables.names[..2], [0xff, 1]);
}

#[test]
fn names_are_bytes_without_a_nul() {
    let error = write(&symbols(&[(TEXT, b'T', b"a\0b")]), &Options::default()).expect_err("a NUL");
    assert_eq!(error, WriteError::Nul { index: 0, name: r"a\x00b".into() });
    // Found by fuzzing: no lookup finds an empty name.
    let error = write(&symbols(&[(TEXT, b'T', b"")]), &Options::default()).expect_err("an empty name");
    assert_eq!(error, WriteError::EmptyName { index: 0, address: TEXT });
    // Found by fuzzing: a type is the first byte of a token, too.
    let error =
        write(&symbols(&[(TEXT, b'T', b"a"), (TEXT, 0, b"b")]), &Options::default()).expect_err("a NUL");
    assert_eq!(error, WriteError::Nul { index: 1, name: "b".into() });
}

#[test]
fn three_bytes_count_16_million_symbols() {
    assert_eq!(count(1 << 24, true), Ok(1 << 24));
    let (symbols, most) = ((1 << 24) + 1, 1 << 24);
    assert_eq!(count(symbols, true), Err(WriteError::TooManySymbols { symbols, most }));
    assert_eq!(count(symbols, false), Ok((1 << 24) + 1));
}

#[test]
fn offsets_of_names_are_below_16_mib() {
    let name = incompressible(511);
    // Each record is of about 510 bytes: the last one begins past 2^24.
    let list: Vec<(u64, u8, &[u8])> = (0..33_200).map(|at| (TEXT + at, b'T', name.as_slice())).collect();
    let places = PlaceForm::Offsets(Endian::Big);
    let error = write(&symbols(&list), &Options { places, ..Options::default() }).expect_err("too long");
    assert!(matches!(error, WriteError::NamesTooLong { most: 0xff_ffff, .. }), "{error}");
    assert!(write(&symbols(&list), &Options::default()).is_ok());
    let tables = write(&symbols(&list[..3]), &Options { places, ..Options::default() }).expect("tables");
    let Places::Offsets { bytes, endian: Endian::Big } = &tables.places else { panic!("no offsets") };
    assert_eq!((bytes.len(), &bytes[..4]), (9, &[0, 0, 0, 0][..]));
}

/// Upstream fault 2: the generator sorted by the cut name, and some readers compared the whole one.
#[test]
fn names_are_sorted_as_a_whole_or_without_llvm() {
    let names: [&[u8]; 4] = [b"f.llvm.9.cold", b"f.a", b"f", b"f.llvm.1"];
    let list: Vec<(u64, u8, &[u8])> = (0..).zip(names).map(|(at, name)| (TEXT + at, b'T', name)).collect();
    let seqs = |order| {
        let options = Options { seqs_of_names: Some(order), ..Options::default() };
        let tables = write(&symbols(&list), &options).expect("tables");
        tables.seqs_of_names.chunks(3).map(|seq| seq[2]).collect::<Vec<u8>>()
    };
    assert_eq!(seqs(NameOrder::Whole), [2, 1, 3, 0]);
    assert_eq!(seqs(NameOrder::WithoutLlvm), [0, 2, 3, 1]);
}
