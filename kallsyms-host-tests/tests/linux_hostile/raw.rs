//! Tables as bytes that may be anything.

use kallsyms_core::linux::{Encoding, Endian, Lengths, NameOrder, Places, Tables, Width};

#[derive(Clone, Debug)]
pub(crate) struct RawTables {
    pub(crate) num_syms: u32,
    pub(crate) pointer: Width,
    pub(crate) endian: Endian,
    pub(crate) encoding: Encoding,
    pub(crate) lengths: Option<Lengths>,
    pub(crate) names: Vec<u8>,
    pub(crate) markers: Option<(Vec<u8>, Width)>,
    /// Where every name begins; read where there are no markers.
    pub(crate) name_offsets: (Vec<u8>, Endian),
    pub(crate) token_table: Vec<u8>,
    pub(crate) token_index: Vec<u8>,
    pub(crate) offsets: Vec<u8>,
    pub(crate) seqs_of_names: Vec<u8>,
    pub(crate) name_order: NameOrder,
}

impl RawTables {
    pub(crate) fn view(&self) -> Tables<'_> {
        Tables {
            num_syms: self.num_syms,
            pointer: self.pointer,
            endian: self.endian,
            encoding: self.encoding,
            lengths: self.lengths,
            names: &self.names,
            places: match &self.markers {
                Some((bytes, width)) => Places::Markers { bytes, width: *width },
                None => Places::Offsets { bytes: &self.name_offsets.0, endian: self.name_offsets.1 },
            },
            token_table: &self.token_table,
            token_index: &self.token_index,
            offsets: &self.offsets,
            seqs_of_names: &self.seqs_of_names,
            name_order: self.name_order,
        }
    }
}

/// The low bytes of a number.
pub(crate) fn to_bytes(endian: Endian, number: u64, len: usize) -> Vec<u8> {
    match endian {
        Endian::Little => number.to_le_bytes()[..len].to_vec(),
        Endian::Big => number.to_be_bytes()[8 - len..].to_vec(),
    }
}

pub(crate) fn from_bytes(endian: Endian, bytes: &[u8]) -> u64 {
    let append = |number: u64, byte: &u8| number << 8 | u64::from(*byte);
    match endian {
        Endian::Little => bytes.iter().rev().fold(0, append),
        Endian::Big => bytes.iter().fold(0, append),
    }
}
