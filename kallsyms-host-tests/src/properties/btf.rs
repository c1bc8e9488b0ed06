//! BTF that may be anything: whatever is accepted can be read to the end, and every way to ask gives one
//! answer.

use std::fmt::Write;

use kallsyms_core::btf::{Btf, Error, Find, HashIndex, Kind, Permutation, Shape, SortedBtf, Type, TypeId};

use super::input::Parts;

/// Types that are searched for by their names, spread over the file: some of the ways look at all of it.
const SEARCHED: usize = 40;

/// Every question, of every type.
///
/// # Panics
///
/// Where two ways to ask differ.
pub fn read_to_the_end(btf: Btf<'_>) {
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
    }
    let stride = btf.own_len() as usize / SEARCHED + 1;
    for found in btf.types().step_by(stride) {
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

/// An input of two parts: a file, and one that is split from it.
///
/// # Panics
///
/// As [`read_to_the_end`].
pub fn check_case(input: &[u8]) {
    let mut parts = Parts::new(input);
    let (base, split) = (parts.part(), parts.rest());
    let base = match Btf::parse(base) {
        Ok(base) => base,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    check_accepted(base, None);
    if let Ok(split) = Btf::split(&base, split) {
        check_accepted(split, Some(&base));
    }
}

fn check_accepted(btf: Btf<'_>, base: Option<&Btf<'_>>) {
    read_to_the_end(btf);
    declarations(&btf);
    let again = |bytes: &[u8]| match base {
        Some(base) => Btf::split(base, bytes).map(|btf| btf.own_len()),
        None => Btf::parse(bytes).map(|btf| btf.own_len()),
    };
    in_order(&btf, again);
}

/// Written as C declares them, each in bounded text.
fn declarations(btf: &Btf<'_>) {
    let mut room = vec![0; btf.own_len() as usize];
    let btf = btf.with_offsets(&mut room);
    for found in btf.types().take(MAX_DECLARATIONS) {
        let mut text = Bounded(0);
        // A text that is cut short ends with an error of the sink.
        let _ = write!(text, "{}", found.declaration());
    }
}

/// Types whose declarations are written: each may be as long as the file.
const MAX_DECLARATIONS: usize = 60;

/// A sink for so many bytes, and no more.
struct Bounded(usize);

impl Write for Bounded {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        self.0 += text.len();
        if self.0 < 1 << 14 { Ok(()) } else { Err(std::fmt::Error) }
    }
}

/// Put in the order of its names, a file has as many types and the same bytes of strings, and stays in order.
fn in_order(btf: &Btf<'_>, again: impl Fn(&[u8]) -> Result<u32, Error>) {
    let mut room = vec![0; Permutation::words(btf)];
    let permutation = match btf.permutation(&mut room) {
        Ok(permutation) => permutation,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    let mut ids: Vec<u32> =
        btf.types().map(|found| permutation.new_id(found.id()).expect("an own type").0).collect();
    ids.sort_unstable();
    assert!(ids.into_iter().eq(btf.start_id().0..btf.end_id().0), "every number is given once");
    let mut out = vec![0; btf.as_bytes().len()];
    match btf.permute(&permutation, &mut out) {
        Ok(bytes) => assert_eq!(again(bytes), Ok(btf.own_len())),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
