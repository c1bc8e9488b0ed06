//! The parts of an ELF file that the generator needs, checked, for both classes and both byte orders.

use object::elf::{self, FileHeader32, FileHeader64, SectionFlags, SectionType, SymbolBind, SymbolType};
use object::read::elf::{FileHeader, SectionHeader, SectionTable, Sym, SymbolTable};
use object::{Endianness, SymbolIndex};

use super::budget::NameBudget;
use crate::error::{Error, Place};

/// A section.
#[derive(Debug, Clone)]
pub(crate) struct Section<'d> {
    pub(crate) name: &'d [u8],
    pub(crate) kind: SectionType,
    pub(crate) flags: SectionFlags,
    pub(crate) address: u64,
    pub(crate) size: u64,
    /// Offset of its bytes in the file.
    pub(crate) offset: u64,
}

/// Where a symbol is defined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Home {
    /// In the section of this index.
    Section(usize),
    /// Its value is a constant.
    Absolute,
    /// Undefined, or common and not allocated yet.
    Nowhere,
}

/// A symbol.
#[derive(Debug, Clone)]
pub(crate) struct ElfSymbol<'d> {
    pub(crate) name: &'d [u8],
    pub(crate) value: u64,
    pub(crate) size: u64,
    pub(crate) kind: SymbolType,
    pub(crate) bind: SymbolBind,
    pub(crate) home: Home,
    /// Offset of its entry in the file.
    pub(crate) offset: u64,
}

/// An ELF file.
#[derive(Debug)]
pub(crate) struct ElfFile<'d> {
    pub(crate) is_64: bool,
    pub(crate) is_relocatable: bool,
    pub(crate) sections: Vec<Section<'d>>,
    /// Of the symbol table, or of the dynamic one where there is no other; `None` without either.
    pub(crate) symbols: Option<Vec<ElfSymbol<'d>>>,
    /// Whether there is no symbol table but perhaps the dynamic one.
    pub(crate) is_stripped: bool,
    pub(crate) build_id: &'d [u8],
}

impl<'d> ElfFile<'d> {
    pub(crate) fn parse(data: &'d [u8]) -> Result<Self, Error> {
        const CLASS_BYTE: usize = 4;
        let class = data.get(CLASS_BYTE).copied();
        if class == Some(elf::ELFCLASS32.0) {
            parse::<FileHeader32<Endianness>>(data)
        } else {
            parse::<FileHeader64<Endianness>>(data)
        }
    }

    /// The section that a symbol is defined in.
    pub(crate) fn home(&self, symbol: &ElfSymbol<'_>) -> Option<&Section<'d>> {
        match symbol.home {
            Home::Section(index) => self.sections.get(index),
            Home::Absolute | Home::Nowhere => None,
        }
    }
}

fn parse<'d, Elf: FileHeader<Endian = Endianness>>(data: &'d [u8]) -> Result<ElfFile<'d>, Error> {
    const HEADER: &str = "the file header";
    within(data, HEADER, 0, size_of::<Elf>() as u64)?;
    let header = Elf::parse(data).map_err(|error| malformed(HEADER, 0, error))?;
    let endian = header.endian().map_err(|error| malformed(HEADER, 0, error))?;
    let table = sections::<Elf>(header, endian, data)?;
    let mut sections = Vec::with_capacity(table.len());
    for section in table.iter() {
        sections.push(Section {
            name: table.section_name(endian, section).unwrap_or_default(),
            kind: section.sh_type(endian),
            flags: section.sh_flags(endian),
            address: section.sh_addr(endian).into(),
            size: section.sh_size(endian).into(),
            offset: section.sh_offset(endian).into(),
        });
    }
    Ok(ElfFile {
        is_64: header.is_type_64(),
        is_relocatable: header.e_type(endian) == elf::ET_REL,
        symbols: symbols::<Elf>(header, endian, data, &table, &sections)?,
        is_stripped: sections.iter().all(|section| section.kind != elf::SHT_SYMTAB),
        build_id: build_id::<Elf>(endian, data, &table).unwrap_or_default(),
        sections,
    })
}

fn sections<'d, Elf: FileHeader<Endian = Endianness>>(
    header: &Elf,
    endian: Endianness,
    data: &'d [u8],
) -> Result<SectionTable<'d, Elf>, Error> {
    const TABLE: &str = "the section header table";
    let offset: u64 = header.e_shoff(endian).into();
    if offset == 0 {
        return Ok(SectionTable::default());
    }
    let entry = u64::from(header.e_shentsize(endian));
    within(data, TABLE, offset, entry)?;
    let count = header.shnum(endian, data).map_err(|error| malformed(TABLE, offset, error))?;
    within(data, TABLE, offset, entry * u64::from(count))?;
    header.sections(endian, data).map_err(|error| malformed(TABLE, offset, error))
}

fn symbols<'d, Elf: FileHeader<Endian = Endianness>>(
    header: &Elf,
    endian: Endianness,
    data: &'d [u8],
    table: &SectionTable<'d, Elf>,
    sections: &[Section<'d>],
) -> Result<Option<Vec<ElfSymbol<'d>>>, Error> {
    const TABLE: &str = "the symbol table";
    let find = |kind| sections.iter().position(|section| section.kind == kind);
    let found = find(elf::SHT_SYMTAB).or_else(|| find(elf::SHT_DYNSYM));
    let Some((index, place)) = found.and_then(|index| Some((index, sections.get(index)?))) else {
        return Ok(None);
    };
    let bad = |error| malformed(TABLE, place.offset, error);
    within(data, TABLE, place.offset, place.size)?;
    let section = table.section(object::SectionIndex(index)).map_err(bad)?;
    if let Some(strings) = sections.get(section.sh_link(endian) as usize) {
        within(data, "the string table", strings.offset, strings.size)?;
    }
    let symbols: SymbolTable<'_, Elf> =
        SymbolTable::parse(endian, data, table, object::SectionIndex(index), section).map_err(bad)?;

    let thumb = header.e_machine(endian) == elf::EM_ARM;
    let mut budget = NameBudget::of(data.len());
    let mut list = Vec::with_capacity(symbols.len());
    for (number, symbol) in symbols.iter().enumerate().skip(1) {
        let offset = place.offset + (number * size_of::<Elf::Sym>()) as u64;
        let kind = symbol.st_type();
        let mut value: u64 = symbol.st_value(endian).into();
        if thumb && kind == elf::STT_FUNC {
            value &= !1; // The lowest bit says Thumb.
        }
        let name =
            symbols.symbol_name(endian, symbol).map_err(|error| malformed("the symbol", offset, error))?;
        budget.take(name.len(), Place::Offset(offset))?;
        list.push(ElfSymbol {
            name,
            value,
            size: symbol.st_size(endian).into(),
            kind,
            bind: symbol.st_bind(),
            home: home(&symbols, endian, symbol, SymbolIndex(number), sections.len())
                .map_err(|reason| malformed("the symbol", offset, reason))?,
            offset,
        });
    }
    Ok(Some(list))
}

fn home<Elf: FileHeader<Endian = Endianness>>(
    symbols: &SymbolTable<'_, Elf>,
    endian: Endianness,
    symbol: &Elf::Sym,
    index: SymbolIndex,
    sections: usize,
) -> Result<Home, String> {
    if symbol.is_absolute(endian) {
        return Ok(Home::Absolute);
    }
    match symbols.symbol_section(endian, symbol, index).map_err(|error| error.to_string())? {
        Some(section) if section.0 == 0 => Ok(Home::Nowhere),
        Some(section) if section.0 < sections => Ok(Home::Section(section.0)),
        Some(section) => Err(format!("section {} of {sections}", section.0)),
        None => Ok(Home::Nowhere),
    }
}

/// The GNU build id, if a sound note holds one.
fn build_id<'d, Elf: FileHeader<Endian = Endianness>>(
    endian: Endianness,
    data: &'d [u8],
    table: &SectionTable<'d, Elf>,
) -> Option<&'d [u8]> {
    table.iter().find_map(|section| {
        let mut notes = section.notes(endian, data).ok()??;
        while let Ok(Some(note)) = notes.next() {
            if note.name() == elf::ELF_NOTE_GNU && note.n_type(endian) == elf::NT_GNU_BUILD_ID {
                return Some(note.desc());
            }
        }
        None
    })
}

/// That the file has all bytes of a part.
pub(crate) fn within(data: &[u8], part: &'static str, offset: u64, size: u64) -> Result<(), Error> {
    let len = data.len() as u64;
    match offset.checked_add(size) {
        Some(end) if end <= len => Ok(()),
        _ => Err(Error::ElfTruncated { part, offset, size, len }),
    }
}

fn malformed(part: &'static str, offset: u64, reason: impl ToString) -> Error {
    Error::ElfMalformed { part, offset, reason: reason.to_string() }
}
