//! Numbers of the tables, in either byte order.

use kallsyms_core::linux::{Endian, Width};

/// A table of numbers as it grows.
#[derive(Debug)]
pub(super) struct Numbers {
    bytes: Vec<u8>,
    endian: Endian,
}

impl Numbers {
    pub(super) fn new(endian: Endian) -> Self {
        Self { bytes: Vec::new(), endian }
    }

    pub(super) fn push_u16(&mut self, value: u16) {
        self.push(value.to_le_bytes());
    }

    /// The low 3 bytes.
    pub(super) fn push_u24(&mut self, value: u32) {
        let [a, b, c, _] = value.to_le_bytes();
        self.push([a, b, c]);
    }

    pub(super) fn push_u32(&mut self, value: u32) {
        self.push(value.to_le_bytes());
    }

    /// A number of this width; of a narrow one the low half.
    pub(super) fn push_wide(&mut self, value: u64, width: Width) {
        match width {
            Width::Bits32 => self.push_u32(value as u32),
            Width::Bits64 => self.push(value.to_le_bytes()),
        }
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    fn push<const N: usize>(&mut self, mut bytes: [u8; N]) {
        if self.endian == Endian::Big {
            bytes.reverse();
        }
        self.bytes.extend(bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_a_width_and_an_order() {
        let bytes = |endian| {
            let mut numbers = Numbers::new(endian);
            numbers.push_u16(0x0102);
            numbers.push_u24(0x03_0405);
            numbers.push_u32(0x0607_0809);
            numbers.push_wide(0x0a0b, Width::Bits64);
            numbers.push_wide(0xffff_ffff_8000_0001, Width::Bits32);
            numbers.into_bytes()
        };
        let big = [1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0, 0, 0, 0x0a, 0x0b, 0x80, 0, 0, 1];
        assert_eq!(bytes(Endian::Big), big);
        let little = [2, 1, 5, 4, 3, 9, 8, 7, 6, 0x0b, 0x0a, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0x80];
        assert_eq!(bytes(Endian::Little), little);
    }
}
