//! BTF: every type through its view, and every name as others find it.

mod all_of_a_name;
mod chains;
mod damage;
mod faults;
mod hostile;
mod inputs;
#[cfg(feature = "libbpf")]
mod libbpf;
mod members;
mod names;
mod oracle;
mod properties;
mod references;
mod splits;
mod views;

use kallsyms_core::btf::{Btf, Find, HashIndex, Kind, Shape, SortedBtf, TypeId};
use kallsyms_host_tests::btf::{BtfWriter, samples, words};
use kallsyms_host_tests::counting_alloc::{CountingAlloc, calls_during};

#[global_allocator]
static ALLOCATOR: CountingAlloc = CountingAlloc;

#[test]
fn nothing_allocates() {
    let records = samples::every_kind();
    let mut sorted = records.clone();
    sorted.sort_by(|one, next| one.name.cmp(&next.name));
    let bytes = samples::of(words::native(), &records).bytes();
    let base = samples::of(words::native(), &sorted);
    let split = BtfWriter::over(&base).bytes();
    let base = base.bytes();
    let (found, calls) = calls_during(|| {
        let (mut offsets, mut index) = ([0; 19], [0; 64]);
        let btf = Btf::parse(&bytes).ok()?.with_offsets(&mut offsets);
        btf.check_references().ok()?;
        let elements = |shape: Shape<'_>| match shape {
            Shape::Struct(members) | Shape::Union(members) => members.len(),
            Shape::Enum(values) => values.len(),
            Shape::FuncProto { params, .. } => params.len(),
            Shape::DataSec(variables) => variables.len(),
            _ => 0,
        };
        let elements: usize = btf.types().map(|found| elements(found.shape())).sum();
        let size = btf.size_of(TypeId(3))?;
        let name = btf.resolve(TypeId(8))?.name().len();
        let index = HashIndex::build(btf, &mut index).ok()?;
        let mut many = [None; 2];
        let found = index.find_many(&[("node", Kind::Struct), ("nobody", Kind::Func)], &mut many);
        let base = Btf::parse(&base).ok()?;
        let base = SortedBtf::new(base).ok()?;
        let split = Btf::split(&base, &split).ok()?;
        split.find("walk", Kind::Func)?;
        Some((elements, size, name, found, split.decl_tags("tag").count(), split.kfuncs().count()))
    });
    assert_eq!((found, calls), (Some((11, 28, 4, 1, 1, 0)), 0));
}

/// The tests of this file that compare with libbpf are behind a feature.
#[cfg(not(feature = "libbpf"))]
#[test]
fn libbpf() {
    kallsyms_host_tests::skip::skip(
        "libbpf",
        "built without `--features libbpf`: nothing is compared with libbpf",
    );
}
