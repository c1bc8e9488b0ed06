//! Little-endian numbers at any byte, and packed ones at any bit.

/// The `len` bytes at `at`.
pub(super) fn slice(bytes: &[u8], at: u64, len: u64) -> Result<&[u8], String> {
    let range =
        at.checked_add(len).and_then(|end| Some(usize::try_from(at).ok()?..usize::try_from(end).ok()?));
    range.and_then(|range| bytes.get(range)).ok_or_else(|| format!("no {len} bytes at {at}"))
}

/// The number in the `len` bytes at `at`.
pub(super) fn number(bytes: &[u8], at: u64, len: u64) -> Result<u64, String> {
    Ok(slice(bytes, at, len)?.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
}

/// As [`number`], of 32 bits.
pub(super) fn number32(bytes: &[u8], at: u64) -> Result<u32, String> {
    Ok(number(bytes, at, 4)? as u32)
}

/// The number in the `count` bits at bit `at`.
pub(super) fn bits(bytes: &[u8], at: u64, count: u64) -> Result<u64, String> {
    (0..count).try_fold(0, |number, step| {
        let place = at + step;
        let bit = number_bit(slice(bytes, place / 8, 1)?[0], place % 8);
        Ok(number | bit << step)
    })
}

/// The bit `at` of a byte.
fn number_bit(byte: u8, at: u64) -> u64 {
    u64::from(byte) >> at & 1
}

/// CRC-32 (IEEE 802.3), bit by bit.
pub(super) fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| crc >> 1 ^ if crc & 1 == 1 { 0xedb8_8320 } else { 0 })
    })
}
