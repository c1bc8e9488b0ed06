//! Linux's tables, wrong in one place: the error names the place and the value; nothing panics.

use kallsyms_core::linux::{Encoding, Endian, Error, Kallsyms, Lengths, Part, Region, Width};
use kallsyms_gen::linux::write::{Options, PlaceForm};
use kallsyms_gen::linux::{AddressForm, Places, Tables, write};
use kallsyms_gen::symbols::Symbols;
use kallsyms_host_tests::symbols::{sorted, symbol};
use proptest::prelude::*;

const TEXT: u64 = 0xffff_ffff_8100_0000;

/// 300 symbols: two markers.
fn symbols() -> Symbols {
    sorted((0..300).map(|at| symbol(TEXT + at * 16, b't', format!("function_{at}"))).collect())
}

fn tables_as(options: &Options) -> Tables {
    write(&symbols(), options).expect("tables")
}

fn tables() -> Tables {
    tables_as(&Options::default())
}

fn with_offsets() -> Tables {
    tables_as(&Options { places: PlaceForm::Offsets(Endian::Big), ..Options::default() })
}

fn error(tables: &Tables) -> Error {
    tables.kallsyms().expect_err("not sound")
}

/// Where the record of each symbol begins, and the last one ends, as lengths of one byte tell.
fn starts(tables: &Tables) -> Vec<usize> {
    let mut starts = vec![0];
    for symbol in 0..tables.num_syms as usize {
        starts.push(starts[symbol] + 1 + usize::from(tables.names[starts[symbol]]));
    }
    starts
}

fn place_bytes(tables: &mut Tables) -> &mut Vec<u8> {
    match &mut tables.places {
        Places::Markers { bytes, .. } | Places::Offsets { bytes, .. } => bytes,
    }
}

#[test]
fn sound_tables_are_sound() {
    assert_eq!(tables().kallsyms().expect("sound").len(), 300);
    assert_eq!(with_offsets().kallsyms().expect("sound").len(), 300);
}

#[test]
fn no_symbols() {
    assert_eq!(error(&Tables { num_syms: 0, ..tables() }), Error::NoSymbols);
}

#[test]
fn too_short() {
    let short = |part, cut: fn(&mut Tables) -> &mut Vec<u8>, mut tables: Tables| {
        let bytes = cut(&mut tables);
        bytes.pop();
        let (len, needed) = (bytes.len(), bytes.len() as u64 + 1);
        assert_eq!(error(&tables), Error::TooShort { part, len, needed });
    };
    short(Part::Offsets, |tables| &mut tables.offsets, tables());
    short(Part::SeqsOfNames, |tables| &mut tables.seqs_of_names, tables());
    short(Part::TokenIndex, |tables| &mut tables.token_index, tables());
    short(Part::Markers, place_bytes, tables());
    short(Part::NamesOffsets, place_bytes, with_offsets());
    let absolute = Options { addresses: AddressForm::Absolute, ..Options::default() };
    short(Part::Offsets, |tables| &mut tables.offsets, tables_as(&absolute));
    let too_many = Tables { num_syms: 301, ..tables() };
    assert_eq!(error(&too_many), Error::TooShort { part: Part::Offsets, len: 1200, needed: 1204 });
    // Eight bytes a marker where there are four.
    let mut wide = tables();
    if let Places::Markers { width, .. } = &mut wide.places {
        *width = Width::Bits64;
    }
    assert_eq!(error(&wide), Error::TooShort { part: Part::Markers, len: 8, needed: 16 });
}

#[test]
fn token_place() {
    let mut tables = tables();
    let token = usize::from(b'f');
    let place = u16::from_le_bytes([tables.token_index[2 * token], tables.token_index[2 * token + 1]]);
    tables.token_index[2 * token] ^= 1;
    let expected = usize::from(place);
    assert_eq!(error(&tables), Error::TokenPlace { token: b'f', found: place ^ 1, expected });
    // Numbers of the other byte order.
    let other = Tables { endian: Endian::Big, ..self::tables() };
    assert!(matches!(
        error(&other),
        Error::AddressOrder { .. } | Error::BadMarker { .. } | Error::TokenPlace { .. }
    ));
}

#[test]
fn token_unterminated() {
    let mut tables = tables();
    let last = tables.token_index[510..].try_into().map(u16::from_le_bytes).expect("two bytes");
    tables.token_table.pop();
    assert_eq!(error(&tables), Error::TokenUnterminated { token: 255, offset: usize::from(last) });
}

#[test]
fn record_out_of_bounds() {
    let mut tables = tables();
    let offset = *starts(&tables).get(299).expect("a record");
    tables.names.pop();
    let offset = offset as u64;
    assert_eq!(error(&tables), Error::RecordOutOfBounds { symbol: 299, offset });
    tables.lengths = None;
    assert_eq!(error(&tables), Error::RecordOutOfBounds { symbol: 299, offset });
}

#[test]
fn empty_record() {
    let mut tables = tables();
    let offset = starts(&tables)[7];
    tables.names[offset] = 0;
    assert_eq!(error(&tables), Error::EmptyRecord { symbol: 7, offset: offset as u64 });
}

#[test]
fn bad_marker() {
    let mut tables = tables();
    let expected = starts(&tables)[256] as u64;
    place_bytes(&mut tables)[4] ^= 1;
    assert_eq!(error(&tables), Error::BadMarker { marker: 1, found: expected ^ 1, expected });
}

#[test]
fn bad_name_offset() {
    let mut tables = with_offsets();
    let expected = starts(&tables)[9] as u64;
    place_bytes(&mut tables)[9 * 3 + 2] ^= 1;
    assert_eq!(error(&tables), Error::BadNameOffset { symbol: 9, found: expected ^ 1, expected });
}

#[test]
fn ambiguous_lengths() {
    // 0x81 is 129, and so are 0x81 and 1: both readings fit the bytes.
    let names = [&[0x81, 1][..], &[b't'; 129]].concat();
    let one = sorted(vec![symbol(TEXT, b't', "t")]);
    let tables = Tables { names, lengths: None, ..write(&one, &Options::default()).expect("tables") };
    assert_eq!(error(&tables), Error::AmbiguousLengths);
    for lengths in [Lengths::Byte, Lengths::ByteOrTwo] {
        let stated = Tables { lengths: Some(lengths), ..tables.clone() };
        assert_eq!(stated.kallsyms().expect("sound").lengths(), lengths);
    }
}

/// Both readings end at the same byte, and tell other names on the way.
#[test]
fn ambiguous_lengths_that_meet_again() {
    let mut names = [&[0x81, 0, b't', 126][..], &[b'x'; 126], &[0xc0, 1], &[b'y'; 192]].concat();
    // In two bytes the third record ends here, in one byte a record of 4 tokens begins a byte before.
    names[323] = 4;
    names.extend([9, b'a', b'b', b'c', 5, b'd', b'e', b'f', b'g', b'h']);
    let four = sorted((0..4).map(|at| symbol(TEXT + at, b't', "t")).collect());
    let written = write(&four, &Options { seqs_of_names: None, ..Options::default() }).expect("tables");
    let letters = (0..=255u8).flat_map(|byte| [byte.max(1), 0]).collect();
    let starts = (0..256u16).flat_map(|token| (token * 2).to_le_bytes()).collect();
    let tables = Tables { names, lengths: None, token_table: letters, token_index: starts, ..written };
    assert_eq!(error(&tables), Error::AmbiguousLengths);
    let [long, short] = [Lengths::ByteOrTwo, Lengths::Byte].map(|lengths| {
        let stated = Tables { lengths: Some(lengths), ..tables.clone() };
        let kallsyms = stated.kallsyms().expect("sound");
        (kallsyms.names_len(), kallsyms.iter().map(|symbol| symbol.name().len()).collect::<Vec<_>>())
    });
    assert_eq!((long.0, short.0), (334, 334));
    assert_eq!((long.1, short.1), (vec![0, 125, 191, 8], vec![128, 191, 3, 4]));
}

/// A few tokens of kilobytes would make a name of gigabytes.
#[test]
fn token_too_long() {
    let one = sorted(vec![symbol(TEXT, b't', "t")]);
    let tables = |len: usize| {
        let mut tables = write(&one, &Options::default()).expect("tables");
        let tokens = (0..=255u8).map(|token| vec![token.max(1); if token == 7 { len } else { 1 }]);
        let (mut table, mut index) = (Vec::new(), Vec::new());
        for token in tokens {
            index.extend(u16::try_from(table.len()).expect("short").to_le_bytes());
            table.extend(token);
            table.push(0);
        }
        tables.names = vec![2, b't', b't'];
        (tables.token_table, tables.token_index) = (table, index);
        tables
    };
    assert_eq!(error(&tables(513)), Error::TokenTooLong { token: 7, len: 513 });
    assert!(tables(512).kallsyms().is_ok());
}

#[test]
fn bad_seq() {
    let mut tables = tables();
    tables.seqs_of_names[5 * 3..][..3].copy_from_slice(&[0, 1, 44]);
    assert_eq!(error(&tables), Error::BadSeq { rank: 5, found: 300 });
}

#[test]
fn address_order() {
    let mut tables = tables();
    tables.offsets[4 * 4..][..4].copy_from_slice(&(!0u32 - 8).to_le_bytes());
    assert_eq!(error(&tables), Error::AddressOrder { symbol: 4, address: TEXT + 8, previous: TEXT + 48 });
    // Of another encoding: the first symbol would be the highest.
    let encoding = Encoding::UnsignedBase { relative_base: 0 };
    assert_eq!(
        error(&Tables { encoding, ..self::tables() }),
        Error::AddressOrder { symbol: 1, address: 0xffff_ffef, previous: 0xffff_ffff }
    );
}

#[test]
fn label_out_of_region() {
    let region = Region { address: 0x1000, bytes: &[1, 2, 3, 4, 5, 6, 7, 8] };
    assert_eq!(region.from(0x1006), Ok(&[7, 8][..]));
    assert_eq!(region.number(0x1004, Width::Bits32, Endian::Big), Ok(0x0506_0708));
    let outside = |label| Error::LabelOutOfRegion { label, region: 0x1000, len: 8 };
    assert_eq!(region.from(0xfff), Err(outside(0xfff)));
    assert_eq!(region.from(0x1009), Err(outside(0x1009)));
    assert_eq!(region.number(0x1004, Width::Bits64, Endian::Big), Err(outside(0x100c)));
}

/// Asks every kind of question; there is nothing to assert but that each comes back.
fn ask_everything(kallsyms: &Kallsyms<'_>) {
    for symbol in kallsyms {
        let _ = (symbol.listing().to_string(), symbol.size(), symbol.name().stem_len());
        let name: Vec<u8> = symbol.name().bytes().collect();
        assert!(kallsyms.lookup_all(&name).count() <= kallsyms.len() as usize);
        let _ = kallsyms.describe_return_address(symbol.address().wrapping_add(1)).to_string();
    }
    for pc in [0, 1, TEXT, u64::MAX] {
        let _ = (kallsyms.lookup(pc).is_some(), kallsyms.with_slide(pc).lookup(7).is_some());
    }
    let _ = (kallsyms.lookup_name("function_1"), kallsyms.lookup_name(""), kallsyms.bounds());
    let _ = kallsyms.self_test(&mut [0; 600], || 0);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    /// What the check lets pass is never worse than wrong.
    #[test]
    fn damage_is_no_disaster(
        damage in proptest::collection::vec((0usize..6, any::<proptest::sample::Index>(), any::<u8>()), 1..6),
        offsets in any::<bool>(),
        lengths in prop_oneof![Just(None), Just(Some(Lengths::Byte)), Just(Some(Lengths::ByteOrTwo))],
        num_syms in prop_oneof![3 => Just(300), 1 => 0u32..400],
        pointer in prop_oneof![Just(Width::Bits32), Just(Width::Bits64)],
    ) {
        let base = if offsets { with_offsets() } else { tables() };
        let mut tables = Tables { lengths, num_syms, pointer, ..base };
        for (part, place, value) in damage {
            let bytes = match part {
                0 => &mut tables.names,
                1 => place_bytes(&mut tables),
                2 => &mut tables.token_table,
                3 => &mut tables.token_index,
                4 => &mut tables.offsets,
                _ => &mut tables.seqs_of_names,
            };
            let place = place.index(bytes.len());
            bytes[place] = value;
        }
        match tables.kallsyms() {
            Ok(kallsyms) => ask_everything(&kallsyms),
            Err(error) => prop_assert!(!error.to_string().is_empty()),
        }
    }
}
