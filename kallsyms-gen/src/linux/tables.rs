//! The tables as owned bytes.

use std::collections::BTreeMap;

use kallsyms_core::linux::{self, Bounds, Encoding, Endian, Kallsyms, Lengths, NameOrder, Width};

/// What leads to the record of a symbol; the owned form of [`linux::Places`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Places {
    /// `kallsyms_markers`: the offset of every 256th record.
    Markers {
        /// The markers.
        bytes: Vec<u8>,
        /// Bytes of each.
        width: Width,
    },
    /// `kallsyms_names_offsets`: the offset of each record in 3 bytes.
    Offsets {
        /// The offsets.
        bytes: Vec<u8>,
        /// Their byte order.
        endian: Endian,
    },
}

impl Places {
    /// The same, borrowed.
    #[must_use]
    pub fn view(&self) -> linux::Places<'_> {
        match self {
            Self::Markers { bytes, width } => linux::Places::Markers { bytes, width: *width },
            Self::Offsets { bytes, endian } => linux::Places::Offsets { bytes, endian: *endian },
        }
    }

    /// Bytes of the table.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        match self {
            Self::Markers { bytes, .. } | Self::Offsets { bytes, .. } => bytes,
        }
    }
}

/// What is known about the kernel besides its tables.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Facts {
    /// Its release, as `uname -r` tells it.
    pub kernel: Option<String>,
    /// Whether it was built with `CONFIG_KALLSYMS_ALL`.
    pub kallsyms_all: Option<bool>,
    /// Addresses of symbols that bound its sections, as `_stext` and `_end`, in the table or not.
    pub bounds: BTreeMap<String, u64>,
}

impl Facts {
    /// The gate that they make: without `KALLSYMS_ALL` the kernel's end counts for nothing.
    fn bounds(&self) -> Option<Bounds> {
        let counts = |name| name != "_end" || self.kallsyms_all != Some(false);
        Bounds::find(|name| self.bounds.get(name).filter(|_| counts(name)).copied())
    }
}

/// The tables of a kernel, unchecked; the owned form of [`linux::Tables`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tables {
    /// Number of symbols.
    pub num_syms: u32,
    /// Bytes of a pointer.
    pub pointer: Width,
    /// Byte order of everything but `seqs_of_names` and `kallsyms_names_offsets`.
    pub endian: Endian,
    /// How `offsets` tells the addresses.
    pub encoding: Encoding,
    /// How lengths are stored; `None` has the check of the whole table decide.
    pub lengths: Option<Lengths>,
    /// A record a symbol.
    pub names: Vec<u8>,
    /// Where in `names` a symbol is found.
    pub places: Places,
    /// 256 strings, each closed by a NUL.
    pub token_table: Vec<u8>,
    /// 256 offsets of 2 bytes in `token_table`.
    pub token_index: Vec<u8>,
    /// `kallsyms_offsets`, or `kallsyms_addresses`.
    pub offsets: Vec<u8>,
    /// Table index by name rank; empty where the kernel has none.
    pub seqs_of_names: Vec<u8>,
    /// What `seqs_of_names` is sorted by.
    pub name_order: NameOrder,
    /// What else is known.
    pub facts: Facts,
}

impl Tables {
    /// Bytes of all tables.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "tables without a symbol are not sound")]
    pub fn len(&self) -> usize {
        let names = self.names.len() + self.places.bytes().len() + self.seqs_of_names.len();
        names + self.token_table.len() + self.token_index.len() + self.offsets.len()
    }

    /// Checks them as a whole and opens them; the bounds come from the symbols, else from the [`Facts`].
    ///
    /// # Errors
    ///
    /// One variant a fault.
    pub fn kallsyms(&self) -> Result<Kallsyms<'_>, linux::Error> {
        let kallsyms = Kallsyms::new(self.view())?;
        let bounds = kallsyms.bounds().or_else(|| self.facts.bounds());
        Ok(kallsyms.with_bounds(bounds))
    }

    /// The same, borrowed, as the core reads them.
    #[must_use]
    pub fn view(&self) -> linux::Tables<'_> {
        linux::Tables {
            num_syms: self.num_syms,
            pointer: self.pointer,
            endian: self.endian,
            encoding: self.encoding,
            lengths: self.lengths,
            names: &self.names,
            places: self.places.view(),
            token_table: &self.token_table,
            token_index: &self.token_index,
            offsets: &self.offsets,
            seqs_of_names: &self.seqs_of_names,
            name_order: self.name_order,
        }
    }
}
