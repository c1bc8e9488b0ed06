//! What can be wrong with a line, and where.

use core::fmt;

/// A line that is not as the kernel prints it, or a listing that tells no addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Error {
    /// The line, from 1.
    pub line: u64,
    /// Where the fault is: bytes from the start of the text.
    pub offset: u64,
    /// What is wrong.
    pub fault: Fault,
}

/// What is wrong with a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Fault {
    /// The line has no bytes.
    Blank,
    /// The line does not begin with an address.
    NoAddress {
        /// What it begins with.
        found: u8,
    },
    /// The address has another number of digits than a kernel prints.
    AddressDigits {
        /// Digits that there are.
        digits: usize,
    },
    /// The line ends where more has to come.
    Ended {
        /// The last thing that is there.
        after: Part,
    },
    /// Something else than a space stands behind the address or the type.
    NoSpace {
        /// What the space is missing behind.
        after: Part,
        /// What stands there.
        found: u8,
    },
    /// The type is neither a letter nor `?`.
    Type {
        /// What stands in its place.
        found: u8,
    },
    /// The name has no bytes.
    NoName,
    /// The module is not `[NAME]` up to the end of the line.
    Module,
    /// A control character in a name or a module.
    Control {
        /// The character.
        found: u8,
    },
    /// A line that lies across chunks is longer than the carry buffer of the stream.
    LineTooLong {
        /// Bytes that the buffer has.
        capacity: usize,
    },
    /// Not a line's fault: every address of the listing is zero, because the kernel hides them.
    Hidden {
        /// Symbols of the listing, or of it as far as was read.
        symbols: u64,
    },
}

/// A part of a line, for [`Fault::Ended`] and [`Fault::NoSpace`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Part {
    /// The address.
    Address,
    /// The type letter.
    Type,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Fault::Hidden { symbols } = self.fault {
            return write!(
                f,
                "all {symbols} addresses are zero: the kernel hides them (read as root, or set kernel.kptr_restrict)"
            );
        }
        write!(f, "line {}, byte {:#x} of the text: {}", self.line, self.offset, self.fault)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Blank => f.write_str("a blank line"),
            Self::NoAddress { found } => write!(f, "{} in place of an address", Byte(found)),
            Self::AddressDigits { digits } => {
                write!(f, "an address of {digits} digits, as no kernel prints it")
            }
            Self::Ended { after } => write!(f, "nothing behind {after}"),
            Self::NoSpace { after, found } => {
                write!(f, "{} in place of the space behind {after}", Byte(found))
            }
            Self::Type { found } => write!(f, "{} in place of a type letter", Byte(found)),
            Self::NoName => f.write_str("no name"),
            Self::Module => f.write_str("what stands behind the name is not [MODULE] to the end of the line"),
            Self::Control { found: b'\r' } => {
                f.write_str("a carriage return: the line ends must be LF alone")
            }
            Self::Control { found } => write!(f, "control character {found:#04x} in a name"),
            Self::LineTooLong { capacity } => {
                write!(f, "the line does not fit in the {capacity} bytes to carry it to the next chunk")
            }
            Self::Hidden { symbols } => write!(f, "all {symbols} addresses are zero"),
        }
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Address => "the address",
            Self::Type => "the type",
        })
    }
}

impl core::error::Error for Error {}

/// A byte for a message.
struct Byte(u8);

impl fmt::Display for Byte {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            byte @ 0x21..=0x7e => write!(f, "`{}`", char::from(byte)),
            b' ' => f.write_str("a space"),
            b'\t' => f.write_str("a tab"),
            byte => write!(f, "byte {byte:#04x}"),
        }
    }
}
