//! The BTF of kernels and compilers.

use kallsyms_core::btf::SortedBtf;
use kallsyms_host_tests::btf::{Decoded, ext, sources, swap};

use crate::{inverse, open, oracle, permuted, room, shuffled, sorted};

#[test]
fn what_others_made_follows_in_both_byte_orders() {
    for source in sources::all("what_others_made_follows_in_both_byte_orders") {
        let plain: fn(&[u8]) -> Vec<u8> = |bytes| bytes.to_vec();
        for (form, form_ext) in [(plain, plain), (swap::swapped, swap::swapped_ext)] {
            let base_bytes = source.base.as_ref().map(|base| form(base));
            let base = base_bytes.as_ref().map(|base| open(None, base));
            let decoded = base_bytes.as_ref().map(|base| Decoded::read(base, None).expect("is sound"));
            let bytes = form(&source.bytes);
            let btf = open(base.as_ref(), &bytes);
            btf.check_references().expect("is sound");

            let (order, out) = sorted(&btf);
            assert!(order == oracle::order(&bytes, decoded.as_ref()), "{}", source.name);
            SortedBtf::new(open(base.as_ref(), &out)).expect("is sorted");
            for id_map in [order, shuffled(&btf, 7)] {
                let out = permuted(&btf, &id_map);
                assert!(out == oracle::permuted(&bytes, decoded.as_ref(), &id_map), "{}", source.name);
                let new = open(base.as_ref(), &out);
                new.check_references().expect("as before");
                assert!(permuted(&new, &inverse(&id_map, btf.start_id().0)) == bytes, "{}", source.name);
            }

            let Some(old) = source.ext.as_deref().map(form_ext) else { continue };
            let mut room = room(&btf);
            let permutation = btf.permutation(&mut room).expect("there is room");
            let mut out = vec![0; old.len()];
            let expected = ext::with_ids(&old, |id| permutation.id_map()[id as usize]);
            assert_ne!(expected, old, "{} refers to types", source.name);
            assert_eq!(permutation.permute_ext(&old, &mut out), Ok(&*expected));
        }
    }
}
