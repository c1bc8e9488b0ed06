//! Payloads into bytes, as many as are asked for and no more.

use std::io::{self, Read};

use super::super::error::Fault;
use super::{Codec, lz4_legacy, lzop, zstd};

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
/// `left` is how much may be unpacked, and falls by what was, also where the data proves damaged. Never holds
/// more than that and one block of the codec.
pub(in crate::extract) fn decompress(codec: Codec, bytes: &[u8], left: &mut usize) -> Result<Vec<u8>, Fault> {
    let mut unpacked = Vec::new();
    let done = match codec {
        Codec::Gzip => read(flate2::bufread::GzDecoder::new(bytes), *left, &mut unpacked),
        Codec::Xz => {
            read(lzma_rust2::XzReader::new_mem_limit(bytes, false, DICTIONARY_KIB), *left, &mut unpacked)
        }
        Codec::Zstd => zstd::decompress(bytes, *left, &mut unpacked),
        Codec::Bzip2 => read(bzip2::bufread::BzDecoder::new(bytes), *left, &mut unpacked),
        Codec::Lzma => lzma_rust2::LzmaReader::new_mem_limit(bytes, DICTIONARY_KIB, None)
            .map_err(|error| Broken::Data(error.to_string()))
            .and_then(|decoder| read(decoder, *left, &mut unpacked)),
        Codec::Lz4 => lz4_legacy::decompress(bytes, *left, &mut unpacked),
        Codec::Lzo => lzop::decompress(bytes, *left, &mut unpacked),
    };
    *left = left.saturating_sub(unpacked.len());
    match done {
        Ok(()) => Ok(unpacked),
        Err(Broken::Data(reason)) => Err(Fault::Compressed { codec, reason }),
        Err(Broken::TooLarge) => Err(Fault::TooLarge { codec }),
    }
}

/// Reads a decoder to its end.
pub(super) fn read(decoder: impl Read, left: usize, unpacked: &mut Vec<u8>) -> Result<(), Broken> {
    let most = u64::try_from(left).unwrap_or(u64::MAX).saturating_add(1);
    let done = decoder.take(most).read_to_end(unpacked);
    done.map_err(|error: io::Error| Broken::Data(error.to_string()))?;
    if unpacked.len() > left { Err(Broken::TooLarge) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn no_more_is_unpacked_than_is_left() {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        encoder.write_all(&vec![0; 1 << 20]).expect("written");
        let bomb = encoder.finish().expect("packed");
        let mut left = (1 << 20) - 1;
        assert_eq!(decompress(Codec::Gzip, &bomb, &mut left), Err(Fault::TooLarge { codec: Codec::Gzip }));
        assert_eq!(left, 0);
        let mut left = 1 << 21;
        // Damage behind the data counts what came before.
        let cut = decompress(Codec::Gzip, &bomb[..bomb.len() - 1], &mut left);
        assert!(matches!(cut, Err(Fault::Compressed { .. })), "{cut:?}");
        assert_eq!(left, 1 << 20);
        assert_eq!(decompress(Codec::Gzip, &bomb, &mut left).map(|bytes| bytes.len()), Ok(1 << 20));
        assert_eq!(left, 0);
    }
}
