//! The legacy frame of lz4: blocks of up to 8 MiB, each behind its compressed size, with no end mark.

use super::super::bytes::Bytes;
use super::decompress::Broken;

const MAGIC: u32 = 0x184c_2102;
/// Unpacked bytes of every block but the last.
const BLOCK: usize = 8 << 20;

/// Unpacks one frame; the kernel appends the unpacked size, which is no block.
pub(super) fn decompress(bytes: &[u8], left: usize, unpacked: &mut Vec<u8>) -> Result<(), Broken> {
    let input = Bytes::little(bytes);
    let mut block = vec![0; BLOCK];
    let mut at = 4;
    while let Some(size) = input.u32(at) {
        at += 4;
        if size == MAGIC {
            continue;
        }
        let Some(packed) = input.slice(at, size as usize).filter(|packed| !packed.is_empty()) else { break };
        match lz4_flex::block::decompress_into(packed, &mut block) {
            Ok(len) => unpacked.extend_from_slice(&block[..len]),
            // Behind the last block lies something else.
            Err(_) if !unpacked.is_empty() => break,
            Err(error) => return Err(Broken::Data(format!("block at {at:#x}: {error}"))),
        }
        if unpacked.len() > left {
            return Err(Broken::TooLarge);
        }
        at += packed.len();
    }
    if unpacked.is_empty() { Err(Broken::Data("no block".into())) } else { Ok(()) }
}
