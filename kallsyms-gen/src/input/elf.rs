//! Symbols of an ELF file.

use object::elf::{SHF_ALLOC, SHF_EXECINSTR};

use super::budget::NameBudget;
use super::elf_file::ElfFile;
use super::nm_type::nm_type;
use super::{Demangling, Input, LeftOut, Options};
use crate::error::{Error, Place};
use crate::symbols::{Candidate, Symbols};
use crate::{demangle, order, select, sizes};
use kallsyms_core::image::layout::{MAX_BUILD_ID, MAX_NAME};

/// Reads, selects, demangles, orders and measures the symbols of an ELF file.
pub(super) fn read(bytes: &[u8], options: &Options) -> Result<Input, Error> {
    let file = ElfFile::parse(bytes)?;
    if file.is_relocatable {
        return Err(Error::ElfRelocatable);
    }
    let (mut candidates, sections_last) = candidates(&file, options, NameBudget::of(bytes.len()))?;
    order::sort(&mut candidates);
    let list = sizes::settle(candidates);
    let last =
        list.last().map(|symbol| symbol.address.saturating_add(symbol.size.unwrap_or(0).saturating_sub(1)));
    let symbols = Symbols {
        list,
        modules: Vec::new(),
        address_digits: if file.is_64 { 16 } else { 8 },
        build_id: Some(file.build_id).filter(|id| id.len() <= MAX_BUILD_ID).unwrap_or_default().to_vec(),
        covered_last: sections_last.max(last),
    };
    Ok(Input { symbols, left_out: if file.is_stripped { LeftOut::Stripped } else { LeftOut::Nothing } })
}

/// The symbols that are wanted, in file order, and the last address of their sections.
fn candidates(
    file: &ElfFile<'_>,
    options: &Options,
    mut budget: NameBudget,
) -> Result<(Vec<Candidate>, Option<u64>), Error> {
    let symbols = file.symbols.as_deref().ok_or(Error::NoElfSymbols {
        wanted: "symbol table",
        hint: "it was stripped: build it without stripping (Cargo: `strip = \"none\"`) and strip afterwards",
    })?;
    let lowest_code = file
        .sections
        .iter()
        .filter(|section| section.flags.contains(SHF_ALLOC | SHF_EXECINSTR))
        .map(|section| section.address)
        .min();
    let mut candidates = Vec::new();
    let mut sections_last = None;
    for symbol in symbols {
        let section = file.home(symbol);
        if !select::is_wanted(symbol, section, options.all_symbols)
            || options.drop_padding && select::is_padding(symbol.name)
        {
            continue;
        }
        if symbol.name.len() > MAX_NAME {
            return Err(Error::NameTooLong { place: Place::Offset(symbol.offset), len: symbol.name.len() });
        }
        // A line of a listing could not be told from what follows it.
        if symbol.name.contains(&b'\n') || symbol.name.windows(2).any(|pair| pair == b"\t[") {
            return Err(Error::NameUnprintable {
                place: Place::Offset(symbol.offset),
                name: symbol.name.escape_ascii().to_string(),
            });
        }
        let absolute = select::is_absolute(symbol, section, lowest_code);
        let room = section.filter(|_| !absolute).map(|section| {
            let inside = symbol.value.wrapping_sub(section.address);
            section.size.saturating_sub(inside)
        });
        if let Some(section) = section.filter(|section| room.is_some() && section.size > 0) {
            sections_last = sections_last.max(Some(section.address.saturating_add(section.size - 1)));
        }
        let demangled = match options.demangling {
            Demangling::Never => None,
            Demangling::Usual | Demangling::Always => demangle::demangle(symbol.name),
        };
        let name = demangled.map_or_else(|| symbol.name.to_vec(), String::into_bytes);
        budget.take(name.len(), Place::Offset(symbol.offset))?;
        candidates.push(Candidate {
            address: symbol.value,
            kind: match section {
                Some(_) if absolute && symbol.kind != object::elf::STT_TLS => b'A',
                section => nm_type(symbol, section.filter(|_| !absolute)),
            },
            name,
            size: symbol.size,
            room,
        });
    }
    if candidates.is_empty() {
        return Err(if options.all_symbols {
            Error::NoElfSymbols { wanted: "symbol with an address", hint: "was it stripped before?" }
        } else {
            Error::NoElfSymbols {
                wanted: "function symbol in an executable section",
                hint: "was it stripped before? --all-symbols takes data symbols too",
            }
        });
    }
    if u32::try_from(candidates.len()).is_err() {
        return Err(Error::TooManySymbols { symbols: candidates.len() });
    }
    Ok((candidates, sections_last))
}

#[cfg(test)]
#[path = "elf_tests.rs"]
mod tests;
