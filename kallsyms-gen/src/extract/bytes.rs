//! Numbers of either byte order at any place of some bytes.

use kallsyms_core::linux::{Endian, Width};

/// Bytes, and the order of the numbers in them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bytes<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) endian: Endian,
}

impl<'a> Bytes<'a> {
    pub(super) fn little(bytes: &'a [u8]) -> Self {
        Self { bytes, endian: Endian::Little }
    }

    /// So many bytes from a place, all of them there.
    pub(super) fn slice(&self, at: usize, len: usize) -> Option<&'a [u8]> {
        self.bytes.get(at..at.checked_add(len)?)
    }

    pub(super) fn u16(&self, at: usize) -> Option<u16> {
        let bytes = self.array(at)?;
        Some(match self.endian {
            Endian::Little => u16::from_le_bytes(bytes),
            Endian::Big => u16::from_be_bytes(bytes),
        })
    }

    pub(super) fn u32(&self, at: usize) -> Option<u32> {
        let bytes = self.array(at)?;
        Some(match self.endian {
            Endian::Little => u32::from_le_bytes(bytes),
            Endian::Big => u32::from_be_bytes(bytes),
        })
    }

    pub(super) fn u64(&self, at: usize) -> Option<u64> {
        let bytes = self.array(at)?;
        Some(match self.endian {
            Endian::Little => u64::from_le_bytes(bytes),
            Endian::Big => u64::from_be_bytes(bytes),
        })
    }

    /// A number of this width.
    pub(super) fn word(&self, at: usize, width: Width) -> Option<u64> {
        match width {
            Width::Bits32 => self.u32(at).map(u64::from),
            Width::Bits64 => self.u64(at),
        }
    }

    /// Whether these bytes are there and all zero, as the linker fills the room before a label.
    pub(super) fn is_padding(&self, from: usize, to: usize) -> bool {
        self.bytes.get(from..to).is_some_and(|bytes| bytes.iter().all(|&byte| byte == 0))
    }

    fn array<const N: usize>(&self, at: usize) -> Option<[u8; N]> {
        self.slice(at, N)?.try_into().ok()
    }
}

/// The next multiple of a power of two.
pub(super) fn align_up(at: usize, to: usize) -> Option<usize> {
    Some(at.checked_add(to - 1)? & !(to - 1))
}
