//! A pattern and a name in pieces, against a table of all pairs of places in both.
#![no_main]

use kallsyms_host_tests::properties::glob::{check, check_literals};
use kallsyms_host_tests::properties::input::Parts;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let mut parts = Parts::new(input);
    let piece = 1 + usize::from(parts.byte() % 8);
    // C strings end at a NUL.
    let text = |bytes: &[u8]| bytes.iter().map(|byte| *byte.max(&1)).collect::<Vec<u8>>();
    let (pattern, name) = (text(parts.part()), text(parts.rest()));
    for name in [&name, &pattern] {
        let pieces: Vec<&[u8]> = name.chunks(piece).collect();
        check(&pattern, name, &pieces);
        check_literals(&pattern, name);
    }
});
