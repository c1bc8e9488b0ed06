//! Files at random: every question against a slow answer.

use kallsyms_core::btf::{Btf, TypeId};
use kallsyms_host_tests::btf::Decoded;
use kallsyms_host_tests::btf::record::{Record, kind};
use proptest::prelude::*;

use crate::chains::{chain, name};
use crate::oracle::{Oracle, Searched, WAYS};
use crate::views;

const KINDS: [u8; 8] =
    [kind::VOID, kind::INT, kind::STRUCT, kind::TYPEDEF, kind::FUNC, kind::DECL_TAG, kind::ENUM64, 20];

/// The file with offsets of every `stride`-th type, or of none.
fn strided<'a>(btf: Btf<'a>, stride: usize, room: &'a mut Vec<u32>) -> Btf<'a> {
    room.resize((btf.own_len() as usize).checked_div(stride).unwrap_or_default(), u32::MAX);
    btf.with_offsets(room)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    /// Every way to search every file of a chain, over every way to search those below.
    #[test]
    fn names_of_a_split_of_a_split(chain in chain(), strides in any::<[u8; 3]>(), more in proptest::collection::vec(name(), 4)) {
        let strides = strides.map(|stride| usize::from(stride % 5));
        let [base, split, second] = &chain.bytes();
        let read = |bytes, base| Decoded::read(bytes, base).expect("is sound");
        let base_types = read(base, None);
        let split_types = read(split, Some(&base_types));
        let second_types = read(second, Some(&split_types));
        for (records, types) in chain.files.iter().zip([&base_types, &split_types, &second_types]) {
            prop_assert_eq!(records, &types.records);
        }
        let names: Vec<&[u8]> =
            chain.files.iter().flatten().map(|record| &record.name[..]).chain(more.iter().map(String::as_bytes)).collect();
        let oracles = [
            Oracle::new([&base_types]),
            Oracle::new([&base_types, &split_types]),
            Oracle::new([&base_types, &split_types, &second_types]),
        ];
        let mut rooms: [Vec<u32>; 3] = Default::default();
        let [room, split_room, second_room] = &mut rooms;
        let base = strided(Btf::parse(base).expect("is sound"), strides[0], room);
        views::check(&base, &base_types);
        for way in WAYS {
            let mut words = Vec::new();
            let Some(base) = Searched::new(base, way, &mut words) else { continue };
            base.check(&oracles[0], &names, &KINDS);
            let split = Btf::split(base.layer(), split).expect("is sound");
            let mut room = split_room.clone();
            let split = strided(split, strides[1], &mut room);
            views::check(&split, &split_types);
            for way in WAYS {
                let mut words = Vec::new();
                let Some(split) = Searched::new(split, way, &mut words) else { continue };
                split.check(&oracles[1], &names, &KINDS);
                let second = Btf::split(split.layer(), second).expect("is sound");
                let mut room = second_room.clone();
                let second = strided(second, strides[2], &mut room);
                views::check(&second, &second_types);
                for way in WAYS {
                    let mut words = Vec::new();
                    let Some(second) = Searched::new(second, way, &mut words) else { continue };
                    second.check(&oracles[2], &names, &KINDS);
                }
            }
        }
    }

    #[test]
    fn types_by_number_with_every_stride(chain in chain()) {
        let [base, split, _] = &chain.bytes();
        for base_room in 0..=chain.files[0].len() + 1 {
            let mut base_room = vec![u32::MAX; base_room];
            let base = Btf::parse(base).expect("is sound").with_offsets(&mut base_room);
            for room in 0..=chain.files[1].len() + 1 {
                let mut room = vec![u32::MAX; room];
                let split = Btf::split(&base, split).expect("is sound").with_offsets(&mut room);
                let all = base.types().chain(split.types());
                for (id, found) in (1..).zip(all) {
                    prop_assert_eq!(found.id(), TypeId(id));
                    prop_assert_eq!(split.type_by_id(TypeId(id)), Some(found));
                }
                prop_assert_eq!(split.type_by_id(split.end_id()), None);
                prop_assert_eq!(base.type_by_id(base.end_id()), None);
            }
        }
    }

    #[test]
    fn sizes_and_resolved_types(chain in chain()) {
        let [base, split, _] = &chain.bytes();
        let base_types = Decoded::read(base, None).expect("is sound");
        let split_types = Decoded::read(split, Some(&base_types)).expect("is sound");
        let base = Btf::parse(base).expect("is sound");
        let split = Btf::split(&base, split).expect("is sound");
        let get = |id| base_types.get(id).or_else(|| split_types.get(id));
        for id in 1..split.end_id().0 + 2 {
            let resolved = follow(id, &get, |record| match record.kind {
                kind::TYPEDEF | kind::CONST | kind::VOLATILE | kind::RESTRICT | kind::TYPE_TAG => Some(record.size_or_type),
                _ => None,
            });
            let found = split.resolve(TypeId(id)).map(|found| found.id().0);
            prop_assert_eq!(found, resolved.last().copied().flatten(), "type {}", id);
            prop_assert_eq!(split.size_of(TypeId(id)), size(id, &get, split.pointer_size()), "type {}", id);
        }
    }
}

/// The numbers from one type on, by `next`; `None` at the end where it leads nowhere, or too deep.
fn follow<'r>(
    id: u32,
    get: &impl Fn(u32) -> Option<&'r Record>,
    next: impl Fn(&Record) -> Option<u32>,
) -> Vec<Option<u32>> {
    let mut chain = vec![Some(id)];
    while let Some(&Some(id)) = chain.last() {
        if chain.len() > 32 {
            chain.push(None);
        } else if id == 0 {
            break;
        } else {
            match get(id) {
                None => chain.push(None),
                Some(record) => match next(record) {
                    Some(next) => chain.push(Some(next)),
                    None => break,
                },
            }
        }
    }
    chain
}

fn size<'r>(id: u32, get: &impl Fn(u32) -> Option<&'r Record>, pointer: u8) -> Option<u64> {
    let chain = follow(id, get, |record| match record.kind {
        kind::ARRAY => Some(record.words[0].number()),
        kind::TYPEDEF
        | kind::CONST
        | kind::VOLATILE
        | kind::RESTRICT
        | kind::TYPE_TAG
        | kind::VAR
        | kind::DECL_TAG => Some(record.size_or_type),
        _ => None,
    });
    let last = get((*chain.last()?)?)?;
    let one = match last.kind {
        kind::PTR => u64::from(pointer),
        kind::INT | kind::STRUCT | kind::UNION | kind::ENUM | kind::ENUM64 | kind::FLOAT | kind::DATASEC => {
            u64::from(last.size_or_type)
        }
        _ => return None,
    };
    let arrays = chain.iter().filter_map(|id| get((*id)?).filter(|record| record.kind == kind::ARRAY));
    let whole = arrays.map(|record| u128::from(record.words[2].number())).product::<u128>() * u128::from(one);
    u64::try_from(whole).ok()
}
