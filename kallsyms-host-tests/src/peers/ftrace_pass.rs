//! One pass as `ftrace_lookup_symbols` makes it: the names are sorted, every symbol of the kernel is expanded
//! into a buffer of 512 bytes and searched for among them.

use kallsyms_core::linux::Kallsyms;
use std::cmp::Ordering;

/// `KSYM_NAME_LEN`.
const BUFFER: usize = 512;

/// The first address of each of these names, which are sorted and without repeats; stops when all are found.
#[must_use]
pub fn resolve(kallsyms: &Kallsyms<'_>, sorted: &[&[u8]]) -> Vec<Option<u64>> {
    let mut out = vec![None; sorted.len()];
    let mut found = 0;
    let mut buffer = [0; BUFFER];
    for symbol in kallsyms {
        let mut len = 0;
        for piece in symbol.name().fragments() {
            buffer[len..len + piece.len()].copy_from_slice(piece);
            len += piece.len();
        }
        let Ok(at) = sorted.binary_search_by(|name| strcmp(name, &buffer[..len])) else { continue };
        if out[at].is_none() {
            out[at] = Some(symbol.address());
            found += 1;
            if found == sorted.len() {
                break;
            }
        }
    }
    out
}

fn strcmp(one: &[u8], other: &[u8]) -> Ordering {
    one.cmp(other)
}
