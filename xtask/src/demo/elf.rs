//! An independent reading of the kernel: symbols and line tables, not our table.

use addr2line::{Context as Lines, gimli};
use anyhow::{Context, Result, ensure};
use object::{Object, ObjectSection, ObjectSymbol, SymbolKind};
use std::ops::Range;

/// A linked kernel.
#[derive(Debug)]
pub(super) struct Elf {
    /// The file.
    pub(super) bytes: Vec<u8>,
}

/// A function of the symbol table.
#[derive(Debug)]
pub(super) struct Function {
    pub(super) name: String,
    pub(super) address: u64,
    pub(super) size: u64,
}

type Reader<'a> = gimli::EndianSlice<'a, gimli::LittleEndian>;

impl Elf {
    /// Every function and label in text.
    pub(super) fn functions(&self) -> Result<Vec<Function>> {
        let file = self.file()?;
        let text = file.section_by_name(".text").context("the kernel has no .text")?.index();
        let in_text = file.symbols().filter(|symbol| symbol.section_index() == Some(text));
        let functions = in_text.filter(|symbol| {
            matches!(symbol.kind(), SymbolKind::Text | SymbolKind::Label | SymbolKind::Unknown)
        });
        functions
            .map(|symbol| {
                let name = demangled(symbol.name()?);
                Ok(Function { name, address: symbol.address(), size: symbol.size() })
            })
            .collect()
    }

    /// Where the bytes of a data object stand in the file.
    pub(super) fn data(&self, name: &str) -> Result<Range<usize>> {
        let file = self.file()?;
        let symbol = file
            .symbols()
            .find(|symbol| symbol.name().is_ok_and(|found| demangled(found) == name))
            .with_context(|| format!("the kernel has no {name}"))?;
        let section = file.section_by_index(symbol.section_index().context("no section")?)?;
        let (offset, _) = section.file_range().context("the section is not in the file")?;
        let start = usize::try_from(symbol.address() - section.address() + offset)?;
        let end = start + usize::try_from(symbol.size())?;
        ensure!(end <= self.bytes.len(), "{name} reaches past the end of the file");
        Ok(start..end)
    }

    /// The line tables.
    pub(super) fn lines(&self) -> Result<Lines<Reader<'_>>> {
        let file = self.file()?;
        let load = |id: gimli::SectionId| -> Result<Reader<'_>> {
            let bytes = file.section_by_name(id.name()).map_or(Ok(&[][..]), |section| section.data())?;
            Ok(gimli::EndianSlice::new(bytes, gimli::LittleEndian))
        };
        Ok(Lines::from_dwarf(gimli::Dwarf::load(load)?)?)
    }

    fn file(&self) -> Result<object::File<'_>> {
        Ok(object::File::parse(&*self.bytes)?)
    }
}

/// A name as the table has it: demangled, without the hash.
pub(super) fn demangled(name: &str) -> String {
    format!("{:#}", rustc_demangle::demangle(name))
}
