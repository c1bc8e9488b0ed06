//! `meta.json`: what the bytes of the tables do not say themselves.

use std::collections::BTreeMap;

use kallsyms_core::linux::{Encoding, Endian, Lengths, NameOrder, Width};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::address_form::AddressForm;
use super::tables::{Facts, Places, Tables};

/// The keys of the file; others are ignored.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Meta {
    #[serde(skip_serializing_if = "Option::is_none")]
    kernel: Option<String>,
    pub(super) num_syms: u32,
    pointer_bits: Bits,
    endianness: Order,
    encoding: AddressForm,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    relative_base: Option<Hex>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    offsets_va: Option<Hex>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    lengths: Option<Scheme>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    marker_elem: Option<Element>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    names_offsets_endianness: Option<Order>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name_order: Option<SortKey>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    kallsyms_all: Option<bool>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    bound_symbols: BTreeMap<String, Hex>,
}

/// A key without which another one means nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Missing(pub(super) &'static str);

impl Meta {
    pub(super) fn of(tables: &Tables) -> Self {
        let (relative_base, offsets_va) = match tables.encoding {
            Encoding::UnsignedBase { relative_base } | Encoding::SignedPercpu { relative_base } => {
                (Some(Hex(relative_base)), None)
            }
            Encoding::PcRelative { offsets_address } => (None, Some(Hex(offsets_address))),
            Encoding::Absolute | Encoding::Offset => (None, None),
        };
        let (marker_elem, names_offsets_endianness) = match tables.places {
            Places::Markers { width, .. } => (Some(width.into()), None),
            Places::Offsets { endian, .. } => (None, Some(endian.into())),
        };
        let bounds = &tables.facts.bounds;
        Self {
            kernel: tables.facts.kernel.clone(),
            num_syms: tables.num_syms,
            pointer_bits: tables.pointer.into(),
            endianness: tables.endian.into(),
            encoding: tables.encoding.into(),
            relative_base,
            offsets_va,
            lengths: tables.lengths.map(Into::into),
            marker_elem,
            names_offsets_endianness,
            name_order: (!tables.seqs_of_names.is_empty()).then(|| tables.name_order.into()),
            kallsyms_all: tables.facts.kallsyms_all,
            bound_symbols: bounds.iter().map(|(name, address)| (name.clone(), Hex(*address))).collect(),
        }
    }

    pub(super) fn pointer(&self) -> Width {
        self.pointer_bits.into()
    }

    pub(super) fn endian(&self) -> Endian {
        self.endianness.into()
    }

    pub(super) fn lengths(&self) -> Option<Lengths> {
        self.lengths.map(Into::into)
    }

    pub(super) fn marker_width(&self) -> Option<Width> {
        self.marker_elem.map(Into::into)
    }

    pub(super) fn names_offsets_endian(&self) -> Result<Endian, Missing> {
        self.names_offsets_endianness.map(Into::into).ok_or(Missing("names_offsets_endianness"))
    }

    /// Almost every kernel's order where none is stated.
    pub(super) fn name_order(&self) -> NameOrder {
        self.name_order.map_or(NameOrder::Whole, Into::into)
    }

    pub(super) fn encoding(&self) -> Result<Encoding, Missing> {
        let relative_base = || self.relative_base.map(|Hex(base)| base).ok_or(Missing("relative_base"));
        Ok(match self.encoding {
            AddressForm::Absolute => Encoding::Absolute,
            AddressForm::Offset => Encoding::Offset,
            AddressForm::UnsignedBase => Encoding::UnsignedBase { relative_base: relative_base()? },
            AddressForm::SignedPercpu => Encoding::SignedPercpu { relative_base: relative_base()? },
            AddressForm::PcRelative => {
                let Hex(offsets_address) = self.offsets_va.ok_or(Missing("offsets_va"))?;
                Encoding::PcRelative { offsets_address }
            }
        })
    }

    pub(super) fn into_facts(self) -> Facts {
        let bounds = self.bound_symbols.into_iter().map(|(name, Hex(address))| (name, address)).collect();
        Facts { kernel: self.kernel, kallsyms_all: self.kallsyms_all, bounds }
    }
}

/// A type of the file that stands for one of the core's.
macro_rules! stands_for {
    ($(#[$attribute:meta])* $name:ident for $core:ident { $($here:ident = $there:ident as $text:literal),+ }) => {
        #[derive(Debug, Clone, Copy, Serialize, Deserialize)]
        $(#[$attribute])*
        enum $name {
            $(#[serde(rename = $text)] $here,)+
        }

        impl From<$core> for $name {
            fn from(value: $core) -> Self {
                match value {
                    $($core::$there => Self::$here,)+
                }
            }
        }

        impl From<$name> for $core {
            fn from(value: $name) -> Self {
                match value {
                    $($name::$here => Self::$there,)+
                }
            }
        }
    };
}

stands_for!(Order for Endian { Little = Little as "little", Big = Big as "big" });
stands_for!(Scheme for Lengths { Byte = Byte as "byte", ByteOrTwo = ByteOrTwo as "byte-or-two" });
stands_for!(SortKey for NameOrder { Whole = Whole as "whole", WithoutLlvm = WithoutLlvm as "without-llvm" });
stands_for!(Element for Width { U32 = Bits32 as "u32", U64 = Bits64 as "u64" });
stands_for!(
    #[serde(try_from = "u32", into = "u32")]
    Bits for Width { Bits32 = Bits32 as "32", Bits64 = Bits64 as "64" }
);

impl TryFrom<u32> for Bits {
    type Error = String;

    fn try_from(bits: u32) -> Result<Self, String> {
        match bits {
            32 => Ok(Self::Bits32),
            64 => Ok(Self::Bits64),
            other => Err(format!("pointer_bits is 32 or 64, not {other}")),
        }
    }
}

impl From<Bits> for u32 {
    fn from(bits: Bits) -> Self {
        match bits {
            Bits::Bits32 => 32,
            Bits::Bits64 => 64,
        }
    }
}

/// An address: a string of hexadecimal digits after `0x`.
#[derive(Debug, Clone, Copy)]
struct Hex(u64);

impl Serialize for Hex {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{:#x}", self.0))
    }
}

impl<'de> Deserialize<'de> for Hex {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let digits = text.strip_prefix("0x").filter(|digits| !digits.starts_with('+'));
        let value = digits.and_then(|digits| u64::from_str_radix(digits, 16).ok());
        value.map(Self).ok_or_else(|| D::Error::custom(format!("expected \"0x…\", found {text:?}")))
    }
}
