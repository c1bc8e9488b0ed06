//! The text of `/proc/kallsyms`, whole and in chunks, against a reading line by line.
#![no_main]

use kallsyms_host_tests::properties::procfs::{check_searches, check_text};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &[u8]| {
    check_text(text);
    let word = text.split(|byte| !byte.is_ascii_graphic()).next_back().unwrap_or_default();
    check_searches(text, word);
    check_searches(text, &[b"*", &word[word.len() / 2..]].concat());
});
