//! Finds the room for an image in an ELF file, and fills it.

use object::elf::{SHT_NOBITS, STT_OBJECT};

use crate::demangle::demangle;
use crate::error::Error;
use crate::input::elf_file::{ElfFile, ElfSymbol, Home};
use crate::object_file::{START, STOP};
use kallsyms_core::Image;
use kallsyms_core::image::layout::MAGIC;

/// Smallest reservation; a compiler may put the magic alone into a constant of its own.
const SMALLEST: usize = 64;

/// Bytes of an ELF file that may hold an image.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reservation {
    /// Name of the symbol, demangled.
    pub symbol: String,
    /// Offset in the file.
    pub offset: usize,
    /// Bytes.
    pub len: usize,
}

/// The reservation of an ELF file: the one object symbol whose bytes begin with the magic.
///
/// A name, mangled or not, chooses among several.
///
/// # Errors
///
/// The file is damaged, or there is none, or more than one.
pub fn find(elf: &[u8], wanted: Option<&str>) -> Result<Reservation, Error> {
    let file = ElfFile::parse(elf)?;
    let symbols = file.symbols.as_deref().filter(|_| !file.is_stripped).ok_or(Error::Stripped)?;
    if let Some(wanted) = wanted {
        return find_named(elf, &file, symbols, wanted);
    }
    let found = symbols.iter().filter(|symbol| symbol.kind == STT_OBJECT);
    only(found.filter_map(|symbol| reservation(elf, &file, symbol)).collect())
        .and_then(|found| found.ok_or(Error::NoReservation))
}

fn find_named(
    elf: &[u8],
    file: &ElfFile<'_>,
    symbols: &[ElfSymbol<'_>],
    wanted: &str,
) -> Result<Reservation, Error> {
    let named: Vec<_> = symbols
        .iter()
        .filter(|symbol| symbol.home != Home::Nowhere)
        .filter(|symbol| symbol.name == wanted.as_bytes() || demangle(symbol.name).as_deref() == Some(wanted))
        .collect();
    let found = only(named.iter().filter_map(|symbol| reservation(elf, file, symbol)).collect())?;
    found.ok_or_else(|| Error::NotAReservation {
        symbol: wanted.into(),
        fault: match named.first() {
            None => "is not in the ELF file",
            Some(symbol) if symbol.size < SMALLEST as u64 => "has less than 64 bytes",
            Some(_) => "does not begin with the table's magic",
        },
    })
}

/// The one place that these are names of, if there is any.
fn only(mut found: Vec<Reservation>) -> Result<Option<Reservation>, Error> {
    found.sort_by_key(|place| (place.offset, std::cmp::Reverse(place.len)));
    found.dedup_by_key(|place| place.offset);
    if found.len() > 1 {
        return Err(Error::ManyReservations {
            symbols: found.into_iter().map(|place| place.symbol).collect(),
        });
    }
    Ok(found.pop())
}

/// The symbol's bytes in the file, if they begin with the magic.
fn reservation(elf: &[u8], file: &ElfFile<'_>, symbol: &ElfSymbol<'_>) -> Option<Reservation> {
    let offset = file_offset(file, symbol)?;
    let len = usize::try_from(symbol.size).ok()?;
    let bytes = elf.get(offset..offset.checked_add(len)?)?;
    (len >= SMALLEST && bytes.starts_with(&MAGIC)).then(|| {
        let symbol =
            demangle(symbol.name).unwrap_or_else(|| String::from_utf8_lossy(symbol.name).into_owned());
        Reservation { symbol, offset, len }
    })
}

/// Where the bytes of a symbol stand in the file.
fn file_offset(file: &ElfFile<'_>, symbol: &ElfSymbol<'_>) -> Option<usize> {
    let section = file.home(symbol).filter(|section| section.kind != SHT_NOBITS)?;
    let inside =
        if file.is_relocatable { symbol.value } else { symbol.value.checked_sub(section.address)? };
    let offset = (inside <= section.size).then(|| section.offset.checked_add(inside))??;
    usize::try_from(offset).ok()
}

/// Fills a reservation of an ELF file: the image, then zeros. What an earlier call left there is overwritten.
///
/// # Errors
///
/// The image does not fit.
pub fn embed(elf: &mut [u8], reservation: &Reservation, image: &[u8]) -> Result<(), Error> {
    let Reservation { ref symbol, offset, len } = *reservation;
    let room = elf.get_mut(offset..).and_then(|rest| rest.get_mut(..len)).unwrap_or_default();
    let Some((start, rest)) = room.split_at_mut_checked(image.len()) else {
        return Err(Error::ReservationTooSmall {
            needed: image.len(),
            reserved: len,
            symbol: symbol.clone(),
        });
    };
    start.copy_from_slice(image);
    rest.fill(0);
    Ok(())
}

/// The bytes of the image that an ELF file carries, in a reservation or between start and stop symbols.
///
/// `None` where nothing was embedded. The bytes may end later than the image does.
///
/// # Errors
///
/// The file is damaged.
pub fn embedded(elf: &[u8]) -> Result<Option<&[u8]>, Error> {
    let file = ElfFile::parse(elf)?;
    let symbols = file.symbols.as_deref().unwrap_or_default();
    let filled = symbols
        .iter()
        .filter(|symbol| symbol.kind == STT_OBJECT)
        .filter_map(|symbol| reservation(elf, &file, symbol))
        .filter_map(|place| elf.get(place.offset..place.offset + place.len))
        .find(|bytes| !is_empty_reservation(bytes));
    let bound = |name: &str| {
        let symbol = symbols.iter().find(|symbol| symbol.name == name.as_bytes());
        symbol.and_then(|symbol| file_offset(&file, symbol))
    };
    let linked = || {
        let bytes = elf.get(bound(START)?..bound(STOP)?)?;
        (bytes.starts_with(&MAGIC) && !is_empty_reservation(bytes)).then_some(bytes)
    };
    let searched = || file.is_stripped.then(|| search(elf)).flatten();
    Ok(filled.or_else(linked).or_else(searched))
}

/// The image in a file that was stripped after embedding: no symbol names it, but its checksum proves it.
fn search(elf: &[u8]) -> Option<&[u8]> {
    let starts = elf.windows(MAGIC.len()).enumerate().filter(|(_, window)| **window == MAGIC);
    starts.filter_map(|(start, _)| elf.get(start..)).find(|bytes| Image::parse(bytes).is_ok())
}

/// Whether only the magic stands in a reservation.
fn is_empty_reservation(bytes: &[u8]) -> bool {
    bytes.strip_prefix(&MAGIC).is_some_and(|rest| rest.iter().take(2).all(|&byte| byte == 0))
}

/// Names for a message.
pub(crate) fn listed(names: &[String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use object::elf::{STB_LOCAL, STT_FUNC, STT_NOTYPE};

    use super::*;
    use crate::input::fixture::{BSS, DATA, Fixture, RODATA, TEXT, symbol};

    const BASE: u64 = 0xffff_ffff_8000_0000;
    const ROOM: u64 = BASE + 0x3000 + 0x40;

    /// A kernel with a reservation of 0x100 bytes, 0x40 bytes into its constants.
    fn kernel() -> Fixture {
        let mut kernel = Fixture::at(BASE).with([
            symbol("_start", STT_FUNC, TEXT, BASE, 0x10),
            symbol("_RNvC6kernel5TABLE", STT_OBJECT, RODATA, ROOM, 0x100),
            symbol("TABLE_ALIAS", STT_OBJECT, RODATA, ROOM, 0x100).bound(STB_LOCAL),
            symbol("zeroed", STT_OBJECT, BSS, BASE + 0x2000, 0x100),
            symbol("other", STT_OBJECT, DATA, BASE + 0x1000, 0x100),
        ]);
        kernel.sections[3].data[0x40..0x48].copy_from_slice(&MAGIC);
        kernel
    }

    fn image(len: usize) -> Vec<u8> {
        let mut image = MAGIC.to_vec();
        image.resize(len, 0xee);
        image
    }

    #[test]
    fn one_reservation_is_found_and_filled_again_and_again() {
        for (is_64, base) in [(true, BASE), (false, 0x8000_0000)] {
            let mut kernel = kernel();
            kernel.is_64 = is_64;
            for section in &mut kernel.sections {
                section.address = section.address - BASE + base;
            }
            for symbol in &mut kernel.symbols {
                symbol.value = symbol.value - BASE + base;
            }
            let original = kernel.build();
            let place = find(&original, None).expect("a reservation");
            assert_eq!((place.symbol.as_str(), place.len), ("kernel::TABLE", 0x100));
            assert_eq!(embedded(&original), Ok(None));

            let mut file = original.clone();
            embed(&mut file, &place, &image(0x100)).expect("it fits exactly");
            assert_eq!(embedded(&file), Ok(Some(image(0x100).as_slice())));
            assert_eq!(find(&file, None), Ok(place.clone()));
            embed(&mut file, &place, &image(0x20)).expect("it fits");
            let found = embedded(&file).expect("sound").expect("an image");
            assert!(found[..0x20] == image(0x20) && found[0x20..].iter().all(|&byte| byte == 0));

            let outside = |file: &[u8]| [&file[..place.offset], &file[place.offset + place.len..]].concat();
            assert_eq!(outside(&file), outside(&original));
        }
    }

    /// Field report 15: the bytes needed are said.
    #[test]
    fn too_small_a_reservation_says_the_bytes_needed() {
        let mut file = kernel().build();
        let before = file.clone();
        let place = find(&file, None).expect("a reservation");
        let error = embed(&mut file, &place, &image(5000)).expect_err("too small");
        let text = "the table needs 5000 bytes, `kernel::TABLE` reserves 256: make it `Reserved<{5 * 1024}>`";
        assert_eq!((error.to_string().as_str(), file == before), (text, true));
    }

    #[test]
    fn none_and_several_are_errors() {
        let mut none = kernel();
        none.sections[3].data[0x40] = 0;
        assert_eq!(find(&none.build(), None), Err(Error::NoReservation));
        let mut two = kernel();
        two.sections[1].data[..8].copy_from_slice(&MAGIC);
        let symbols = vec!["other".to_owned(), "kernel::TABLE".to_owned()];
        assert_eq!(find(&two.build(), None), Err(Error::ManyReservations { symbols }));
        assert_eq!(find(&two.build(), Some("other")).expect("by name").symbol, "other");
        for name in ["kernel::TABLE", "_RNvC6kernel5TABLE", "TABLE_ALIAS"] {
            assert_eq!(find(&two.build(), Some(name)).expect("by name").len, 0x100, "{name}");
        }
    }

    #[test]
    fn a_wrong_name_is_an_error() {
        let file = kernel().with([symbol("label", STT_NOTYPE, DATA, BASE + 0x1000, 0)]).build();
        let fault = |name: &str| find(&file, Some(name)).expect_err("no reservation").to_string();
        assert_eq!(fault("nothing"), "symbol `nothing` is not in the ELF file");
        assert_eq!(fault("label"), "symbol `label` has less than 64 bytes");
        assert_eq!(fault("other"), "symbol `other` does not begin with the table's magic");
        assert_eq!(fault("zeroed"), "symbol `zeroed` does not begin with the table's magic");
    }

    /// The compiler's own copy of the magic is no reservation.
    #[test]
    fn the_magic_alone_is_no_reservation() {
        let mut kernel = kernel().with([symbol("anon.0", STT_OBJECT, DATA, BASE + 0x1000, 8)]);
        kernel.sections[1].data[..8].copy_from_slice(&MAGIC);
        kernel.symbols.retain(|symbol| symbol.name != b"other");
        assert_eq!(find(&kernel.build(), None).expect("one").symbol, "kernel::TABLE");
    }

    #[test]
    fn a_reservation_past_its_section_or_the_file_is_none() {
        let mut kernel = kernel();
        kernel.symbols[1].size = 1 << 40;
        kernel.symbols[2].value = BASE;
        assert_eq!(find(&kernel.build(), None), Err(Error::NoReservation));
    }

    #[test]
    fn a_linked_in_image_is_found_between_its_symbols() {
        let mut kernel = kernel().with([
            symbol(START, STT_NOTYPE, RODATA, ROOM, 0),
            symbol(STOP, STT_NOTYPE, RODATA, ROOM + 0x20, 0),
        ]);
        kernel.symbols.drain(1..3);
        assert_eq!(embedded(&kernel.build()), Ok(None));
        kernel.sections[3].data[0x40..0x60].copy_from_slice(&image(0x20));
        assert_eq!(embedded(&kernel.build()), Ok(Some(image(0x20).as_slice())));
    }
}
