//! An image as an object file, for a kernel that is linked a second time with its table.

use object::write::{Object, Symbol, SymbolSection};
use object::{
    Architecture, BinaryFormat, Endianness, FileFlags, Object as _, SectionKind, SymbolFlags, SymbolKind,
    SymbolScope,
};

use crate::error::Error;
use crate::input::elf_file::{ElfFile, Section};
use kallsyms_core::image::layout::SECTION_ALIGN;

/// Section that holds the image.
pub const SECTION: &str = ".rodata.kallsyms";
/// Symbol at the first byte of the image.
pub const START: &str = "__start_kallsyms";
/// Symbol behind the last byte of the image.
pub const STOP: &str = "__stop_kallsyms";

/// What an object file must have in common with the kernel that it is linked into.
#[derive(Debug, Clone, Copy)]
pub struct Machine {
    architecture: Architecture,
    endianness: Endianness,
    flags: FileFlags,
}

/// x86-64.
impl Default for Machine {
    fn default() -> Self {
        Self { architecture: Architecture::X86_64, endianness: Endianness::Little, flags: FileFlags::None }
    }
}

impl Machine {
    /// The machine of an ELF file.
    ///
    /// # Errors
    ///
    /// The file is damaged.
    pub fn of(elf: &[u8]) -> Result<Self, Error> {
        let file =
            object::File::parse(elf).map_err(|error| Error::ObjectFile { reason: error.to_string() })?;
        Ok(Self { architecture: file.architecture(), endianness: file.endianness(), flags: file.flags() })
    }
}

/// An ELF object file with the image in [`SECTION`], 64-byte aligned, between [`START`] and [`STOP`].
///
/// # Errors
///
/// The machine is one that object files cannot be written for.
pub fn object_file(image: &[u8], machine: Machine) -> Result<Vec<u8>, Error> {
    let mut object = Object::new(BinaryFormat::Elf, machine.architecture, machine.endianness);
    object.flags = machine.flags;
    let section = object.add_section(Vec::new(), SECTION.into(), SectionKind::ReadOnlyData);
    object.set_section_data(section, image, SECTION_ALIGN as u64);
    for (name, value, size) in [(START, 0, image.len()), (STOP, image.len(), 0)] {
        object.add_symbol(Symbol {
            name: name.into(),
            value: value as u64,
            size: size as u64,
            kind: SymbolKind::Data,
            scope: SymbolScope::Linkage,
            weak: false,
            section: SymbolSection::Section(section),
            flags: SymbolFlags::None,
        });
    }
    // Without this section a linker would make the stack executable.
    object.add_section(Vec::new(), b".note.GNU-stack".to_vec(), SectionKind::Other);
    object.write().map_err(|error| Error::ObjectFile { reason: error.to_string() })
}

/// Whether a file is such an object file.
#[must_use]
pub fn is_object_file(bytes: &[u8]) -> bool {
    let named = |section: &Section<'_>| section.name == SECTION.as_bytes();
    ElfFile::parse(bytes).is_ok_and(|file| file.is_relocatable && file.sections.iter().any(named))
}

#[cfg(test)]
mod tests {
    use object::{ObjectSection, ObjectSymbol};

    use super::*;
    use crate::embed::embedded;
    use crate::input::fixture::Fixture;
    use kallsyms_core::image::layout::MAGIC;

    #[test]
    fn the_image_stands_between_its_symbols() {
        let image = [&MAGIC[..], &[7; 1000]].concat();
        let bytes = object_file(&image, Machine::default()).expect("an object file");
        let file = object::File::parse(bytes.as_slice()).expect("ELF");
        assert_eq!(
            (file.architecture(), file.is_64(), file.kind()),
            (Architecture::X86_64, true, object::ObjectKind::Relocatable)
        );
        let section = file.section_by_name(SECTION).expect("the section");
        assert_eq!((section.align(), section.data()), (64, Ok(image.as_slice())));
        assert_eq!(section.kind(), SectionKind::ReadOnlyData);
        let value = |name| file.symbol_by_name(name).expect("the symbol").address();
        assert_eq!((value(START), value(STOP)), (0, image.len() as u64));
        assert!(file.section_by_name(".note.GNU-stack").is_some());
        assert_eq!(embedded(&bytes), Ok(Some(image.as_slice())));
        assert!(is_object_file(&bytes));
        assert!(!is_object_file(&Fixture::at(0).build()) && !is_object_file(&image) && !is_object_file(b""));
        assert_eq!(bytes, object_file(&image, Machine::default()).expect("the same again"));
    }

    #[test]
    fn the_machine_of_the_kernel_is_taken() {
        let mut kernel = Fixture::at(0x8000_0000);
        (kernel.is_64, kernel.big_endian, kernel.machine) = (false, true, object::elf::EM_ARM.0);
        let machine = Machine::of(&kernel.build()).expect("a machine");
        let bytes = object_file(&MAGIC, machine).expect("an object file");
        let file = object::File::parse(bytes.as_slice()).expect("ELF");
        assert_eq!(
            (file.architecture(), file.is_64(), file.is_little_endian()),
            (Architecture::Arm, false, false)
        );
    }
}
