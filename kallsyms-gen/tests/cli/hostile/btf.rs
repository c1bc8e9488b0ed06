//! BTF whose header or types lie.

use super::{MEMORY, check, limited};
use crate::{Folder, Run};

const WORDS: usize = 24;

/// A header, words of types, strings.
fn btf(header: [u32; 5], types: &[u32], strings: &[u8]) -> Vec<u8> {
    let words = header.iter().chain(types).flat_map(|word| word.to_le_bytes());
    [0x9f, 0xeb, 1, 0].into_iter().chain(words).chain(strings.iter().copied()).collect()
}

fn sound(types: &[u32], strings: &[u8]) -> Vec<u8> {
    let len = 4 * types.len() as u32;
    btf([WORDS as u32, 0, len, len, strings.len() as u32], types, strings)
}

/// Every command on a file; they are to end the same.
fn each(folder: &Folder, bytes: &[u8], mut see: impl FnMut(&[&str], &Run)) {
    let (file, output) = (folder.write("types.btf", bytes), folder.path("output"));
    for arguments in [
        &["btf", "stat", &file][..],
        &["btf", "dump", &file],
        &["btf", "dump", &file, "a"],
        &["btf", "find", &file, "a"],
        &["btf", "sort", &file, "-o", &output],
    ] {
        see(arguments, &limited(arguments, MEMORY));
    }
}

#[test]
fn lengths_of_4_gib() {
    let folder = Folder::new("hostile-btf-lengths");
    let int = [1, 1 << 24, 4, 32];
    for header in [
        [24, 0, u32::MAX, u32::MAX, 3],
        [24, 0, 16, 16, u32::MAX],
        [u32::MAX, 0, 16, 16, 3],
        [24, u32::MAX, 16, 16, 3],
        [24, 0, 16, u32::MAX, u32::MAX],
        [24, u32::MAX - 3, u32::MAX - 3, u32::MAX - 3, u32::MAX - 3],
        [0, 0, 16, 16, 3],
    ] {
        each(&folder, &btf(header, &int, b"\0a\0"), |arguments, run| {
            check(run, arguments, "types.btf: ");
        });
    }
    // A struct with more members than the file has bytes.
    for vlen in [1, 0xffff] {
        each(&folder, &sound(&[1, 4 << 24 | vlen, 4], b"\0a\0"), |arguments, run| {
            check(run, arguments, "types.btf: ");
        });
    }
    assert_eq!(folder.names(), ["types.btf"]);
}

/// Types of themselves, and of each other: followed so far and no further.
#[test]
fn types_that_lead_to_themselves() {
    let folder = Folder::new("hostile-btf-circles");
    let typedef = |target: u32| [1, 8 << 24, target];
    let pointer = |target: u32| [0, 2 << 24, target];
    for types in [
        [typedef(1), typedef(1)].concat(),
        [typedef(2), typedef(1)].concat(),
        [typedef(2), pointer(2)].concat(),
        // An array of itself, a function of itself.
        vec![1, 3 << 24, 0, 1, 1, u32::MAX],
        vec![1, 12 << 24, 1],
        vec![1, 13 << 24 | 1, 1, 1, 1],
    ] {
        each(&folder, &sound(&types, b"\0a\0"), |arguments, run| {
            assert!(matches!(run.code, Some(0 | 1 | 3)), "{arguments:?} {:?} {}", run.code, run.err);
            assert!(
                run.out.len() < 64 << 20 && run.err.lines().count() <= 3,
                "{arguments:?}: {}",
                run.out.len()
            );
        });
    }
}

/// A hundred thousand pointers, each to the next; and structs within structs, each twice in the one around it.
#[test]
fn chains_and_trees() {
    let folder = Folder::new("hostile-btf-chains");
    let mut chain: Vec<u32> = (2..100_002).flat_map(|next| [0, 2 << 24, next]).collect();
    chain.extend([1, 8 << 24, 1]);
    let tree: Vec<u32> = (1..64)
        .flat_map(|of: u32| {
            let next = if of == 63 { 0 } else { of + 1 };
            [u32::from(of == 1), 4 << 24 | 2, 8, 1, next, 0, 1, next, 32]
        })
        .collect();
    for types in [chain, tree] {
        each(&folder, &sound(&types, b"\0a\0"), |arguments, run| {
            assert_eq!(run.code, Some(0), "{arguments:?} {}", run.err);
            assert!(run.out.len() < 16 << 20, "{arguments:?}: {}", run.out.len());
        });
    }
}
