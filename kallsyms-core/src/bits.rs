//! Bit-packed numbers, lowest bit first.

/// The `width` bits at bit `bit` of `bytes`, as a number; steps: one unaligned load.
///
/// `None` where fewer than 8 bytes follow the bit's byte: packed sections end in 8 bytes of padding. `width`
/// is at most 57.
#[inline]
pub(crate) fn read(bytes: &[u8], bit: u64, width: u32) -> Option<u64> {
    let at = usize::try_from(bit >> 3).ok()?;
    let window = bytes.get(at..)?.first_chunk::<8>()?;
    let mask = !u64::MAX.wrapping_shl(width);
    Some(u64::from_le_bytes(*window) >> (bit & 7) & mask)
}
