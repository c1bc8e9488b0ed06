//! What both layouts share: records, tokens, the order of the names.

use kallsyms_core::linux::{Encoding, Endian, Lengths, NameOrder, Width};
use kallsyms_gen::linux::Tables;

use super::{Buffer, KSYM_NAME_LEN};

/// The tables but for the one that leads to a record.
#[derive(Debug, Clone)]
pub struct Common {
    pub(super) names: Vec<u8>,
    token_table: Vec<u8>,
    token_index: Vec<u16>,
    seqs_of_names: Vec<u8>,
    pub(super) encoding: Encoding,
    pub(super) offsets: Vec<i32>,
}

impl Common {
    pub(super) fn new(tables: &Tables) -> Option<Self> {
        let fit = tables.endian == Endian::Little
            && tables.pointer == Width::Bits64
            && tables.lengths == Some(Lengths::ByteOrTwo)
            && tables.name_order == NameOrder::Whole
            && tables.encoding != Encoding::Absolute
            && !tables.seqs_of_names.is_empty();
        fit.then(|| Self {
            names: tables.names.clone(),
            token_table: tables.token_table.clone(),
            token_index: numbers(&tables.token_index, u16::from_le_bytes),
            seqs_of_names: tables.seqs_of_names.clone(),
            encoding: tables.encoding,
            offsets: numbers(&tables.offsets, i32::from_le_bytes),
        })
    }

    /// `kallsyms_num_syms`.
    pub(super) fn len(&self) -> usize {
        self.offsets.len()
    }

    /// `get_symbol_seq`: place in the table by rank of the name.
    pub(super) fn seq(&self, rank: usize) -> usize {
        let bytes = &self.seqs_of_names[3 * rank..3 * rank + 3];
        bytes.iter().fold(0, |seq, &byte| seq << 8 | usize::from(byte))
    }

    /// The tokens of the record at an offset, and the offset behind it.
    pub(super) fn tokens(&self, record: usize) -> (&[u8], usize) {
        let (start, len) = length(&self.names, record);
        (&self.names[start..start + len], start + len)
    }

    /// The bytes from the start of a token on; a NUL ends it.
    pub(super) fn token(&self, token: u8) -> &[u8] {
        &self.token_table[usize::from(self.token_index[usize::from(token)])..]
    }

    /// `kallsyms_expand_symbol`: writes the name and a NUL; returns its bytes and the next record.
    pub(super) fn expand(&self, record: usize, buffer: &mut Buffer) -> (usize, usize) {
        let (tokens, next) = self.tokens(record);
        let (mut len, mut skipped_type) = (0, false);
        'tokens: for &token in tokens {
            for &byte in self.token(token) {
                if byte == 0 {
                    break;
                }
                if !skipped_type {
                    skipped_type = true;
                    continue;
                }
                if len == KSYM_NAME_LEN - 1 {
                    break 'tokens;
                }
                buffer[len] = byte;
                len += 1;
            }
        }
        buffer[len] = 0;
        (len, next)
    }
}

/// Where the tokens of a record begin and how many there are: a length of one byte, or of two.
pub(super) fn length(names: &[u8], record: usize) -> (usize, usize) {
    let first = usize::from(names[record]);
    if first & 0x80 == 0 {
        return (record + 1, first);
    }
    (record + 2, first & 0x7f | usize::from(names[record + 1]) << 7)
}

/// A table of numbers in an array of its own.
pub(super) fn numbers<const N: usize, T>(bytes: &[u8], number: fn([u8; N]) -> T) -> Vec<T> {
    bytes.as_chunks().0.iter().copied().map(number).collect()
}
