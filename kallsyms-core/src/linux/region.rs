//! Tables in place, by the addresses of their labels.

use super::error::{Error, Part};
use super::format::Width;
use super::numbers::Words;
use crate::endian::Endian;
use crate::num::wide;

/// Memory that holds the tables, as `.rodata` does, and its address: turns labels into slices.
///
/// ```
/// use kallsyms_core::linux::{Encoding, Endian, Error, Kallsyms, NameOrder, Places, Region, Tables, Width};
///
/// /// The symbols of the running kernel, from the addresses of its labels.
/// fn in_place(rodata: &[u8], at: u64, labels: [u64; 8]) -> Result<Kallsyms<'_>, Error> {
///     let region = Region { address: at, bytes: rodata };
///     let [num_syms, names, markers, token_table, token_index, offsets, relative_base, seqs] = labels;
///     let number = |label, width| region.number(label, width, Endian::Little);
///     Kallsyms::new(Tables {
///         num_syms: number(num_syms, Width::Bits32)? as u32,
///         pointer: Width::Bits64,
///         endian: Endian::Little,
///         // From 7.0 on: PcRelative { offsets_address: offsets }.
///         encoding: Encoding::UnsignedBase { relative_base: number(relative_base, Width::Bits64)? },
///         lengths: None,
///         names: region.from(names)?,
///         places: Places::Markers { bytes: region.from(markers)?, width: Width::Bits32 },
///         token_table: region.from(token_table)?,
///         token_index: region.from(token_index)?,
///         offsets: region.from(offsets)?,
///         seqs_of_names: region.from(seqs)?,
///         name_order: NameOrder::Whole,
///     })
/// }
/// assert!(in_place(&[0; 64], 0x1000, [0x1000; 8]).is_err());
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Region<'a> {
    /// Address of the first byte.
    pub address: u64,
    /// The bytes.
    pub bytes: &'a [u8],
}

impl<'a> Region<'a> {
    /// Everything from a label to the end of the region; a table may be followed by other bytes.
    ///
    /// # Errors
    ///
    /// [`Error::LabelOutOfRegion`].
    pub fn from(&self, label: u64) -> Result<&'a [u8], Error> {
        let at = label.checked_sub(self.address).and_then(|at| usize::try_from(at).ok());
        at.and_then(|at| self.bytes.get(at..)).ok_or(Error::LabelOutOfRegion {
            label,
            region: self.address,
            len: self.bytes.len(),
        })
    }

    /// The number at a label: `kallsyms_num_syms`, `kallsyms_relative_base`.
    ///
    /// # Errors
    ///
    /// [`Error::LabelOutOfRegion`], also where the number reaches past the end.
    pub fn number(&self, label: u64, width: Width, endian: Endian) -> Result<u64, Error> {
        let word = Words::new(Part::Offsets, self.from(label)?, endian, 1, width).ok();
        word.and_then(|word| word.get(0)).ok_or(Error::LabelOutOfRegion {
            label: label.saturating_add(wide(width.bytes())),
            region: self.address,
            len: self.bytes.len(),
        })
    }
}
