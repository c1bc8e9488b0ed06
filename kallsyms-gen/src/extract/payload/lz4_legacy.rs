//! The legacy frame of lz4: blocks of up to 8 MiB, each behind its compressed size, with no end mark.

use super::super::bytes::Bytes;
use super::decompress::{Broken, Unpacked};

const MAGIC: u32 = 0x184c_2102;
/// Unpacked bytes of every block but the last.
const BLOCK: usize = 8 << 20;

/// Unpacks one frame and leaves what is behind it; the kernel appends the unpacked size, which is no block.
pub(super) fn decompress(rest: &mut &[u8], unpacked: &mut Unpacked) -> Result<(), Broken> {
    let input = Bytes::little(rest);
    let mut block = vec![0; BLOCK];
    let mut at = 4;
    while let Some(size) = input.u32(at) {
        at += 4;
        if size == MAGIC {
            continue;
        }
        let Some(packed) = input.slice(at, size as usize).filter(|packed| !packed.is_empty()) else { break };
        match lz4_flex::block::decompress_into(packed, &mut block) {
            Ok(len) => unpacked.push(block.get(..len).unwrap_or_default())?,
            // Behind the last block lies something else.
            Err(_) if !unpacked.bytes.is_empty() => break,
            Err(error) => {
                // It has cost as much as a block that is sound.
                unpacked.grow(BLOCK)?;
                unpacked.bytes.resize(BLOCK, 0);
                return Err(Broken::Data(format!("block at {at:#x}: {error}")));
            }
        }
        at += packed.len();
        *rest = input.bytes.get(at..).unwrap_or_default();
    }
    if unpacked.bytes.is_empty() { Err(Broken::Data("no block".into())) } else { Ok(()) }
}
