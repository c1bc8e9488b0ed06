//! Damage does no more than it must: whatever is accepted can be read to the end.

use kallsyms_core::btf::{Btf, HashIndex};
use kallsyms_host_tests::properties::btf::read_to_the_end;
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
