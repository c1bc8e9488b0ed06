//! The ways to store an address, without the base that belongs to some.

use kallsyms_core::linux::Encoding;
use serde::{Deserialize, Serialize};

/// How the address of a symbol is stored; see [`Encoding`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AddressForm {
    /// The address itself, as wide as a pointer.
    Absolute,
    /// A base plus an unsigned offset of 4 bytes.
    UnsignedBase,
    /// Absolute symbols as they are, others counted from a base: a signed number of 4 bytes.
    SignedPercpu,
    /// A signed distance of 4 bytes from the entry's own place.
    PcRelative,
    /// The address itself, in 4 bytes.
    Offset,
}

impl AddressForm {
    /// Its name in `meta.json` and in messages.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Absolute => "absolute",
            Self::UnsignedBase => "unsigned-base",
            Self::SignedPercpu => "signed-percpu",
            Self::PcRelative => "pc-relative",
            Self::Offset => "offset",
        }
    }
}

impl From<Encoding> for AddressForm {
    fn from(encoding: Encoding) -> Self {
        match encoding {
            Encoding::Absolute => Self::Absolute,
            Encoding::UnsignedBase { .. } => Self::UnsignedBase,
            Encoding::SignedPercpu { .. } => Self::SignedPercpu,
            Encoding::PcRelative { .. } => Self::PcRelative,
            Encoding::Offset => Self::Offset,
        }
    }
}
