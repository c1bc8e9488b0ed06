//! Payloads into bytes, as many as are asked for and no more.

use std::io::{self, Read};

use super::super::error::Fault;
use super::{Codec, lz4_legacy, lzop};

/// Memory for the dictionary of xz and lzma, in KiB; the kernel's own scripts ask for up to 128 MiB.
const DICTIONARY_KIB: u32 = 256 << 10;

/// Why a payload is given up.
#[derive(Debug, thiserror::Error)]
pub(super) enum Broken {
    /// It is damaged.
    #[error("{0}")]
    Data(String),
    /// It is larger than what was asked for.
    #[error("too large")]
    TooLarge,
}

/// Unpacks the data that the bytes begin with; what follows it is left alone.
///
/// Never holds more than the limit and one block of the codec.
pub(in crate::extract) fn decompress(codec: Codec, bytes: &[u8], limit: usize) -> Result<Vec<u8>, Fault> {
    let unpacked = match codec {
        Codec::Gzip => read(flate2::bufread::GzDecoder::new(bytes), limit),
        Codec::Xz => read(lzma_rust2::XzReader::new_mem_limit(bytes, false, DICTIONARY_KIB), limit),
        Codec::Zstd => ruzstd::decoding::StreamingDecoder::new(bytes)
            .map_err(|error| Broken::Data(error.to_string()))
            .and_then(|decoder| read(decoder, limit)),
        Codec::Bzip2 => read(bzip2::bufread::BzDecoder::new(bytes), limit),
        Codec::Lzma => lzma_rust2::LzmaReader::new_mem_limit(bytes, DICTIONARY_KIB, None)
            .map_err(|error| Broken::Data(error.to_string()))
            .and_then(|decoder| read(decoder, limit)),
        Codec::Lz4 => lz4_legacy::decompress(bytes, limit),
        Codec::Lzo => lzop::decompress(bytes, limit),
    };
    unpacked.map_err(|broken| match broken {
        Broken::Data(reason) => Fault::Compressed { codec, reason },
        Broken::TooLarge => Fault::TooLarge { codec, limit },
    })
}

fn read(decoder: impl Read, limit: usize) -> Result<Vec<u8>, Broken> {
    let mut unpacked = Vec::new();
    let most = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
    decoder
        .take(most)
        .read_to_end(&mut unpacked)
        .map_err(|error: io::Error| Broken::Data(error.to_string()))?;
    if unpacked.len() > limit { Err(Broken::TooLarge) } else { Ok(unpacked) }
}
