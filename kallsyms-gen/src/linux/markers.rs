//! Markers out of the names, for kernels and folders that have none.

use kallsyms_core::linux::{Endian, Lengths, Width};

use super::numbers::Numbers;

/// Symbols to a marker.
pub(super) const STRIDE: usize = 256;

/// Bytes that a linker may put behind the last record.
const PADDING: usize = 8;

/// Walks `count` records of either scheme and returns the offset of every 256th one.
///
/// Where the scheme is not stated, the one counts whose records end where the names end; `None` where neither
/// does, or both do and disagree.
pub(super) fn walk(names: &[u8], count: u32, lengths: Option<Lengths>) -> Option<Vec<u32>> {
    let one = |lengths| walk_one(names, count, lengths);
    match lengths {
        Some(lengths) => one(lengths),
        None => match (one(Lengths::Byte), one(Lengths::ByteOrTwo)) {
            (Some(a), Some(b)) => (a == b).then_some(a),
            (a, b) => a.or(b),
        },
    }
}

fn walk_one(names: &[u8], count: u32, lengths: Lengths) -> Option<Vec<u32>> {
    let mut markers = Vec::new();
    let mut at = 0usize;
    for index in 0..count as usize {
        if index % STRIDE == 0 {
            markers.push(u32::try_from(at).ok()?);
        }
        let first = *names.get(at)?;
        at += match lengths {
            Lengths::ByteOrTwo if first & 0x80 != 0 => {
                2 + (usize::from(first & 0x7f) | usize::from(*names.get(at + 1)?) << 7)
            }
            Lengths::Byte | Lengths::ByteOrTwo => 1 + usize::from(first),
        };
    }
    let rest = names.get(at..)?;
    (rest.len() < PADDING && rest.iter().all(|&byte| byte == 0)).then_some(markers)
}

/// The table of these markers.
pub(super) fn to_bytes(markers: &[u32], width: Width, endian: Endian) -> Vec<u8> {
    let mut table = Numbers::new(endian);
    for &marker in markers {
        table.push_wide(marker.into(), width);
    }
    table.into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scheme_shows_where_the_records_end() {
        // A length of 0x81 with a second byte 1 is 129; as a plain byte it is 129 too, one byte earlier.
        let two = [&[0x81, 1][..], &[7; 129]].concat();
        assert_eq!(walk(&two, 1, Some(Lengths::ByteOrTwo)), Some(vec![0]));
        assert_eq!(walk(&two, 2, None), None);
        let one = [&[0x81][..], &[7; 129], &[0, 0, 0]].concat();
        assert_eq!(walk(&one, 1, None), Some(vec![0]));
        assert_eq!(walk(&one, 1, Some(Lengths::ByteOrTwo)), None);
        assert_eq!(walk(&[0x81], 1, None), None);
        assert_eq!(walk(&[], 0, None), Some(vec![]));
    }

    #[test]
    fn every_256th_record_has_a_marker() {
        let names = [1, 9].repeat(513);
        assert_eq!(walk(&names, 513, None), Some(vec![0, 512, 1024]));
        assert_eq!(walk(&names, 512, None), None, "what follows is no padding");
    }
}
