//! The number conversions that the crate needs, each of them total.

use static_assertions::const_assert;

const_assert!(usize::BITS >= 32 && usize::BITS <= 64);

/// A `u32` as an index.
#[expect(clippy::as_conversions, reason = "usize has at least 32 bits, asserted above")]
pub(crate) const fn index(value: u32) -> usize {
    value as usize
}

/// A byte as a `u32`, in constants too.
#[expect(clippy::as_conversions, reason = "widening; `From` is not const")]
pub(crate) const fn byte(value: u8) -> u32 {
    value as u32
}

/// A `u32` as a `u64`, in constants too.
#[expect(clippy::as_conversions, reason = "widening; `From` is not const")]
pub(crate) const fn widen(value: u32) -> u64 {
    value as u64
}

/// A length as a `u64`.
#[expect(clippy::as_conversions, reason = "usize has at most 64 bits, asserted above")]
pub(crate) const fn wide(value: usize) -> u64 {
    value as u64
}

/// The low half.
#[expect(clippy::as_conversions, reason = "takes the low half")]
pub(crate) const fn low32(value: u64) -> u32 {
    value as u32
}

/// The high half.
pub(crate) const fn high32(value: u64) -> u32 {
    low32(value >> 32)
}

/// How many items there are, which no sum of the standard library's checks for overflow.
pub(crate) fn count(items: impl Iterator) -> usize {
    items.fold(0, |count: usize, _| count.wrapping_add(1))
}

/// Items with their numbers, from 0 on.
pub(crate) fn numbered<I: Iterator>(items: I) -> impl Iterator<Item = (usize, I::Item)> {
    (0..usize::MAX).zip(items)
}

/// Maps a number of 32 bits evenly to 0..`range`; 0 where the range is empty.
pub(crate) const fn scale(value: u32, range: u32) -> u32 {
    high32(widen(value).wrapping_mul(widen(range)))
}
