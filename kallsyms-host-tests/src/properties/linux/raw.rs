//! Tables as bytes that may be anything.

use kallsyms_core::linux::{Encoding, Endian, Lengths, NameOrder, Places, Tables, Width};
use kallsyms_gen::linux as written;

/// The parts of Linux's tables, none of them checked.
#[derive(Clone, Debug)]
pub struct RawTables {
    /// Number of symbols.
    pub num_syms: u32,
    /// Bytes of a pointer.
    pub pointer: Width,
    /// Byte order of most tables.
    pub endian: Endian,
    /// How addresses are stored.
    pub encoding: Encoding,
    /// How lengths are stored, where that is said.
    pub lengths: Option<Lengths>,
    /// A record a symbol.
    pub names: Vec<u8>,
    /// Where every 256th name begins.
    pub markers: Option<(Vec<u8>, Width)>,
    /// Where every name begins; read where there are no markers.
    pub name_offsets: (Vec<u8>, Endian),
    /// 256 strings.
    pub token_table: Vec<u8>,
    /// Where they begin.
    pub token_index: Vec<u8>,
    /// The addresses.
    pub offsets: Vec<u8>,
    /// The symbols in the order of their names; may be empty.
    pub seqs_of_names: Vec<u8>,
    /// What that order is of.
    pub name_order: NameOrder,
}

impl RawTables {
    /// The parts that lie in bytes of their own, to be changed.
    pub fn parts_mut(&mut self) -> [&mut Vec<u8>; 6] {
        let places = match &mut self.markers {
            Some((markers, _)) => markers,
            None => &mut self.name_offsets.0,
        };
        [
            &mut self.names,
            places,
            &mut self.token_table,
            &mut self.token_index,
            &mut self.offsets,
            &mut self.seqs_of_names,
        ]
    }

    /// As the core reads them.
    #[must_use]
    pub fn view(&self) -> Tables<'_> {
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

impl From<written::Tables> for RawTables {
    fn from(tables: written::Tables) -> Self {
        let (markers, name_offsets) = match tables.places {
            written::Places::Markers { bytes, width } => (Some((bytes, width)), (Vec::new(), Endian::Little)),
            written::Places::Offsets { bytes, endian } => (None, (bytes, endian)),
        };
        Self {
            num_syms: tables.num_syms,
            pointer: tables.pointer,
            endian: tables.endian,
            encoding: tables.encoding,
            lengths: tables.lengths,
            names: tables.names,
            markers,
            name_offsets,
            token_table: tables.token_table,
            token_index: tables.token_index,
            offsets: tables.offsets,
            seqs_of_names: tables.seqs_of_names,
            name_order: tables.name_order,
        }
    }
}

/// The low bytes of a number.
pub(super) fn to_bytes(endian: Endian, number: u64, len: usize) -> Vec<u8> {
    match endian {
        Endian::Little => number.to_le_bytes()[..len].to_vec(),
        Endian::Big => number.to_be_bytes()[8 - len..].to_vec(),
    }
}

pub(super) fn from_bytes(endian: Endian, bytes: &[u8]) -> u64 {
    let append = |number: u64, byte: &u8| number << 8 | u64::from(*byte);
    match endian {
        Endian::Little => bytes.iter().rev().fold(0, append),
        Endian::Big => bytes.iter().fold(0, append),
    }
}
