//! `.BTF.ext`: followed, and one test a fault.

use kallsyms_core::btf::{Btf, Endian, ExtError, ExtSection, HeaderError, Permutation, TypeId};
use kallsyms_host_tests::btf::ext::{ExtWriter, Section, with_ids};
use kallsyms_host_tests::btf::{samples, words};
use proptest::prelude::*;

use crate::room;

/// Asks the permutation of 19 types that turns them round.
fn reversed<T>(ask: impl FnOnce(&Permutation<'_>) -> T) -> T {
    let bytes = samples::of(Endian::Little, &samples::every_kind()).bytes();
    let btf = Btf::parse(&bytes).expect("is sound");
    let id_map: Vec<u32> = [0].into_iter().chain((1..20).rev()).collect();
    let mut room = room(&btf);
    ask(&Permutation::new(&btf, &id_map, &mut room).expect("is a bijection"))
}

fn follow(ext: &[u8]) -> Result<Vec<u8>, ExtError> {
    let mut out = vec![0xaa; ext.len()];
    reversed(|permutation| permutation.permute_ext(ext, &mut out).map(<[u8]>::to_vec))
}

fn sample() -> ExtWriter {
    ExtWriter {
        func_info: vec![
            Section { name_off: 1, records: vec![[0, 12], [8, 13]] },
            Section { name_off: 2, records: vec![[0, 1]] },
        ],
        line_info: vec![Section { name_off: 1, records: vec![[0, 1, 2, 12], [8, 19, 99, 99]] }],
        core_relo: Some(vec![
            Section { name_off: 1, records: vec![[12, 4, 3, 0], [16, 8, 3, 0]] },
            Section { name_off: 5, records: vec![] },
            Section { name_off: 2, records: vec![[12, 0, 3, 0]] },
        ]),
        padding: 0,
    }
}

/// A word says something else.
fn with_word(endian: Endian, at: usize, value: u32) -> Vec<u8> {
    let mut bytes = sample().bytes(endian);
    bytes[at..at + 4].copy_from_slice(&words::word(endian, value));
    bytes
}

#[test]
fn types_of_functions_and_relocations_follow() {
    for endian in [Endian::Little, Endian::Big] {
        let whole = sample();
        for ext in [
            whole.clone(),
            ExtWriter { core_relo: None, ..whole.clone() },
            ExtWriter { padding: 2, ..whole.clone() },
            ExtWriter { func_info: vec![], ..whole.clone() },
            ExtWriter { line_info: vec![], core_relo: Some(vec![]), ..whole },
            ExtWriter::default(),
        ] {
            let bytes = ext.bytes(endian);
            let expected = with_ids(&bytes, |id| if id == 0 { 0 } else { 20 - id });
            assert_eq!(follow(&bytes), Ok(expected.clone()), "{ext:?}");
            assert_eq!(follow(&expected), Ok(bytes.clone()), "{ext:?}, back");
            // What is behind the sections is kept.
            let more = [&*bytes, &[7; 5]].concat();
            assert_eq!(follow(&more), Ok([&*expected, &[7; 5]].concat()));
        }
    }
}

/// The numbers of a base stay; those of the split follow.
#[test]
fn a_program_over_a_base() {
    let base_writer = samples::of(Endian::Big, &samples::every_kind());
    let base = base_writer.bytes();
    let base = Btf::parse(&base).expect("is sound");
    let mut split = kallsyms_host_tests::btf::BtfWriter::over(&base_writer);
    split.push(&kallsyms_host_tests::btf::Record::func("b", 13, 0));
    split.push(&kallsyms_host_tests::btf::Record::func("a", 13, 0));
    let split = split.bytes();
    let split = Btf::split(&base, &split).expect("is sound");
    let mut room = room(&split);
    let permutation = split.permutation(&mut room).expect("there is room");
    let ext = |ids: [u32; 4]| {
        let records = ids.map(|id| [0, id]).to_vec();
        let func_info = vec![Section { name_off: 1, records }];
        ExtWriter { func_info, ..ExtWriter::default() }.bytes(Endian::Big)
    };
    let (old, expected) = (ext([20, 0, 12, 21]), ext([21, 0, 12, 20]));
    assert_eq!(permutation.permute_ext(&old, &mut vec![0; old.len()]), Ok(&*expected));
}

#[test]
fn headers_that_are_none() {
    let bytes = sample().bytes(Endian::Little);
    let changed = |at: usize, byte: u8| {
        let mut bytes = bytes.clone();
        bytes[at] = byte;
        follow(&bytes)
    };
    let len = bytes.len();
    for short in 0..24 {
        assert_eq!(follow(&bytes[..short]), Err(ExtError::Header(HeaderError::TooShort { len: short })));
    }
    assert_eq!(changed(0, 0), Err(ExtError::Header(HeaderError::Magic { found: [0, 0xeb] })));
    assert_eq!(changed(2, 2), Err(ExtError::Header(HeaderError::Version { found: 2 })));
    assert_eq!(changed(3, 1), Err(ExtError::Header(HeaderError::Flags { found: 1 })));
    assert_eq!(changed(4, 23), Err(ExtError::Header(HeaderError::Len { found: 23, len })));
    assert_eq!(changed(7, 0x30), Err(ExtError::Header(HeaderError::Len { found: 0x3000_0020, len })));
    // A longer header: the sections move, and zeros are let pass.
    let longer = |byte: u8| {
        let mut longer = [&bytes[..32], &[0, 0, 0, byte], &bytes[32..]].concat();
        longer[4] = 36;
        follow(&longer)
    };
    assert!(longer(0).is_ok());
    assert_eq!(longer(1), Err(ExtError::Header(HeaderError::Tail { offset: 35, found: 1 })));
    let message = ExtError::Header(HeaderError::Tail { offset: 35, found: 1 }).to_string();
    assert_eq!(message, "byte 0x23 of the header is 0x01 and belongs to no known field");
}

#[test]
fn sections_that_are_none() {
    for endian in [Endian::Little, Endian::Big] {
        let bytes = sample().bytes(endian);
        let len = bytes.len();
        let field = |at: usize| words::read(endian, &bytes, at).expect("a whole header");
        for (at, section) in
            [(8, ExtSection::FuncInfo), (16, ExtSection::LineInfo), (24, ExtSection::CoreRelo)]
        {
            let (start, size) = (field(at), field(at + 4));
            let end = u64::from(u32::MAX) + 32 + u64::from(size);
            let outside = ExtError::SectionOutOfBounds { section, end, len };
            assert_eq!(follow(&with_word(endian, at, u32::MAX)), Err(outside));
            let end = u64::from(start) + 32 + u64::from(u32::MAX);
            let outside = ExtError::SectionOutOfBounds { section, end, len };
            assert_eq!(follow(&with_word(endian, at + 4, u32::MAX)), Err(outside));
            // An empty section is nowhere.
            let mut nowhere = with_word(endian, at, u32::MAX);
            nowhere[at + 4..at + 8].fill(0);
            assert!(follow(&nowhere).is_ok());
        }
        let end = bytes.len() as u64;
        let outside = ExtError::SectionOutOfBounds { section: ExtSection::CoreRelo, end, len: len - 1 };
        assert_eq!(follow(&bytes[..len - 1]), Err(outside));
        let (first, second) = (ExtSection::FuncInfo, ExtSection::LineInfo);
        assert_eq!(follow(&with_word(endian, 12, field(12) + 1)), Err(ExtError::Overlap { first, second }));
        let (first, second) = (ExtSection::FuncInfo, ExtSection::CoreRelo);
        assert_eq!(follow(&with_word(endian, 24, 0)), Err(ExtError::Overlap { first, second }));
    }
}

#[test]
fn records_that_are_none() {
    let endian = Endian::Big;
    let bytes = sample().bytes(endian);
    let field = |at: usize| words::read(endian, &bytes, at).expect("a whole header") as usize;
    for (at, section, least) in
        [(8, ExtSection::FuncInfo, 8), (16, ExtSection::LineInfo, 16), (24, ExtSection::CoreRelo, 16)]
    {
        let offset = 32 + field(at);
        for found in [0, 4, least - 1] {
            let expected = ExtError::RecordSize { section, offset, found, least };
            assert_eq!(follow(&with_word(endian, offset, found)), Err(expected));
        }
        let (start, left) = (offset + 4, field(at + 4) - 4);
        let expected = ExtError::RecordsOutOfBounds {
            section,
            offset: start,
            len: u64::from(u32::MAX) * u64::from(least) + 8,
            left,
        };
        assert_eq!(follow(&with_word(endian, start + 4, u32::MAX)), Err(expected));
        // A section of one byte has no size of its records; one of 5 no first record.
        let one = ExtError::RecordsOutOfBounds { section, offset, len: 4, left: 1 };
        assert_eq!(follow(&with_word(endian, at + 4, 1)), Err(one));
        let five = ExtError::RecordsOutOfBounds { section, offset: start, len: 8, left: 1 };
        assert_eq!(follow(&with_word(endian, at + 4, 5)), Err(five));
    }
    // The second record of the first section, and the first of relocations.
    for (section, offset) in [(ExtSection::FuncInfo, 32 + 24), (ExtSection::CoreRelo, 32 + field(24) + 16)] {
        for found in [20, u32::MAX] {
            let expected = ExtError::NoSuchType { section, offset, found: TypeId(found) };
            assert_eq!(follow(&with_word(endian, offset, found)), Err(expected));
        }
    }
    let message =
        ExtError::NoSuchType { section: ExtSection::FuncInfo, offset: 56, found: TypeId(20) }.to_string();
    assert_eq!(message, "func_info refers at 0x38 to type 20, which is not there");
}

#[test]
fn too_few_bytes_for_the_new_ext() {
    let bytes = sample().bytes(Endian::Little);
    let (len, needed) = (bytes.len() - 1, bytes.len());
    let answer = reversed(|permutation| permutation.permute_ext(&bytes, &mut vec![0; len]).map(drop));
    assert_eq!(answer, Err(ExtError::OutTooShort { len, needed }));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    /// Whatever a damaged file gives, it is an error or what comes back from there.
    #[test]
    fn any_damage(changes in proptest::collection::vec((0_usize..200, any::<u8>()), 1..4), big: bool) {
        let mut bytes = sample().bytes(if big { Endian::Big } else { Endian::Little });
        for (at, byte) in changes {
            let len = bytes.len();
            bytes[at % len] = byte;
        }
        if let Ok(out) = follow(&bytes) {
            prop_assert_eq!(follow(&out), Ok(bytes));
        }
    }
}
