//! A real ELF file, this program, damaged in thousands of ways where its headers are: symbols or an error, in
//! memory that the file bounds.
#![cfg(all(target_os = "linux", target_pointer_width = "64", target_endian = "little"))]

use std::ops::Range;
use std::panic::catch_unwind;

use kallsyms_gen::embed::{embedded, find};
use kallsyms_gen::input::{self, Demangling, Options};
use kallsyms_host_tests::counting_alloc::{CountingAlloc, peak_of};

#[global_allocator]
static ALLOCATOR: CountingAlloc = CountingAlloc;

const FLIPS: u64 = 3000;
/// Symbols that are left of it, for there are many damages.
const SYMBOLS: usize = 400;

/// Numbers without order.
fn mix(number: u64) -> u64 {
    let mixed = (number ^ number >> 31).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) ^ mixed >> 32
}

fn number(bytes: &[u8], at: usize) -> usize {
    u64::from_le_bytes(*bytes[at..].first_chunk().expect("within")) as usize
}

/// This program with a short symbol table, and where its headers, symbols and names are.
fn program() -> (Vec<u8>, Vec<Range<usize>>) {
    let mut bytes = std::fs::read(std::env::current_exe().expect("this program")).expect("a file");
    let (headers, count) = (number(&bytes, 40), usize::from(bytes[60]) | usize::from(bytes[61]) << 8);
    let sections = headers..headers + 64 * count;
    let of = |index: usize| headers + 64 * index;
    let table = (0..count).map(of).find(|&at| bytes[at + 4] == 2).expect("a symbol table");
    bytes[table + 32..table + 40].copy_from_slice(&(24 * SYMBOLS as u64).to_le_bytes());
    let symbols = number(&bytes, table + 24);
    let strings = number(&bytes, of(usize::from(bytes[table + 40])) + 24);
    let places =
        vec![0..64, 64..64 + 56 * 8, sections, symbols..symbols + 24 * SYMBOLS, strings..strings + 4096];
    (bytes, places)
}

#[test]
fn flipped_headers_give_symbols_or_an_error() {
    let (mut bytes, places) = program();
    let options = Options { demangling: Demangling::Usual, all_symbols: true, drop_padding: false };
    let whole = input::read(&bytes, &options).expect("a sound file").symbols;
    assert!(whole.list.len() > SYMBOLS / 2, "{}", whole.list.len());
    // Three words of ours for each of a symbol's, all names as often as the budget lets them, and what vectors
    // that grow have to spare.
    let most = 4 * (16 * bytes.len() as i64 + (64 << 20));
    let (mut refused, mut changed) = (0, 0);
    for flip in 0..FLIPS {
        let random = mix(flip + 1);
        let place = &places[(random % places.len() as u64) as usize];
        let at = place.start + (random >> 8) as usize % (place.len() - 8);
        let old: [u8; 8] = *bytes[at..].first_chunk().expect("within");
        match flip % 4 {
            0 => bytes[at] ^= 1 << (random >> 60 & 7),
            1 => bytes[at] = 0xff,
            2 => bytes[at..at + 8].fill(0xff),
            _ => bytes[at..at + 8].copy_from_slice(&mix(random).to_le_bytes()),
        }
        let (read, peak) = peak_of(|| {
            catch_unwind(|| {
                // Whatever these two say, they say it.
                let _ = (embedded(&bytes), find(&bytes, None));
                input::read(&bytes, &options)
            })
        });
        let read = read.unwrap_or_else(|_| panic!("flip {flip} at {at:#x} panics"));
        assert!(peak <= most, "flip {flip} at {at:#x} takes {peak} bytes, at most {most}");
        match read {
            Ok(read) => changed += u32::from(read.symbols != whole),
            Err(error) => {
                refused += 1;
                assert!(!error.to_string().is_empty());
            }
        }
        bytes[at..at + 8].copy_from_slice(&old);
    }
    assert!(refused > 100 && changed > 100, "{refused} refused, {changed} read as others");
    assert_eq!(input::read(&bytes, &options).expect("as it was").symbols, whole);
}
