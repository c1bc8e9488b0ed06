//! Payloads into bytes, as many as are asked for and no more.

use std::io::{self, Read};

use super::super::error::Fault;
use super::{Codec, lz4_legacy, lzop, zstd};

/// Memory for the dictionary of xz and lzma, in KiB; the kernel's own scripts ask for up to 128 MiB.
const DICTIONARY_KIB: u32 = 256 << 10;

/// Bytes that a decoder is asked for at a time.
const PIECE: usize = 1 << 16;

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
/// `left` is how much may be unpacked, and falls by what was, or by what was read where that is more, also where
/// the data proves damaged. Never holds more than that and one block or the dictionary of the codec.
pub(in crate::extract) fn decompress(codec: Codec, bytes: &[u8], left: &mut usize) -> Result<Vec<u8>, Fault> {
    let mut unpacked = Unpacked { bytes: Vec::new(), most: *left };
    let mut rest = bytes;
    let done = match codec {
        Codec::Gzip => unpacked.read(flate2::bufread::GzDecoder::new(&mut rest)),
        Codec::Xz => unpacked.read(lzma_rust2::XzReader::new_mem_limit(&mut rest, false, DICTIONARY_KIB)),
        Codec::Zstd => zstd::decompress(&mut rest, &mut unpacked),
        Codec::Bzip2 => unpacked.read(bzip2::bufread::BzDecoder::new(&mut rest)),
        Codec::Lzma => lzma_rust2::LzmaReader::new_mem_limit(&mut rest, DICTIONARY_KIB, None)
            .map_err(|error| Broken::Data(error.to_string()))
            .and_then(|decoder| unpacked.read(decoder)),
        Codec::Lz4 => lz4_legacy::decompress(&mut rest, &mut unpacked),
        Codec::Lzo => lzop::decompress(&mut rest, &mut unpacked),
    };
    let read = bytes.len().saturating_sub(rest.len());
    *left = left.saturating_sub(read.max(unpacked.bytes.len()));
    match done {
        Ok(()) => Ok(unpacked.bytes),
        Err(Broken::Data(reason)) => Err(Fault::Compressed { codec, reason }),
        Err(Broken::TooLarge) => {
            *left = 0;
            Err(Fault::TooLarge { codec })
        }
    }
}

/// What was unpacked so far, and how much that may become.
pub(super) struct Unpacked {
    pub(super) bytes: Vec<u8>,
    most: usize,
}

impl Unpacked {
    /// Makes room for so many bytes more: half as many again as there are, and never more than may be.
    pub(super) fn grow(&mut self, more: usize) -> Result<(), Broken> {
        let len = self.bytes.len();
        let left = self.most.saturating_sub(len);
        if more > left {
            return Err(Broken::TooLarge);
        }
        if self.bytes.capacity().saturating_sub(len) < more {
            let room = self.bytes.try_reserve_exact(more.max(len / 2).min(left));
            room.map_err(|error| Broken::Data(error.to_string()))?;
        }
        Ok(())
    }

    /// Appends a piece.
    pub(super) fn push(&mut self, piece: &[u8]) -> Result<(), Broken> {
        self.grow(piece.len())?;
        self.bytes.extend_from_slice(piece);
        Ok(())
    }

    /// Reads a decoder to its end.
    pub(super) fn read(&mut self, mut decoder: impl Read) -> Result<(), Broken> {
        let mut piece = vec![0; PIECE];
        loop {
            match decoder.read(&mut piece) {
                Ok(0) => return Ok(()),
                Ok(len) => self.push(piece.get(..len).unwrap_or_default())?,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(Broken::Data(error.to_string())),
            }
        }
    }
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
