//! The frame walker over a machine of any stacks and code.
#![no_main]

use kallsyms_host_tests::properties::frames::check;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| check(input));
