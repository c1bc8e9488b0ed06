//! A slow reader of the same tables: it walks them from the first byte, and looks at every symbol.

use kallsyms_core::linux::{Bounds, Encoding, Lengths, Width};

use super::raw::{RawTables, from_bytes};

/// What the slow reader makes of the tables.
pub(super) struct Slow {
    pub(super) addresses: Vec<u64>,
    pub(super) kinds: Vec<u8>,
    pub(super) names: Vec<Vec<u8>>,
    /// Where the last record ends.
    pub(super) end: usize,
}

/// A symbol, how far behind its start an address lies, and its size.
pub(super) type Found = (usize, u64, Option<u64>);

impl Slow {
    pub(super) fn read(raw: &RawTables, lengths: Lengths) -> Option<Self> {
        let mut slow = Self { addresses: vec![], kinds: vec![], names: vec![], end: 0 };
        for index in 0..raw.num_syms as usize {
            slow.addresses.push(address(raw, index)?);
            let mut len = usize::from(*raw.names.get(slow.end)?);
            slow.end += 1;
            if lengths == Lengths::ByteOrTwo && len & 0x80 != 0 {
                len = len & 0x7f | usize::from(*raw.names.get(slow.end)?) << 7;
                slow.end += 1;
            }
            if len == 0 {
                return None;
            }
            let mut spelled = vec![];
            for token in raw.names.get(slow.end..slow.end + len)? {
                let place = 2 * usize::from(*token);
                let start = from_bytes(raw.endian, raw.token_index.get(place..place + 2)?) as usize;
                let rest = raw.token_table.get(start..)?;
                spelled.extend_from_slice(&rest[..rest.iter().position(|byte| *byte == 0)?]);
            }
            slow.end += len;
            slow.kinds.push(spelled.first().copied().unwrap_or(b'?'));
            slow.names.push(spelled.get(1..).unwrap_or_default().to_vec());
        }
        Some(slow)
    }

    /// As kernel/kallsyms.c looks an address up, by the facts.
    pub(super) fn lookup(&self, bounds: Option<Bounds>, address: u64) -> Option<Found> {
        if let Some(bounds) = bounds {
            let within = |start, end| start <= address && address < end;
            let (kernel, init) = (bounds.kernel, bounds.init);
            if !within(kernel.start, kernel.end) && !within(init.start, init.end) {
                return None;
            }
        }
        let last = self.addresses.iter().rposition(|start| *start <= address)?;
        let start = self.addresses[last];
        let first = self.addresses.iter().position(|other| *other == start)?;
        let next = self.addresses.iter().find(|other| **other > start).copied();
        let end = next.or(bounds.map(|Bounds { kernel, init_text, .. }| {
            if init_text.start <= address && address < init_text.end { init_text.end } else { kernel.end }
        }));
        Some((first, address - start, end.and_then(|end| end.checked_sub(start))))
    }

    /// Symbols whose names are so.
    pub(super) fn matching(&self, accept: impl Fn(&[u8]) -> bool) -> Vec<usize> {
        (0..self.names.len()).filter(|index| accept(&self.names[*index])).collect()
    }
}

fn address(raw: &RawTables, index: usize) -> Option<u64> {
    let len = if raw.encoding == Encoding::Absolute { raw.pointer.bytes() } else { 4 };
    let word = from_bytes(raw.endian, raw.offsets.get(index * len..index * len + len)?);
    let signed = i128::from(word as u32 as i32);
    let address = match raw.encoding {
        Encoding::Absolute | Encoding::Offset => word,
        Encoding::UnsignedBase { relative_base } => (u128::from(relative_base) + u128::from(word)) as u64,
        Encoding::SignedPercpu { .. } if signed >= 0 => word,
        Encoding::SignedPercpu { relative_base } => (i128::from(relative_base) - 1 - signed) as u64,
        Encoding::PcRelative { offsets_address } => {
            (i128::from(offsets_address) + 4 * index as i128 + signed) as u64
        }
    };
    Some(if raw.pointer == Width::Bits32 { address & 0xffff_ffff } else { address })
}
