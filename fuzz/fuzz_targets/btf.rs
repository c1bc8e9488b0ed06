//! BTF, and a split of it: every question in every way, its declarations, its types in order.
#![no_main]

use kallsyms_host_tests::properties::btf::check_case;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| check_case(input));
