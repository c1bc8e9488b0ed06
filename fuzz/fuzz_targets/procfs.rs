//! The text of `/proc/kallsyms`, whole and in chunks, against a reading line by line.
#![no_main]

use kallsyms_host_tests::properties::procfs::{check_chunks, check_searches};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &[u8]| {
    // The last line, and its length, are as random as the text.
    let last = text.split(|byte| *byte == b'\n').next_back().unwrap_or_default();
    check_chunks(text, [1, 7, 1 + last.len(), text.len() / 2]);
    let word = text.split(|byte| !byte.is_ascii_graphic()).next_back().unwrap_or_default();
    check_searches(text, word);
    check_searches(text, &[b"*", &word[word.len() / 2..]].concat());
});
