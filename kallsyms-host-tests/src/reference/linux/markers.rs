//! The layout of all kernels so far: every 256th record has a marker, a name is expanded before it is compared.

use std::cmp::Ordering;

use kallsyms_core::linux::Width;
use kallsyms_gen::linux::{Places as Table, Tables};

use super::tables::{Common, length, numbers};
use super::{Buffer, KSYM_NAME_LEN, Places, Reference};

/// Linux's tables with markers.
pub type Markers = Reference<MarkerTable>;

/// `kallsyms_markers`.
#[derive(Debug, Clone)]
pub struct MarkerTable(Vec<u32>);

impl Places for MarkerTable {
    fn new(tables: &Tables) -> Option<Self> {
        match &tables.places {
            Table::Markers { bytes, width: Width::Bits32 } => Some(Self(numbers(bytes, u32::from_le_bytes))),
            _ => None,
        }
    }

    /// From the marker on, record by record.
    fn record(&self, names: &[u8], index: usize) -> usize {
        let mut record = self.0[index >> 8] as usize;
        for _ in 0..index & 0xff {
            let (start, len) = length(names, record);
            record = start + len;
        }
        record
    }

    /// Expanded as a whole, then `strcmp`.
    fn compare(common: &Common, name: &[u8], record: usize) -> Ordering {
        let mut buffer = [0; KSYM_NAME_LEN];
        common.expand(record, &mut buffer);
        strcmp(name, &buffer)
    }
}

/// Byte by byte up to a difference or the NUL.
fn strcmp(name: &[u8], buffer: &Buffer) -> Ordering {
    for (at, &theirs) in buffer.iter().enumerate() {
        let ours = name.get(at).copied().unwrap_or(0);
        if ours != theirs {
            return ours.cmp(&theirs);
        }
        if ours == 0 {
            break;
        }
    }
    // A name that goes on behind the buffer's last byte is none of the table's.
    if name.len() >= KSYM_NAME_LEN { Ordering::Greater } else { Ordering::Equal }
}
