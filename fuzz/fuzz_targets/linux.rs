//! Linux's tables out of any parts, with an index of their names and without, against a slow reader.
#![no_main]

use kallsyms_host_tests::properties::linux::check_case;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| check_case(input));
