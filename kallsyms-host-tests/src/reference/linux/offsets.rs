//! The layout of the patch of 2026: the offset of every record in 3 bytes, a name is compared as it is decoded.

use std::cmp::Ordering;

use kallsyms_core::linux::Endian;
use kallsyms_gen::linux::{Places as Table, Tables};

use super::tables::Common;
use super::{Places, Reference};

/// Linux's tables with an offset a symbol.
pub type Offsets = Reference<OffsetTable>;

/// `kallsyms_names_offsets`.
#[derive(Debug, Clone)]
pub struct OffsetTable {
    bytes: Vec<u8>,
    endian: Endian,
}

impl Places for OffsetTable {
    fn new(tables: &Tables) -> Option<Self> {
        match &tables.places {
            Table::Offsets { bytes, endian } => Some(Self { bytes: bytes.clone(), endian: *endian }),
            Table::Markers { .. } => None,
        }
    }

    fn record(&self, _: &[u8], index: usize) -> usize {
        let bytes = &self.bytes[3 * index..3 * index + 3];
        let [first, middle, last] = [0, 1, 2].map(|at| usize::from(bytes[at]));
        match self.endian {
            Endian::Little => first | middle << 8 | last << 16,
            Endian::Big => first << 16 | middle << 8 | last,
        }
    }

    /// Token by token; the first byte that differs ends it.
    fn compare(common: &Common, name: &[u8], record: usize) -> Ordering {
        let (tokens, _) = common.tokens(record);
        let (mut rest, mut skipped_type) = (name.iter(), false);
        for &token in tokens {
            for &theirs in common.token(token) {
                if theirs == 0 {
                    break;
                }
                if !skipped_type {
                    skipped_type = true;
                    continue;
                }
                match rest.next() {
                    None => return Ordering::Less,
                    Some(ours) if *ours != theirs => return ours.cmp(&theirs),
                    Some(_) => {}
                }
            }
        }
        if rest.next().is_some() { Ordering::Greater } else { Ordering::Equal }
    }
}
