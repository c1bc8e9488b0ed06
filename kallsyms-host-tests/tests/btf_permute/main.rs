//! BTF in another order, against a second way to do it, libbpf where it is built, and itself backwards.

mod ext;
mod faults;
#[cfg(feature = "libbpf")]
mod libbpf;
mod oracle;
mod random;
mod real;
mod whole;

use kallsyms_core::btf::{Btf, Permutation};
use kallsyms_host_tests::counting_alloc::{CountingAlloc, calls_during};

#[global_allocator]
static ALLOCATOR: CountingAlloc = CountingAlloc;

/// A file that is sound; its types are found at once.
fn open<'a>(base: Option<&'a Btf<'a>>, bytes: &'a [u8]) -> Btf<'a> {
    let btf = match base {
        Some(base) => Btf::split(base, bytes),
        None => Btf::parse(bytes),
    }
    .expect("is sound");
    btf.with_offsets(vec![0; btf.own_len() as usize].leak())
}

/// Room for a permutation.
fn room(btf: &Btf<'_>) -> Vec<u32> {
    // What is in it does not matter.
    vec![0xaaaa_aaaa; Permutation::words(btf)]
}

/// The map that sorts the types, and the file that is sorted; nothing is allocated on the way.
fn sorted(btf: &Btf<'_>) -> (Vec<u32>, Vec<u8>) {
    let (mut room, mut out) = (room(btf), vec![0xaa; btf.as_bytes().len()]);
    let (answer, calls) = calls_during(|| {
        let permutation = btf.permutation(&mut room).expect("there is room");
        btf.permute(&permutation, &mut out).map(|bytes| (permutation, bytes.len()))
    });
    assert_eq!(calls, 0);
    let (permutation, len) = answer.expect("every kind is known");
    assert_eq!(len, out.len());
    (permutation.id_map().to_vec(), out)
}

/// The file in the order of a map.
fn permuted(btf: &Btf<'_>, id_map: &[u32]) -> Vec<u8> {
    let (mut room, mut out) = (room(btf), vec![0xaa; btf.as_bytes().len()]);
    let (_, calls) = calls_during(|| {
        let permutation = Permutation::new(btf, id_map, &mut room).expect("is a bijection");
        btf.permute(&permutation, &mut out).map(drop).expect("every kind is known");
    });
    assert_eq!(calls, 0);
    out
}

/// The map back.
fn inverse(id_map: &[u32], first_id: u32) -> Vec<u32> {
    let void = usize::from(first_id == 1);
    let mut back = vec![0; id_map.len()];
    for (old, &new) in (first_id..).zip(&id_map[void..]) {
        back[(new - first_id) as usize + void] = old;
    }
    back
}

/// A map of the form that the core takes, out of new numbers counted from 0.
fn map(first_id: u32, new: impl IntoIterator<Item = usize>) -> Vec<u32> {
    let void = (first_id == 1).then_some(0);
    void.into_iter().chain(new.into_iter().map(|new| first_id + new as u32)).collect()
}

/// A map that nobody thought of.
fn shuffled(btf: &Btf<'_>, seed: u64) -> Vec<u32> {
    let mut order: Vec<usize> = (0..btf.own_len() as usize).collect();
    let mut state = seed | 1;
    for place in (1..order.len()).rev() {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        order.swap(place, (state >> 33) as usize % (place + 1));
    }
    map(btf.start_id().0, order)
}
