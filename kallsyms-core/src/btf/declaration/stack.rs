//! Frames inside of one another, eight bytes each.

use heapless::Vec;

use super::frame::{Body, Frame, Place};
use crate::btf::format::MAX_DEPTH;
use crate::btf::type_id::TypeId;
use crate::num::{count, index, low32, widen};

/// What is inside of what, the definition itself included.
const DEPTH: usize = index(MAX_DEPTH);

/// Bits of an id, which is below 2^31; of an element, of which there are fewer than 2^24; of a place.
const ID: u32 = 31;
const INDEX: u32 = 24;
const PLACE: u32 = 6;

/// The frames, the innermost last.
pub(super) struct Stack(Vec<u64, DEPTH, u8>);

impl Stack {
    pub(super) const fn new() -> Self {
        Self(Vec::new())
    }

    /// The innermost.
    pub(super) fn top(&self) -> Option<Frame> {
        self.0.last().map(|&kept| unpacked(kept))
    }

    /// Something is inside of the innermost; whether there was room for it.
    pub(super) fn push(&mut self, frame: Frame) -> bool {
        self.0.push(packed(frame)).is_ok()
    }

    /// The innermost has ended.
    pub(super) fn pop(&mut self) {
        self.0.pop();
    }

    /// The innermost has come further.
    pub(super) fn replace(&mut self, frame: Frame) {
        if let Some(top) = self.0.last_mut() {
            *top = packed(frame);
        }
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn is_full(&self) -> bool {
        self.0.is_full()
    }

    /// How far to the right the elements of the innermost are.
    pub(super) fn indent(&self) -> usize {
        count(self.0.iter().filter(|&&kept| unpacked(kept).body.is_indented()))
    }
}

fn packed(frame: Frame) -> u64 {
    let place = match frame.place {
        Place::Before => 0,
        Place::Defined => 1,
        Place::Behind(link) => link.saturating_add(2),
    };
    let body = match frame.body {
        Body::One => 0,
        Body::Params => 1,
        Body::Section => 2,
        Body::Packed => 3,
        Body::Members(bytes) => bytes.checked_ilog2().unwrap_or(0).min(3) | 4,
    };
    let high = widen(body) << PLACE | u64::from(place);
    (high << INDEX | widen(frame.index)) << ID | widen(frame.of.0)
}

fn unpacked(kept: u64) -> Frame {
    let field = |from: u32, bits: u32| low32(kept.wrapping_shr(from)) & !u32::MAX.wrapping_shl(bits);
    let place = match field(ID.wrapping_add(INDEX), PLACE) {
        0 => Place::Before,
        1 => Place::Defined,
        behind => Place::Behind(behind.to_le_bytes()[0].saturating_sub(2)),
    };
    let body = match kept >> 61 {
        0 => Body::One,
        1 => Body::Params,
        2 => Body::Section,
        3 => Body::Packed,
        4 => Body::Members(1),
        5 => Body::Members(2),
        6 => Body::Members(4),
        _ => Body::Members(8),
    };
    Frame { of: TypeId(field(0, ID)), index: field(ID, INDEX), place, body }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_is_kept_whole() {
        let bodies = [Body::One, Body::Params, Body::Section, Body::Packed].into_iter();
        let bodies = bodies.chain([1, 2, 4, 8].map(Body::Members));
        for body in bodies {
            for place in [Place::Before, Place::Defined, Place::Behind(0), Place::Behind(32)] {
                for (of, index) in [(0, 0), (1, 2), (0x7fff_ffff, 0x00ff_ffff), (0x7fff_ffff, 0)] {
                    let frame = Frame { of: TypeId(of), index, place, body };
                    assert_eq!(unpacked(packed(frame)), frame);
                }
            }
        }
    }
}
