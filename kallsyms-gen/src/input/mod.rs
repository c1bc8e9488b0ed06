//! Reads symbols: from an ELF file or a text, told apart by content, or from Linux's own tables.

pub(crate) mod budget;
mod elf;
pub(crate) mod elf_file;
#[cfg(test)]
pub(crate) mod fixture;
mod linux;
mod nm_type;
mod text;

use crate::error::Error;
use crate::linux::Tables;
use crate::symbols::Symbols;
use kallsyms_core::image::layout::MAGIC;

/// What a file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// One of our images, or a reservation for one.
    Image,
    /// An ELF file of any class and byte order.
    Elf,
    /// Everything else is taken for text.
    Text,
}

impl Kind {
    /// Decides by the first bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        if bytes.starts_with(&object::elf::ELFMAG) {
            Self::Elf
        } else if bytes.starts_with(&MAGIC) {
            Self::Image
        } else {
            Self::Text
        }
    }
}

/// Which names are demangled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Demangling {
    /// Those of ELF files, not those of texts.
    #[default]
    Usual,
    /// None.
    Never,
    /// All.
    Always,
}

/// What to take, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Options {
    /// Which names are demangled.
    pub demangling: Demangling,
    /// Of an ELF file not only code, but every symbol with an address or a constant.
    pub all_symbols: bool,
    /// Leaves out `__pfx_` symbols, the padding before functions.
    pub drop_padding: bool,
}

/// The symbols of an input, and what was left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    /// The symbols in table order.
    pub symbols: Symbols,
    /// Symbols that are not among them.
    pub left_out: LeftOut,
}

/// Symbols of an input that could not be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeftOut {
    /// None.
    Nothing,
    /// So many undefined symbols of a text, which have no address.
    Undefined(usize),
    /// An ELF file has been stripped of all but its dynamic symbols.
    Stripped,
}

/// Reads the symbols of an ELF file or a text.
///
/// # Errors
///
/// The input is empty, an image already, damaged, or holds no symbol that is wanted.
pub fn read(bytes: &[u8], options: &Options) -> Result<Input, Error> {
    if bytes.is_empty() {
        return Err(Error::Empty);
    }
    match Kind::of(bytes) {
        Kind::Image => Err(Error::AlreadyImage),
        Kind::Elf => elf::read(bytes, options),
        Kind::Text => text::read(bytes, options),
    }
}

/// The symbols of Linux's tables.
///
/// # Errors
///
/// [`Error::LinuxTables`].
pub fn read_tables(tables: &Tables, options: &Options) -> Result<Input, Error> {
    linux::read(tables, options)
}
