//! The same BTF in the other byte order, without a look at the types: all that they are made of is words of four
//! bytes.

use kallsyms_core::linux::Endian;

use super::words;

/// The other byte order; the layout section too, where the header has one.
///
/// # Panics
///
/// Where the file is not sound.
#[must_use]
pub fn swapped(bytes: &[u8]) -> Vec<u8> {
    let endian = if bytes.starts_with(&[0x9f, 0xeb]) { Endian::Little } else { Endian::Big };
    let field = |at: usize| words::read(endian, bytes, at).expect("a whole header") as usize;
    let hdr_len = field(4);
    let mut out = bytes.to_vec();
    out[..2].reverse();
    swap(&mut out[4..hdr_len]);
    let (types, len) = (hdr_len + field(8), field(12));
    swap(&mut out[types..types + len]);
    if hdr_len >= 32 {
        let (layout, len) = (hdr_len + field(24), field(28));
        out[layout..layout + len].chunks_exact_mut(4).for_each(|kind| kind[2..].reverse());
    }
    out
}

/// A whole `.BTF.ext` in the other byte order: it has words alone behind its first four bytes.
///
/// # Panics
///
/// Where it is shorter.
#[must_use]
pub fn swapped_ext(bytes: &[u8]) -> Vec<u8> {
    let mut out = bytes.to_vec();
    out[..2].reverse();
    swap(&mut out[4..]);
    out
}

fn swap(words: &mut [u8]) {
    words.chunks_exact_mut(4).for_each(<[u8]>::reverse);
}
