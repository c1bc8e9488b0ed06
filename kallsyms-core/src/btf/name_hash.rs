//! The hash of a name, for an index that lives in memory.

use super::strings;
use crate::image::hash::{BODY, LAST, fold, group_of};
use crate::num::wide;

/// Bytes of a name that are hashed at most.
const HASHED: usize = 256;

/// Hash of a name, of its first [`HASHED`] bytes: there may be many names that are long, and all of them the same
/// string. Steps: one for 8 bytes.
///
/// Not that of images, which is cut into the groups that a decoder hands over: here the last 8 bytes overlap
/// the others, so that no length is a case of its own.
#[inline(always)]
pub(super) fn hash(name: &[u8]) -> u64 {
    let name = name.get(..HASHED).unwrap_or(name);
    let mut state = 0;
    for group in name.as_chunks().0 {
        state = with_group(state, group);
    }
    finish(state, name)
}

/// The hash of the string that a tail begins with, measured and hashed at once; `None` if it is empty.
#[inline(always)]
pub(super) fn hash_of_string(tail: &[u8]) -> Option<u64> {
    let tail = tail.get(..HASHED).unwrap_or(tail);
    let (mut state, mut left) = (0, tail);
    while let Some((group, behind)) = left.split_first_chunk::<8>() {
        let more = strings::len_in(group);
        if more < group.len() {
            let len = tail.len().wrapping_sub(left.len()).wrapping_add(more);
            return (len > 0).then(|| finish(state, tail.get(..len).unwrap_or_default()));
        }
        state = with_group(state, group);
        left = behind;
    }
    let name = strings::string(tail);
    (!name.is_empty()).then(|| finish(state, name))
}

#[inline(always)]
fn with_group(state: u64, group: &[u8; 8]) -> u64 {
    fold(state ^ u64::from_le_bytes(*group), BODY)
}

/// The hash of a name whose whole groups have been taken.
#[inline(always)]
fn finish(state: u64, name: &[u8]) -> u64 {
    let last = name.last_chunk().map_or_else(|| group_of(name), |last| u64::from_le_bytes(*last));
    fold(state ^ last, LAST ^ wide(name.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_string_hashes_as_the_name_that_it_is() {
        let text: [u8; 600] = core::array::from_fn(|at| b'a' + (at % 23) as u8);
        for len in 0..600 {
            for behind in [1, 2, 9, 40] {
                let mut tail = [0; 640];
                tail[..len].copy_from_slice(&text[..len]);
                let tail = &tail[..len + behind];
                assert_eq!(hash_of_string(tail), (len > 0).then(|| hash(&text[..len])), "{len} {behind}");
            }
        }
        assert_eq!(hash_of_string(b""), None);
        assert_ne!(hash(b"abcdefgh"), hash(b"abcdefghabcdefgh"));
        assert_ne!(hash(b"a"), hash(b"b"));
    }
}
