//! One variant for every way in which an input cannot be read or an image cannot be placed.

use crate::embed::listed;

/// Why the generator gave up.
///
/// The messages name the line or the offset; the caller, who knows it, adds the file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The input has no byte.
    #[error("the file is empty: give an ELF file, or text as `nm` or /proc/kallsyms prints it")]
    Empty,
    /// An image was given where symbols are read.
    #[error("this is an image already: give the ELF file or the text that it is to be made from")]
    AlreadyImage,
    /// A line of a text is not a symbol.
    #[error("line {line}: expected {expected}, found `{found}`")]
    Line {
        /// Number of the line, from 1.
        line: u64,
        /// What should stand there.
        expected: &'static str,
        /// The start of the line, made printable.
        found: String,
    },
    /// A name has more bytes than an image can hold.
    #[error(
        "{place}: a name of {len} bytes, at most {} are possible",
        kallsyms_core::image::layout::MAX_NAME
    )]
    NameTooLong {
        /// Where it stands.
        place: Place,
        /// Its bytes.
        len: usize,
    },
    /// The names of a file have more bytes than a sound file of its size comes near.
    #[error(
        "{place}: the names up to here have {bytes} bytes, at most {most} are read from a file of this size"
    )]
    NamesTooLong {
        /// Where the first name stands that is not read.
        place: Place,
        /// Bytes of the names, demangled where they are read so, this one among them.
        bytes: usize,
        /// How many there may be.
        most: usize,
    },
    /// A name that a listing cannot hold.
    #[error(
        "{place}: the name `{name}` holds a line feed, or a tab and `[`, which end a name in a listing: \
         rename it (objcopy --redefine-sym)"
    )]
    NameUnprintable {
        /// Where its symbol stands.
        place: Place,
        /// The name, escaped.
        name: String,
    },
    /// Every address of a text is zero.
    #[error(
        "all {symbols} addresses are zero: the kernel hides them (kptr_restrict). Read the file as root, \
         with `sysctl kernel.kptr_restrict=1` or lower, or give System.map or the kernel's ELF file"
    )]
    Hidden {
        /// Symbols in the text.
        symbols: usize,
    },
    /// A text without one symbol that has an address.
    #[error("no symbol with an address in the text ({undefined} undefined ones were left out)")]
    NoTextSymbols {
        /// Lines of undefined symbols.
        undefined: usize,
    },
    /// An ELF file without one symbol that was asked for.
    #[error("no {wanted} in the ELF file, {hint}")]
    NoElfSymbols {
        /// What was looked for.
        wanted: &'static str,
        /// What to do.
        hint: &'static str,
    },
    /// More symbols than an image can count.
    #[error("{symbols} symbols, at most {} are possible", u32::MAX)]
    TooManySymbols {
        /// Symbols of the input.
        symbols: usize,
    },
    /// A part of an ELF file lies past its end.
    #[error(
        "truncated ELF file: {part} at offset {offset:#x} has {size:#x} bytes, the file ends at {len:#x}; \
         link or copy it again"
    )]
    ElfTruncated {
        /// The part.
        part: &'static str,
        /// Its offset in the file.
        offset: u64,
        /// Its bytes.
        size: u64,
        /// Bytes of the file.
        len: u64,
    },
    /// A part of an ELF file contradicts itself.
    #[error("damaged ELF file: {part} at offset {offset:#x}: {reason}; link or copy it again")]
    ElfMalformed {
        /// The part.
        part: &'static str,
        /// Its offset in the file.
        offset: u64,
        /// What is wrong.
        reason: String,
    },
    /// An object file before the link.
    #[error("a relocatable object file has no addresses yet: give the linked ELF file")]
    ElfRelocatable,
    /// No reservation for an image in an ELF file.
    #[error(
        "no object symbol begins with the table's magic: add \
         `static TABLE: kallsyms_core::Reserved<{{256 * 1024}}> = kallsyms_core::Reserved::new();` and use it, \
         and do not strip before embedding"
    )]
    NoReservation,
    /// The reservation is found by its symbol, and there are none.
    #[error("the file was stripped: embed before stripping (Cargo: `strip = \"none\"`)")]
    Stripped,
    /// The symbol that was asked for does not begin as a reservation does, or is not there.
    #[error("symbol `{symbol}` {fault}")]
    NotAReservation {
        /// The name that was asked for.
        symbol: String,
        /// Why not.
        fault: &'static str,
    },
    /// More than one place could take the image.
    #[error("several reservations: {}; choose one with --symbol", listed(symbols))]
    ManyReservations {
        /// Their names.
        symbols: Vec<String>,
    },
    /// The image does not fit the reservation.
    #[error(
        "the table needs {needed} bytes, `{symbol}` reserves {reserved}: \
         make it `Reserved<{{{} * 1024}}>`", needed.div_ceil(1024)
    )]
    ReservationTooSmall {
        /// Bytes of the image.
        needed: usize,
        /// Bytes of the reservation.
        reserved: usize,
        /// Name of the reservation.
        symbol: String,
    },
    /// The text only says where the symbols are.
    #[error(
        "a System.map that holds no symbols, only the name of a package that has them: give the kernel itself \
         (vmlinuz), whose tables are read as well"
    )]
    SystemMapStub,
    /// Linux's tables contradict themselves.
    #[error("Linux's tables are not sound (extract them again, or correct meta.json)")]
    LinuxTables(#[from] kallsyms_core::linux::Error),
    /// An object file could not be put together.
    #[error("the object file cannot be written: {reason}")]
    ObjectFile {
        /// What the writer says.
        reason: String,
    },
}

/// A place in an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// A line of a text, from 1.
    Line(u64),
    /// An offset in a file.
    Offset(u64),
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Line(line) => write!(f, "line {line}"),
            Self::Offset(offset) => write!(f, "offset {offset:#x}"),
        }
    }
}
