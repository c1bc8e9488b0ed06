//! The functions that a link has kept, by where they are declared: what debug information tells.

use std::collections::HashSet;

use addr2line::gimli::{
    self, AttributeValue, DebuggingInformationEntry, Dwarf, EndianSlice, RunTimeEndian, Unit,
};
use anyhow::{Result, ensure};
use object::{Object, ObjectSection};

/// Where a function is declared.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Place {
    pub(super) name: String,
    /// Its file from the repository on.
    pub(super) file: String,
    pub(super) line: u64,
}

type Slice<'a> = EndianSlice<'a, RunTimeEndian>;

/// Every function that has code, on its own or inlined into another.
pub(super) fn functions(linked: &[u8]) -> Result<HashSet<Place>> {
    let file = object::File::parse(linked)?;
    let section = |id: gimli::SectionId| -> Result<Slice<'_>> {
        let data = file.section_by_name(id.name()).map_or(Ok(&[][..]), |section| section.data())?;
        Ok(EndianSlice::new(data, RunTimeEndian::Little))
    };
    let dwarf = Dwarf::load(section)?;
    let mut functions = HashSet::new();
    let mut units = dwarf.units();
    while let Some(header) = units.next()? {
        let unit = dwarf.unit(header)?;
        let mut entries = unit.entries();
        while let Some(entry) = entries.next_dfs()? {
            let has_code = match entry.tag() {
                gimli::DW_TAG_subprogram | gimli::DW_TAG_inlined_subroutine => {
                    has_code(&dwarf, &unit, entry)?
                }
                _ => false,
            };
            if has_code && let Some(place) = place(&dwarf, &unit, entry)? {
                functions.insert(place);
            }
        }
    }
    ensure!(!functions.is_empty(), "the probe has no debug information");
    Ok(functions)
}

/// Whether an entry's code was kept: what the linker drops begins at 0.
fn has_code<'a>(
    dwarf: &Dwarf<Slice<'a>>,
    unit: &Unit<Slice<'a>>,
    entry: &DebuggingInformationEntry<Slice<'a>>,
) -> Result<bool> {
    let mut ranges = dwarf.die_ranges(unit, entry)?;
    while let Some(range) = ranges.next()? {
        if range.begin != 0 && range.end > range.begin {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Where an entry, or what it is an instance of, is declared.
fn place<'a>(
    dwarf: &Dwarf<Slice<'a>>,
    unit: &Unit<Slice<'a>>,
    entry: &DebuggingInformationEntry<Slice<'a>>,
) -> Result<Option<Place>> {
    for link in [gimli::DW_AT_abstract_origin, gimli::DW_AT_specification] {
        if let Some(AttributeValue::UnitRef(offset)) = entry.attr_value(link) {
            return place(dwarf, unit, &unit.entry(offset)?);
        }
    }
    let (Some(name), Some(AttributeValue::FileIndex(file)), Some(line)) = (
        entry.attr_value(gimli::DW_AT_name),
        entry.attr_value(gimli::DW_AT_decl_file),
        entry.attr(gimli::DW_AT_decl_line).and_then(|line| line.udata_value()),
    ) else {
        return Ok(None);
    };
    let Some(program) = &unit.line_program else { return Ok(None) };
    let Some(file) = program.header().file(file) else { return Ok(None) };
    let text = |value| Ok::<_, anyhow::Error>(dwarf.attr_string(unit, value)?.to_string_lossy().into_owned());
    let folder = file.directory(program.header()).map_or(Ok(String::new()), text)?;
    let path = format!("{folder}/{}", text(file.path_name())?);
    let Some(at) = path.find("kallsyms-core/src/") else { return Ok(None) };
    let name = text(name)?;
    // A generic one is named with its arguments.
    let name = name.split('<').next().unwrap_or_default().to_owned();
    Ok(Some(Place { name, file: path[at..].to_owned(), line }))
}
