//! Linux's tables and BTF out of any bytes: those of a kernel, of a packed one, or packed here.
#![no_main]

use kallsyms_host_tests::properties::extract::check_case;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| check_case(input));
