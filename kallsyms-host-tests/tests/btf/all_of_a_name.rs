//! Every type of every name of a kernel, against a map.

use std::collections::BTreeMap;

use kallsyms_core::btf::{Btf, Find, HashIndex, Kind, Permutation, Shape, SortedBtf, TypeId};
use kallsyms_host_tests::btf::record::kind;
use kallsyms_host_tests::btf::{Decoded, sources};

/// Numbers of the types of each name, by the slow reader.
fn by_name(decoded: &Decoded) -> BTreeMap<&[u8], Vec<u32>> {
    let mut names: BTreeMap<&[u8], Vec<u32>> = BTreeMap::new();
    for (id, record) in decoded.types() {
        names.entry(&record.name).or_default().push(id);
    }
    names
}

fn check(by: &impl Find, btf: &Btf<'_>, decoded: &Decoded) {
    let names = by_name(decoded);
    for (name, ids) in names.iter().filter(|(name, _)| !name.is_empty()) {
        let found: Vec<u32> = by.find_all(name).map(|found| found.id().0).collect();
        assert_eq!(&found, ids, "{name:?}");
        let is_tag = |id: &&u32| decoded.get(**id).is_some_and(|record| record.kind == kind::DECL_TAG);
        let tags: Vec<u32> = by.decl_tags(name).map(|found| found.id().0).collect();
        assert!(tags.iter().eq(ids.iter().filter(is_tag)), "{name:?}");
    }
    let tagged = names.get(&b"bpf_kfunc"[..]).into_iter().flatten();
    let targets = tagged.filter_map(|&id| decoded.get(id)).filter(|record| record.kind == kind::DECL_TAG);
    let expected: Vec<TypeId> = targets.map(|record| TypeId(record.size_or_type)).collect();
    let found: Vec<TypeId> = by.kfuncs().map(|found| found.id()).collect();
    assert_eq!(found, expected);
    for id in found {
        let function = btf.type_by_id(id).expect("is there");
        assert!(function.kind() == Kind::Func && matches!(function.shape(), Shape::Func { .. }));
    }
}

#[test]
fn of_a_kernel_as_it_is_and_sorted() {
    let Some(source) = sources::kernel("of_a_kernel_as_it_is_and_sorted") else { return };
    let decoded = Decoded::read(&source.bytes, None).expect("the slow reader reads it");
    let mut offsets = vec![0; source.bytes.len() / 12];
    let btf = Btf::parse_with_offsets(&source.bytes, &mut offsets).expect("is sound");
    let mut words = vec![0; HashIndex::words(&btf)];
    check(&HashIndex::build(btf, &mut words).expect("there is room"), &btf, &decoded);

    let mut room = vec![0; Permutation::words(&btf)];
    let mut sorted = vec![0; source.bytes.len()];
    btf.permute(&btf.permutation(&mut room).expect("room enough"), &mut sorted).expect("room enough");
    let decoded = Decoded::read(&sorted, None).expect("the slow reader reads it");
    let mut offsets = vec![0; sorted.len() / 12];
    let btf = Btf::parse_with_offsets(&sorted, &mut offsets).expect("is sound");
    check(&SortedBtf::new(btf).expect("is sorted"), &btf, &decoded);
    let mut words = vec![0; HashIndex::words(&btf)];
    check(&HashIndex::build(btf, &mut words).expect("there is room"), &btf, &decoded);
}
