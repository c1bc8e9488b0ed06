//! The options of `kallsyms build` for Linux's tables.

use clap::{Args, ValueEnum};
use kallsyms_core::linux::{Endian, Lengths, NameOrder, Width};
use kallsyms_gen::linux::AddressForm;
use kallsyms_gen::linux::write::{Options, PlaceForm};

use crate::address::Hexadecimal;

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TableLayout {
    /// An image of this project
    Native,
    /// The tables that Linux embeds, as a folder
    Linux,
    /// The same with the place of every name (the kallsyms_names_offsets proposed in 2026) for markers
    LinuxOffsets,
}

/// Heading of the options that mean something for Linux's tables alone.
const LINUX: &str = "Linux's tables";

/// What a kernel's release and configuration decide; by default as x86-64 has it from 6.2 to 6.14.
#[derive(Debug, Args)]
pub(crate) struct LinuxArgs {
    /// How addresses are stored [default: signed-percpu]
    #[arg(long, help_heading = LINUX, value_enum)]
    encoding: Option<Addresses>,
    /// Address of kallsyms_offsets, for pc-relative [default: the middle of the symbols]
    #[arg(long, help_heading = LINUX)]
    offsets_address: Option<Hexadecimal>,
    /// Byte order [default: little]
    #[arg(long, help_heading = LINUX, value_enum)]
    endian: Option<ByteOrder>,
    /// Bits of a pointer [default: 64; 32 where the input has addresses of 8 digits]
    #[arg(long, help_heading = LINUX, value_enum)]
    pointer_bits: Option<Bits>,
    /// How the lengths of names are stored [default: byte-or-two]
    #[arg(long, help_heading = LINUX, value_enum)]
    lengths: Option<LengthScheme>,
    /// Bits of a marker, for --layout linux [default: 32]
    #[arg(long, help_heading = LINUX, value_enum)]
    marker_bits: Option<Bits>,
    /// Byte order of names_offsets, for --layout linux-offsets [default: that of --endian]
    #[arg(long, help_heading = LINUX, value_enum)]
    names_offsets_endian: Option<ByteOrder>,
    /// What seqs_of_names is sorted by [default: whole]
    #[arg(long, help_heading = LINUX, value_enum)]
    name_order: Option<SortKey>,
    /// Leave out seqs_of_names, as before 6.2
    #[arg(long, help_heading = LINUX, conflicts_with = "name_order")]
    no_seqs: bool,
}

impl LinuxArgs {
    /// Whether one was given.
    pub(crate) fn any(&self) -> bool {
        let Self { encoding, offsets_address, endian, pointer_bits, lengths, .. } = self;
        let Self { marker_bits, names_offsets_endian, name_order, no_seqs, .. } = self;
        encoding.is_some()
            || offsets_address.is_some()
            || endian.is_some()
            || pointer_bits.is_some()
            || lengths.is_some()
            || marker_bits.is_some()
            || names_offsets_endian.is_some()
            || name_order.is_some()
            || *no_seqs
    }

    /// What is wrong with an option that would change nothing.
    pub(crate) fn useless(&self, layout: TableLayout) -> Option<&'static str> {
        let offsets = layout == TableLayout::LinuxOffsets;
        if offsets && self.marker_bits.is_some() {
            Some("--marker-bits needs --layout linux: names_offsets take the place of the markers")
        } else if !offsets && self.names_offsets_endian.is_some() {
            Some("--names-offsets-endian needs --layout linux-offsets")
        } else if self.offsets_address.is_some() && self.encoding != Some(Addresses::PcRelative) {
            Some("--offsets-address needs --encoding pc-relative: no other counts from there")
        } else {
            None
        }
    }

    /// For symbols whose addresses have so many hexadecimal digits.
    pub(crate) fn options(&self, layout: TableLayout, digits: u8) -> Options {
        let default = Options::default();
        let endian = self.endian.map_or(default.endian, Into::into);
        let by_digits = if digits == 8 { Width::Bits32 } else { Width::Bits64 };
        let places = if layout == TableLayout::LinuxOffsets {
            PlaceForm::Offsets(self.names_offsets_endian.map_or(endian, Into::into))
        } else {
            PlaceForm::Markers(self.marker_bits.map_or(Width::Bits32, Into::into))
        };
        let name_order = self.name_order.map_or(NameOrder::Whole, Into::into);
        Options {
            pointer: self.pointer_bits.map_or(by_digits, Into::into),
            endian,
            addresses: self.encoding.map_or(default.addresses, Into::into),
            offsets_address: self.offsets_address.map(|Hexadecimal(address)| address),
            lengths: self.lengths.map_or(default.lengths, Into::into),
            places,
            seqs_of_names: (!self.no_seqs).then_some(name_order),
        }
    }
}

/// A value of the command line that stands for one of the library's.
macro_rules! stands_for {
    ($name:ident for $library:ident { $($(#[$attribute:meta])* $here:ident = $there:ident),+ $(,)? }) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
        enum $name {
            $($(#[$attribute])* $here,)+
        }

        impl From<$name> for $library {
            fn from(value: $name) -> Self {
                match value {
                    $($name::$here => Self::$there,)+
                }
            }
        }
    };
}

stands_for!(Addresses for AddressForm {
    /// Each address, as wide as a pointer
    Absolute = Absolute,
    /// Unsigned distances of 4 bytes from the lowest address
    UnsignedBase = UnsignedBase,
    /// Low absolute symbols as they are, others as distances from the lowest of them
    SignedPercpu = SignedPercpu,
    /// Signed distances of 4 bytes from the entry's own place, as from 7.0 on
    PcRelative = PcRelative,
    /// Each address in 4 bytes
    Offset = Offset,
});
stands_for!(ByteOrder for Endian { Little = Little, Big = Big });
stands_for!(Bits for Width {
    #[value(name = "32")]
    Bits32 = Bits32,
    #[value(name = "64")]
    Bits64 = Bits64,
});
stands_for!(LengthScheme for Lengths {
    /// One byte, as up to 6.0
    Byte = Byte,
    /// One byte, or two for more than 127 tokens
    ByteOrTwo = ByteOrTwo,
});
stands_for!(SortKey for NameOrder {
    /// The whole name
    Whole = Whole,
    /// The name up to .llvm., as before 6.11 with Clang's LTO
    WithoutLlvm = WithoutLlvm,
});
