//! How tables are written.

use kallsyms_core::linux::{Endian, Lengths, NameOrder, Width};

use crate::linux::AddressForm;

/// What leads to the record of a symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlaceForm {
    /// `kallsyms_markers`, each of this width.
    Markers(Width),
    /// `kallsyms_names_offsets` in this byte order.
    Offsets(Endian),
}

/// What a kernel's release and configuration decide about its tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// Bytes of a pointer.
    pub pointer: Width,
    /// Byte order of everything but `seqs_of_names` and `kallsyms_names_offsets`.
    pub endian: Endian,
    /// How addresses are stored.
    pub addresses: AddressForm,
    /// Address of `kallsyms_offsets` for [`AddressForm::PcRelative`]; without it the middle of the symbols,
    /// which reaches furthest.
    pub offsets_address: Option<u64>,
    /// How lengths are stored.
    pub lengths: Lengths,
    /// What leads to the record of a symbol.
    pub places: PlaceForm,
    /// What `seqs_of_names` is sorted by; `None` leaves it out.
    pub seqs_of_names: Option<NameOrder>,
}

impl Options {
    /// As x86-64 kernels have them from 6.2 to 6.14.
    pub const LINUX_6_12: Self = Self {
        pointer: Width::Bits64,
        endian: Endian::Little,
        addresses: AddressForm::SignedPercpu,
        offsets_address: None,
        lengths: Lengths::ByteOrTwo,
        places: PlaceForm::Markers(Width::Bits32),
        seqs_of_names: Some(NameOrder::Whole),
    };

    /// As 64-bit kernels have them from 7.0 on.
    pub const LINUX_7_0: Self = Self { addresses: AddressForm::PcRelative, ..Self::LINUX_6_12 };
}

impl Default for Options {
    /// [`Options::LINUX_6_12`]: it holds absolute symbols at low addresses beside code at high ones.
    fn default() -> Self {
        Self::LINUX_6_12
    }
}
