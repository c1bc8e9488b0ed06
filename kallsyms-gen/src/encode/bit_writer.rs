//! Bit-packed numbers, lowest bit first.

/// Appends numbers of any width up to 57 bits.
#[derive(Debug, Default)]
pub(super) struct BitWriter {
    bytes: Vec<u8>,
    pending: u64,
    filled: u32,
}

impl BitWriter {
    /// Appends the low `width` bits of `value`.
    pub(super) fn push(&mut self, value: u64, width: u32) {
        debug_assert!(width <= 57 && value >> width == 0);
        self.pending |= value << self.filled;
        self.filled += width;
        while self.filled >= 8 {
            self.bytes.push(self.pending as u8);
            self.pending >>= 8;
            self.filled -= 8;
        }
    }

    /// The bytes, the last one filled up with zero bits.
    pub(super) fn finish(mut self) -> Vec<u8> {
        if self.filled != 0 {
            self.bytes.push(self.pending as u8);
        }
        self.bytes
    }
}
