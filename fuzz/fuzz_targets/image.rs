//! An image of any bytes: every question, and the second reader where it verifies.
#![no_main]

use kallsyms_host_tests::image_builder::mend;
use kallsyms_host_tests::properties::image::check;
use kallsyms_host_tests::random::Random;
use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};

fuzz_target!(|bytes: &[u8]| check(bytes, &mut Random::of(bytes)));

// Most changes of a header, and a wrong checksum, end at the door: three of four inputs are mended.
fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    let len = fuzzer_mutate(data, size, max_size);
    if !seed.is_multiple_of(4) {
        mend(&mut data[..len]);
    }
    len
});
