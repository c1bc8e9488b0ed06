//! Damage does no more than it must: whatever is accepted can be read to the end.

use kallsyms_core::btf::{Btf, Find, HashIndex, Kind, Shape, SortedBtf, Type, TypeId};
use proptest::prelude::*;

use crate::chains::chain;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// A sound file with some of its bytes changed, or cut: whatever is accepted can be read to the end.
    #[test]
    fn damage(
        chain in chain(),
        which in 0..3_usize,
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
        words in proptest::collection::vec((any::<prop::sample::Index>(), prop_oneof![any::<u32>(), 0..64_u32]), 0..3),
        cut in prop_oneof![4 => Just(None), 1 => any::<prop::sample::Index>().prop_map(Some)],
    ) {
        let mut files = chain.bytes();
        let damaged = &mut files[which];
        for (place, byte) in changes {
            let place = place.index(damaged.len());
            damaged[place] = byte;
        }
        for (place, word) in words {
            let place = place.index(damaged.len() / 4) * 4;
            damaged[place..place + 4].copy_from_slice(&word.to_le_bytes());
        }
        if let Some(cut) = cut {
            damaged.truncate(cut.index(damaged.len() + 1));
        }
        let [base, split, second] = &files;
        let Ok(base) = Btf::parse(base) else { return Ok(()) };
        read_to_the_end(base);
        let Ok(split) = Btf::split(&base, split) else { return Ok(()) };
        read_to_the_end(split);
        let mut words = vec![0; HashIndex::words(&split)];
        let Ok(split) = HashIndex::build(split, &mut words) else { return Ok(()) };
        let Ok(second) = Btf::split(&split, second) else { return Ok(()) };
        read_to_the_end(second);
    }

    #[test]
    fn anything(bytes in proptest::collection::vec(any::<u8>(), 0..120), header in any::<bool>()) {
        let mut bytes = bytes;
        if header && bytes.len() >= 24 {
            bytes[..8].copy_from_slice(&[0x9f, 0xeb, 1, 0, 24, 0, 0, 0]);
        }
        if let Ok(btf) = Btf::parse(&bytes) {
            read_to_the_end(btf);
        }
    }
}

/// Every question, of every type.
fn read_to_the_end(btf: Btf<'_>) {
    let mut room = vec![0; btf.own_len() as usize / 2 + 1];
    let btf = btf.with_offsets(&mut room);
    let _ = btf.check_references();
    let mut words = vec![0; HashIndex::words(&btf)];
    let index = HashIndex::build(btf, &mut words);
    let sorted = SortedBtf::new(btf);
    assert_eq!(btf.types().count(), btf.own_len() as usize);
    let named = btf.types().filter(|found| !found.name().is_empty());
    assert_eq!(named.count(), btf.named_len() as usize);
    for (found, id) in btf.types().zip(btf.start_id().0..) {
        assert_eq!((found.id(), btf.type_by_id(TypeId(id))), (TypeId(id), Some(found)));
        assert_eq!(btf.string(found.name_off()), Some(found.name()));
        look_at(&found);
        let _ = (btf.resolve(found.id()), btf.size_of(found.id()));
        // The first of its name and kind, in every way.
        let own = btf.types().find(|other| (other.kind(), other.name()) == (found.kind(), found.name()));
        let usual = found.name() != b"void";
        assert!(!usual || btf.find_own(found.name(), found.kind()) == own);
        let id = btf.find_id(found.name(), found.kind());
        let all: Vec<TypeId> = btf.find_all(found.name()).map(|found| found.id()).collect();
        if let Ok(sorted) = &sorted {
            assert_eq!(sorted.find_id(found.name(), found.kind()), id);
            assert!(sorted.find_all(found.name()).map(|found| found.id()).eq(all.iter().copied()));
        }
        if let Ok(index) = &index {
            assert_eq!(index.find_id(found.name(), found.kind()), id);
            assert!(index.find_all(found.name()).map(|found| found.id()).eq(all.iter().copied()));
        }
    }
    let _ = (btf.kfuncs().count(), btf.find("no such name", Kind::Struct));
}

fn look_at(found: &Type<'_>) {
    let lens: Vec<usize> = match found.shape() {
        Shape::Struct(members) | Shape::Union(members) => members.map(|member| member.name.len()).collect(),
        Shape::Enum(values) => values.map(|value| value.name.len()).collect(),
        Shape::FuncProto { params, .. } => params.map(|param| param.name.len()).collect(),
        Shape::DataSec(variables) => variables.map(|_| 0).collect(),
        _ => return,
    };
    assert_eq!(lens.len(), found.vlen() as usize);
    assert!(found.record().len() >= 12 + 8 * lens.len());
}
