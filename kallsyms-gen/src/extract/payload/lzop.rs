//! The file format of `lzop`: a header, then blocks of LZO1X, each behind its sizes and checksums.

use kallsyms_core::linux::Endian;

use super::super::bytes::Bytes;
use super::decompress::{Broken, Unpacked};

const MAGIC: usize = 9;
/// From this version on the header has more fields.
const EXTENDED: u16 = 0x0940;
/// The largest block that `lzop` reads.
const LARGEST_BLOCK: usize = 64 << 20;

/// Flags of the header.
const ADLER_UNPACKED: u32 = 1;
const ADLER_PACKED: u32 = 1 << 1;
const EXTRA_FIELD: u32 = 1 << 6;
const CRC_UNPACKED: u32 = 1 << 8;
const CRC_PACKED: u32 = 1 << 9;
const FILTER: u32 = 1 << 11;

/// Unpacks one file and leaves what is behind its last block. Checksums are passed over: the tables are checked
/// as a whole.
pub(super) fn decompress(rest: &mut &[u8], unpacked: &mut Unpacked) -> Result<(), Broken> {
    let bytes = *rest;
    let truncated = || Broken::Data(format!("ends within a header or block ({} bytes)", bytes.len()));
    let input = Bytes { bytes, endian: Endian::Big };
    let (flags, mut at) = header(&input).ok_or_else(truncated)?;
    let words = |flag: u32| if flags & flag != 0 { 4 } else { 0 };
    loop {
        let size = input.u32(at).ok_or_else(truncated)? as usize;
        if size == 0 {
            return Ok(());
        }
        let packed_size = input.u32(at + 4).ok_or_else(truncated)? as usize;
        if size > LARGEST_BLOCK || packed_size > size {
            return Err(Broken::Data(format!("block at {at:#x}: {packed_size} bytes for {size}")));
        }
        unpacked.grow(size)?;
        let stored = packed_size == size;
        at += 8 + words(ADLER_UNPACKED) + words(CRC_UNPACKED);
        at += if stored { 0 } else { words(ADLER_PACKED) + words(CRC_PACKED) };
        let packed = input.slice(at, packed_size).ok_or_else(truncated)?;
        if stored {
            unpacked.bytes.extend_from_slice(packed);
        } else {
            let start = unpacked.bytes.len();
            unpacked.bytes.resize(start + size, 0);
            let room = unpacked.bytes.get_mut(start..).unwrap_or_default();
            let len = lzokay::decompress::decompress(packed, room)
                .map_err(|error| Broken::Data(format!("block at {at:#x}: {error}")))?;
            if len != size {
                return Err(Broken::Data(format!("block at {at:#x}: {len} bytes, {size} were told")));
            }
        }
        at += packed_size;
        *rest = bytes.get(at..).unwrap_or_default();
    }
}

/// The flags, and where the first block begins.
fn header(input: &Bytes<'_>) -> Option<(u32, usize)> {
    let extended = input.u16(MAGIC)? >= EXTENDED;
    // Version, library version, version needed, method, level.
    let mut at = MAGIC + if extended { 2 + 2 + 2 + 1 + 1 } else { 2 + 2 + 1 };
    let flags = input.u32(at)?;
    at += 4 + if flags & FILTER != 0 { 4 } else { 0 };
    // Mode and time.
    at += if extended { 12 } else { 8 };
    let name = usize::from(*input.bytes.get(at)?);
    at += 1 + name + 4;
    if flags & EXTRA_FIELD != 0 {
        at = at.checked_add(input.u32(at)? as usize)?.checked_add(8)?;
    }
    Some((flags, at))
}
