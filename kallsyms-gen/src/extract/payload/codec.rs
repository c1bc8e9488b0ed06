//! The compressions that a kernel can be built with, by their first bytes.

use std::fmt;

use super::super::bytes::Bytes;

/// How a payload is compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Codec {
    /// `KERNEL_GZIP`.
    Gzip,
    /// `KERNEL_XZ`.
    Xz,
    /// `KERNEL_ZSTD`.
    Zstd,
    /// `KERNEL_LZ4`: the legacy frame.
    Lz4,
    /// `KERNEL_LZO`: a file of `lzop`.
    Lzo,
    /// `KERNEL_BZIP2`.
    Bzip2,
    /// `KERNEL_LZMA`: the format before xz.
    Lzma,
}

impl fmt::Display for Codec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Gzip => "gzip",
            Self::Xz => "xz",
            Self::Zstd => "zstd",
            Self::Lz4 => "lz4",
            Self::Lzo => "lzo",
            Self::Bzip2 => "bzip2",
            Self::Lzma => "lzma",
        })
    }
}

/// The codec whose data begins here.
pub(in crate::extract) fn codec_at(bytes: &[u8]) -> Option<Codec> {
    Some(match bytes {
        // Deflate is the only method; the upper flags are reserved.
        [0x1f, 0x8b, 8, flags, ..] if *flags < 0x20 => Codec::Gzip,
        [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Codec::Xz,
        [0x28, 0xb5, 0x2f, 0xfd, ..] => Codec::Zstd,
        [0x02, 0x21, 0x4c, 0x18, ..] => Codec::Lz4,
        [0x89, b'L', b'Z', b'O', 0, b'\r', b'\n', 0x1a, b'\n', ..] => Codec::Lzo,
        [b'B', b'Z', b'h', b'1'..=b'9', 0x31, 0x41, 0x59, 0x26, 0x53, 0x59, ..] => Codec::Bzip2,
        [0x5d, 0, 0, ..] if is_lzma_header(bytes) => Codec::Lzma,
        _ => return None,
    })
}

/// The usual properties, a dictionary of 2^n or 2^n + 2^(n-1) bytes, and a size, if it is told, that a kernel
/// can have.
fn is_lzma_header(bytes: &[u8]) -> bool {
    let header = Bytes::little(bytes);
    let (Some(dictionary), Some(size)) = (header.u32(1), header.u64(5)) else { return false };
    let regular = dictionary.count_ones() == 1
        || dictionary.count_ones() == 2 && (dictionary & dictionary >> 1).count_ones() == 1;
    regular && (1 << 12..=1 << 28).contains(&dictionary) && (size == u64::MAX || size < 1 << 32)
}

/// Every place in a file where compressed data may begin.
pub(in crate::extract) fn candidates(bytes: &[u8]) -> impl Iterator<Item = (usize, Codec)> {
    let first = |byte: &u8| matches!(byte, 0x1f | 0xfd | 0x28 | 0x02 | 0x89 | b'B' | 0x5d);
    let places = bytes.iter().enumerate().filter(move |(_, byte)| first(byte));
    places.filter_map(|(at, _)| codec_at(bytes.get(at..)?).map(|codec| (at, codec)))
}
