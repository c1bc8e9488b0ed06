//! The answers of libbpf itself.

use std::collections::BTreeSet;
use std::ffi::{CStr, CString};

use kallsyms_core::btf::{Btf, Find, HashIndex, Kind, SortedBtf, TypeId};
use kallsyms_host_tests::btf::record::{KNOWN, Record, kind};
use kallsyms_host_tests::btf::{BtfWriter, Decoded, samples, words};
use kallsyms_host_tests::peers::libbpf::{EINVAL, Errno, Libbpf, Search};
use proptest::prelude::*;

use crate::inputs::{self, Input};

/// A size above 32 bits.
const E2BIG: Errno = Errno(7);

/// Every name of these types, and what they are not called: without the last letter, with one more, and others.
fn names(chain: &[&Decoded]) -> Vec<CString> {
    let records = chain.iter().flat_map(|decoded| &decoded.records);
    let mut names: BTreeSet<&[u8]> = records.map(|record| &record.name[..]).collect();
    names.remove(&b""[..]);
    let altered = names.iter().step_by(7).flat_map(|name| {
        let (_, shorter) = name.split_last().expect("is not empty");
        [shorter.to_vec(), [shorter, b"~"].concat(), [name, &b"_"[..]].concat(), name.to_ascii_uppercase()]
    });
    let others = [&b"void"[..], b"\xff", b"\x01", b" ", b"struct", b"no_such_name"].map(<[u8]>::to_vec);
    let altered: Vec<Vec<u8>> = altered.chain(others).filter(|name| !name.is_empty()).collect();
    let all = names.into_iter().map(<[u8]>::to_vec).chain(altered);
    all.map(|name| CString::new(name).expect("a name ends at its NUL")).collect()
}

/// A name, a kind, and the type that libbpf says it is: in the chain, and among the own types.
type Answer<'n> = (&'n CStr, u8, Option<u32>, Option<u32>);

fn ask<'n>(libbpf: &Libbpf<'_>, names: impl IntoIterator<Item = &'n CString>) -> Vec<Answer<'n>> {
    let kinds = || kind::VOID..=*KNOWN.end();
    let asked = names.into_iter().flat_map(|name| kinds().map(move |kind| (name.as_c_str(), kind)));
    asked.map(|(name, kind)| (name, kind, libbpf.find(name, kind), libbpf.find_own(name, kind))).collect()
}

/// The same from one of our ways.
fn same<'n>(by: &impl Find, answers: impl IntoIterator<Item = &'n Answer<'n>>, text: &str) {
    let mut asked = Vec::new();
    let mut expected = Vec::new();
    for &(name, kind, found, own) in answers {
        let kind = Kind::from_number(kind);
        let said = || format!("{kind} {name:?} of {text}");
        let name = name.to_bytes();
        assert_eq!(by.find_id(name, kind), found.map(TypeId), "{}", said());
        assert_eq!(by.find(name, kind).map(|found| found.id()), found.map(TypeId), "{}", said());
        assert_eq!(by.find_own(name, kind).map(|found| found.id()), own.map(TypeId), "{}", said());
        asked.push((name, kind));
        expected.push(found.map(TypeId));
    }
    let mut many = vec![None; asked.len()];
    assert_eq!(by.find_many(&asked, &mut many), expected.iter().flatten().count());
    assert!(many == expected, "{text}");
}

/// In the order of the names, by libbpf's own hand: the file, and the old numbers of the types in their new order.
fn sorted(libbpf: &mut Libbpf<'_>, decoded: &Decoded) -> (Vec<u8>, Vec<u32>) {
    let mut order: Vec<u32> = decoded.types().map(|(id, _)| id).collect();
    order.sort_by_key(|&id| decoded.get(id).map(|record| &record.name));
    let is_base = decoded.first_id == 1;
    let mut new_ids = vec![0; order.len() + usize::from(is_base)];
    for (new, &old) in (decoded.first_id..).zip(&order) {
        new_ids[(old - decoded.first_id) as usize + usize::from(is_base)] = new;
    }
    libbpf.permute(&new_ids, None).expect("is a bijection");
    (libbpf.raw_data().expect("has bytes"), order)
}

/// A real file and one in the order of its names, with every name or every so many; with fewer where libbpf is
/// slow.
fn with_orders(input: &Input, step: usize, check: impl Fn(&Btf<'_>, &[Answer<'_>], &str)) {
    let decoded = &input.decoded;
    let chain: Vec<&Decoded> = input.base.iter().map(|(_, base)| base).chain([decoded]).collect();
    let names = names(&chain);
    let base = input.base.as_ref().map(|(bytes, _)| Libbpf::open(bytes).expect("is sound"));
    let open = |bytes: &[u8]| match &base {
        Some(base) => base.split(bytes).expect("is sound"),
        None => Libbpf::open(bytes).expect("is sound"),
    };
    let mut libbpf = open(&input.bytes);
    assert_eq!(libbpf.search(), Some(Search::Linear), "{}", input.name);
    // 20 searches of every type each.
    let some = names.iter().step_by((names.len() * decoded.records.len() / 3_000_000).max(1));
    input.open(|btf| check(btf, &ask(&libbpf, some), &format!("{}, {} names", input.name, names.len())));

    let (bytes, order) = sorted(&mut libbpf, decoded);
    let mut libbpf = open(&bytes);
    assert_eq!(libbpf.search(), Some(Search::Bisection), "{}", input.name);
    let answers = ask(&libbpf, names.iter().step_by(step));
    // Types of one name keep their order, so that the first of a kind is the same type in both files.
    let old = |id: u32| match id.checked_sub(decoded.first_id) {
        Some(number) => order[number as usize],
        None => id,
    };
    let of_old: Vec<Answer<'_>> =
        answers.iter().map(|&(name, kind, found, own)| (name, kind, found.map(old), own.map(old))).collect();
    input.open(|btf| check(btf, &of_old, &format!("{}, all names", input.name)));
    let text = format!("{}, sorted", input.name);
    match &input.base {
        None => check(&Btf::parse(&bytes).expect("is sound"), &answers, &text),
        Some((base, _)) => {
            let base = Btf::parse(base).expect("is sound");
            check(&Btf::split(&base, &bytes).expect("is sound"), &answers, &text);
        }
    }
}

/// Every name with every kind of every real BTF, as it is and sorted: duplicates, kinds that the name has not, and
/// altered names. Of large ones that are byte-swapped, some; from the first type to the last, as many as there is
/// time for.
#[test]
fn finds_as_libbpf_does() {
    for input in inputs::all("libbpf::finds_as_libbpf_does") {
        let is_small = input.decoded.records.len() < 1_000;
        with_orders(
            &input,
            if is_small || !input.name.ends_with(", swapped") { 1 } else { 17 },
            |btf, answers, text| {
                let mut room = vec![0; btf.own_len() as usize];
                let btf = btf.with_offsets(&mut room);
                let mut words = vec![0; HashIndex::words(&btf)];
                same(&HashIndex::build(btf, &mut words).expect("there is room"), answers, text);
                if let Ok(sorted) = SortedBtf::new(btf) {
                    same(&sorted, answers, text);
                }
                let few = answers.len() * btf.own_len() as usize / 4_000_000 + 1;
                same(&btf, answers.iter().step_by(few), text);
            },
        );
    }
}

/// Offsets of some of the types, and none.
#[test]
fn bisects_as_libbpf_does_over_offsets_of_any_stride() {
    for input in inputs::all("libbpf::bisects_as_libbpf_does_over_offsets_of_any_stride") {
        let is_small = input.decoded.records.len() < 1_000;
        with_orders(&input, if is_small { 1 } else { 17 }, |btf, answers, text| {
            for divisor in [2, 8, 50, usize::MAX] {
                let mut room = vec![0; btf.own_len() as usize / divisor];
                let btf = btf.with_offsets(&mut room);
                let few = answers.len() * divisor.min(btf.own_len() as usize) / 1_500_000 + 1;
                if let Ok(sorted) = SortedBtf::new(btf) {
                    same(&sorted, answers.iter().step_by(few), text);
                }
            }
        });
    }
}

/// Types over those of a real kernel, of names that the kernel has and of others, in any order of each.
#[test]
fn finds_over_a_kernel_as_libbpf_does() {
    let test = "libbpf::finds_over_a_kernel_as_libbpf_does";
    for input in inputs::all(test).iter().filter(|input| input.decoded.records.len() > 10_000) {
        let mut libbpf = Libbpf::open(&input.bytes).expect("is sound");
        let (bytes, _) = sorted(&mut libbpf, &input.decoded);
        let decoded = Decoded::read(&bytes, None).expect("is sound");
        let base = Libbpf::open(&bytes).expect("is sound");
        let theirs = decoded.records.iter().step_by(997).cloned();
        let own = (0..50_u32).map(|number| {
            Record::new([kind::STRUCT, kind::TYPEDEF][number as usize % 2], format!("own_{}", number % 30), 1)
        });
        let mut records: Vec<Record> = theirs.chain(own).collect();
        for is_sorted in [false, true] {
            if is_sorted {
                records.sort_by(|one, next| one.name.cmp(&next.name));
            }
            let mut writer = BtfWriter::over_decoded(&decoded);
            for record in &records {
                writer.push(record);
            }
            let split_bytes = writer.bytes();
            let mut split = base.split(&split_bytes).expect("is sound");
            assert_eq!(split.search(), Some(if is_sorted { Search::Bisection } else { Search::Linear }));
            let own = Decoded::read(&split_bytes, Some(&decoded)).expect("is sound");
            let some: Vec<CString> =
                names(&[&own]).into_iter().chain(names(&[&decoded]).into_iter().step_by(53)).collect();
            let answers = ask(&split, &some);

            let mut room = vec![0; decoded.records.len()];
            let btf = Btf::parse(&bytes).expect("is sound").with_offsets(&mut room);
            let mut words = vec![0; HashIndex::words(&btf)];
            let index = HashIndex::build(btf, &mut words).expect("there is room");
            let sorted = SortedBtf::new(btf).expect("is sorted");
            for layer in [kallsyms_core::btf::Layer::from(&index), (&sorted).into()] {
                let mut room = vec![0; records.len() / 3];
                let split = Btf::split(layer, &split_bytes).expect("is sound").with_offsets(&mut room);
                same(&split, &answers, &input.name);
                let mut words = vec![0; HashIndex::words(&split)];
                same(&HashIndex::build(split, &mut words).expect("there is room"), &answers, &input.name);
                match SortedBtf::new(split) {
                    Ok(split) => same(&split, &answers, &input.name),
                    Err(_) => assert!(!is_sorted),
                }
            }
        }
    }
}

fn same_sizes(btf: &Btf<'_>, libbpf: &Libbpf<'_>, text: &str) {
    assert_eq!(libbpf.type_count(), btf.end_id().0);
    for id in 0..btf.end_id().0 + 2 {
        let size = btf.size_of(TypeId(id));
        match libbpf.resolve_size(id) {
            Ok(theirs) => assert_eq!(size, Some(theirs), "type {id} of {text}"),
            Err(EINVAL) => assert_eq!(size, None, "type {id} of {text}"),
            // Ours has 64 bits.
            Err(error) => {
                assert_eq!(error, E2BIG);
                let found = libbpf.kind(id);
                assert!(
                    size.is_none_or(|size| size > u64::from(u32::MAX)),
                    "type {id} {found:?} of {text}: {size:?}"
                );
            }
        }
    }
}

#[test]
fn sizes_are_those_of_libbpf() {
    for input in inputs::all("libbpf::sizes_are_those_of_libbpf") {
        let base = input.base.as_ref().map(|(bytes, _)| Libbpf::open(bytes).expect("is sound"));
        let libbpf = match &base {
            Some(base) => base.split(&input.bytes),
            None => Libbpf::open(&input.bytes),
        };
        let libbpf = libbpf.expect("is sound");
        input.open(|btf| {
            let mut room = vec![0; btf.own_len() as usize];
            same_sizes(&btf.with_offsets(&mut room), &libbpf, &input.name);
        });
    }
    // Of as many typedefs as are followed, and one more.
    let mut records = vec![Record::int("long", 4), Record::new(kind::PTR, "", 0)];
    records
        .extend((1..40).map(|below| Record::new(kind::TYPEDEF, "t", if below == 1 { 1 } else { below + 1 })));
    records.push(Record::array(1, 1, u32::MAX));
    for endian in [words::native(), words::other(words::native())] {
        let bytes = samples::of(endian, &records).bytes();
        let libbpf = Libbpf::open(&bytes).expect("is sound");
        same_sizes(&Btf::parse(&bytes).expect("is sound"), &libbpf, "typedefs");
    }
}

/// libbpf's header of 24 bytes, kinds up to 19, 16 bits of `vlen`: there, what one accepts the other does too.
fn known_to_both(bytes: &[u8]) -> bool {
    let field = |at| words::read(words::native(), bytes, at);
    let version = bytes.get(2..4) == Some(&[1, 0]);
    version && field(0).is_some_and(|word| word as u16 == 0xeb9f) && field(4) == Some(24)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    /// Damaged files: what libbpf accepts with its check of references is read here with the same types, but for
    /// bits that it does not look at; what both checks accept here, it accepts.
    #[test]
    fn damaged_files(
        changes in proptest::collection::vec((any::<prop::sample::Index>(), prop_oneof![0..24_u32, any::<u32>()]), 0..3)
    ) {
        let writer = samples::of(words::native(), &samples::every_kind());
        let mut bytes = writer.bytes();
        let words_of_types = writer.type_len() as usize / 4;
        for (place, word) in changes {
            let at = 8 + place.index(words_of_types + 4) * 4;
            bytes[at..at + 4].copy_from_slice(&words::word(words::native(), word));
        }
        prop_assert!(known_to_both(&bytes));
        let libbpf = Libbpf::open(&bytes);
        let ours = Btf::parse(&bytes);
        match (&libbpf, &ours) {
            (Ok(libbpf), Ok(btf)) => {
                prop_assert_eq!(libbpf.type_count(), btf.end_id().0);
                for found in btf.types() {
                    prop_assert_eq!(libbpf.kind(found.id().0), Some(found.kind().number()));
                    prop_assert_eq!(libbpf.name(found.id().0).map(CStr::to_bytes), Some(found.name()));
                }
                same_sizes(btf, libbpf, "a damaged file");
            }
            // Bits of `info` that were unused.
            (Ok(_), Err(kallsyms_core::btf::Error::UnknownKind { .. } | kallsyms_core::btf::Error::RecordOutOfBounds { .. })) => {}
            (Ok(_), Err(error)) => prop_assert!(false, "libbpf accepts it, and here: {}", error),
            (Err(_), Ok(btf)) => prop_assert!(btf.check_references().is_err() || btf.types().any(|found| found.vlen() > 0xffff)),
            (Err(_), Err(_)) => {}
        }
    }
}
