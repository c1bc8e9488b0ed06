//! The type letter that `nm` prints for an ELF symbol.

use object::elf::{SHF_EXECINSTR, SHF_WRITE, SHT_NOBITS, STB_GNU_UNIQUE, STB_LOCAL, STB_WEAK};
use object::elf::{STT_GNU_IFUNC, STT_OBJECT};

use super::elf_file::{ElfSymbol, Section};

/// The letter of a defined symbol; `None` as its section makes it absolute.
pub(crate) fn nm_type(symbol: &ElfSymbol<'_>, section: Option<&Section<'_>>) -> u8 {
    if symbol.kind == STT_GNU_IFUNC {
        return b'i';
    }
    if symbol.bind == STB_WEAK {
        return if symbol.kind == STT_OBJECT { b'V' } else { b'W' };
    }
    if symbol.bind == STB_GNU_UNIQUE {
        return b'u';
    }
    let letter = match section {
        None => b'a',
        Some(section) if section.flags.contains(SHF_EXECINSTR) => b't',
        Some(section) if section.kind == SHT_NOBITS => b'b',
        Some(section) if section.flags.contains(SHF_WRITE) => b'd',
        Some(_) => b'r',
    };
    if symbol.bind == STB_LOCAL { letter } else { letter.to_ascii_uppercase() }
}
