//! A list of symbols to tables and back, or a file to the symbols in it.
#![no_main]

use kallsyms_host_tests::properties::generator::{check_case, check_file};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| match input {
    [b'f', file @ ..] => check_file(file),
    [_, case @ ..] => check_case(case),
    [] => {}
});
