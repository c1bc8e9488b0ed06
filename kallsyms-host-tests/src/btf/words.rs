//! Numbers of either byte order.

use kallsyms_core::linux::Endian;

/// The two bytes of a number.
#[must_use]
pub fn half(endian: Endian, value: u16) -> [u8; 2] {
    match endian {
        Endian::Little => value.to_le_bytes(),
        Endian::Big => value.to_be_bytes(),
    }
}

/// The four bytes of a number.
#[must_use]
pub fn word(endian: Endian, value: u32) -> [u8; 4] {
    match endian {
        Endian::Little => value.to_le_bytes(),
        Endian::Big => value.to_be_bytes(),
    }
}

/// The number of four bytes; `None` where there are fewer.
#[must_use]
pub fn read(endian: Endian, bytes: &[u8], at: usize) -> Option<u32> {
    let bytes = bytes.get(at..)?.first_chunk()?;
    Some(match endian {
        Endian::Little => u32::from_le_bytes(*bytes),
        Endian::Big => u32::from_be_bytes(*bytes),
    })
}

/// The byte order of this machine.
#[must_use]
pub fn native() -> Endian {
    if cfg!(target_endian = "little") { Endian::Little } else { Endian::Big }
}

/// The other byte order.
#[must_use]
pub fn other(endian: Endian) -> Endian {
    match endian {
        Endian::Little => Endian::Big,
        Endian::Big => Endian::Little,
    }
}
