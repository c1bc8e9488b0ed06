//! Addresses: `kallsyms_sym_address` and `get_symbol_pos`.

use kallsyms_core::linux::Encoding;

use super::tables::Common;

/// Where an address lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// Place of the symbol in the table.
    pub index: usize,
    /// Bytes from its start.
    pub offset: u64,
    /// Bytes to the next higher start; `None` where there is none, for the end of the kernel's section is not
    /// part of the tables.
    pub size: Option<u64>,
}

impl Common {
    /// `kallsyms_sym_address`.
    pub(super) fn address(&self, index: usize) -> u64 {
        let offset = self.offsets[index];
        match self.encoding {
            Encoding::SignedPercpu { relative_base } if offset < 0 => {
                relative_base.wrapping_sub(1).wrapping_sub(i64::from(offset).cast_unsigned())
            }
            Encoding::UnsignedBase { relative_base } => {
                relative_base.wrapping_add(u64::from(offset.cast_unsigned()))
            }
            Encoding::PcRelative { offsets_address } => {
                offsets_address.wrapping_add(4 * index as u64).wrapping_add_signed(offset.into())
            }
            // Absolute ones were refused; the others stand for themselves.
            Encoding::SignedPercpu { .. } | Encoding::Offset | Encoding::Absolute => {
                u64::from(offset.cast_unsigned())
            }
        }
    }

    /// `get_symbol_pos`: bisection, back over the aliases, on to the next higher start.
    pub(super) fn position(&self, address: u64) -> Position {
        let (mut low, mut high) = (0, self.len());
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if self.address(middle) <= address {
                low = middle;
            } else {
                high = middle;
            }
        }
        while low > 0 && self.address(low - 1) == self.address(low) {
            low -= 1;
        }
        let start = self.address(low);
        let end = (low + 1..self.len()).map(|index| self.address(index)).find(|next| *next > start);
        Position { index: low, offset: address.wrapping_sub(start), size: end.map(|end| end - start) }
    }
}
