//! Small linked ELF files, written byte by byte.

use object::elf;

/// Address of the text section.
pub const TEXT: u64 = 0xffff_ffff_8000_1000;
/// Bytes of the text section.
pub const TEXT_LEN: u64 = 0x1000;

/// A symbol of the text section.
#[derive(Debug, Clone)]
pub struct ElfSymbol {
    name: Vec<u8>,
    value: u64,
    size: u64,
    info: u8,
}

/// A function, `offset` bytes into the text.
#[must_use]
pub fn function(name: impl Into<Vec<u8>>, offset: u64, size: u64) -> ElfSymbol {
    of(name, offset, size, elf::STB_GLOBAL.0, elf::STT_FUNC.0)
}

/// A weak function.
#[must_use]
pub fn weak(name: impl Into<Vec<u8>>, offset: u64, size: u64) -> ElfSymbol {
    of(name, offset, size, elf::STB_WEAK.0, elf::STT_FUNC.0)
}

/// A label of an assembler: no type, no size.
#[must_use]
pub fn label(name: impl Into<Vec<u8>>, offset: u64) -> ElfSymbol {
    of(name, offset, 0, elf::STB_GLOBAL.0, elf::STT_NOTYPE.0)
}

fn of(name: impl Into<Vec<u8>>, offset: u64, size: u64, bind: u8, kind: u8) -> ElfSymbol {
    ElfSymbol { name: name.into(), value: TEXT + offset, size, info: bind << 4 | kind }
}

impl ElfSymbol {
    /// The same symbol at any address.
    #[must_use]
    pub fn at(self, value: u64) -> Self {
        Self { value, ..self }
    }
}

/// A 64-bit x86 executable with one text section and these symbols.
#[must_use]
pub fn executable(symbols: &[ElfSymbol]) -> Vec<u8> {
    let mut file = [
        &b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0"[..],
        &elf::ET_EXEC.0.to_le_bytes(),
        &elf::EM_X86_64.0.to_le_bytes(),
        &1u32.to_le_bytes(),
        &TEXT.to_le_bytes(),
        &[0; 20],
        &[64u16, 56, 0, 0, 0, 0].map(u16::to_le_bytes).concat(),
    ]
    .concat();
    let offset = file.len();
    file.resize(offset + TEXT_LEN as usize, 0xcc);
    with_symbols(file, offset, TEXT, symbols)
}

/// Gives a 64-bit little-endian ELF file without sections a text section, from this offset to its end at this
/// address, and a symbol table.
#[must_use]
pub fn with_symbols(mut file: Vec<u8>, offset: usize, address: u64, symbols: &[ElfSymbol]) -> Vec<u8> {
    let mut names = vec![0];
    let mut table = vec![0; 24];
    for symbol in symbols {
        table.extend((names.len() as u32).to_le_bytes());
        table.extend([symbol.info, 0, 1, 0]);
        table.extend(symbol.value.to_le_bytes());
        table.extend(symbol.size.to_le_bytes());
        names.extend(&symbol.name);
        names.push(0);
    }
    let section_names = b"\0.text\0.symtab\0.strtab\0.shstrtab\0".to_vec();
    let code = elf::SHF_ALLOC.0 | elf::SHF_EXECINSTR.0;
    let text_len = file.len() - offset;
    let mut headers = vec![0; 64];
    headers.extend(section(1, elf::SHT_PROGBITS, [code, address, offset as u64, text_len as u64], 0, 0));
    for (name, kind, bytes, link, entry) in [
        (7, elf::SHT_SYMTAB, table, 3, 24),
        (15, elf::SHT_STRTAB, names, 0, 0),
        (23, elf::SHT_STRTAB, section_names, 0, 0),
    ] {
        file.resize(file.len().next_multiple_of(8), 0);
        headers.extend(section(name, kind, [0, 0, file.len() as u64, bytes.len() as u64], link, entry));
        file.extend(bytes);
    }
    file.resize(file.len().next_multiple_of(8), 0);
    // Offset of the headers; then their size, their count, and which one has their names.
    let headers_at = file.len() as u64;
    file[0x28..0x30].copy_from_slice(&headers_at.to_le_bytes());
    file[0x3a..0x40].copy_from_slice(&[64u16, 5, 4].map(u16::to_le_bytes).concat());
    file.extend(headers);
    file
}

/// A section header; `place`: flags, address, offset, size.
fn section(name: u32, kind: elf::SectionType, place: [u64; 4], link: u32, entry: u64) -> Vec<u8> {
    [
        [name, kind.0].map(u32::to_le_bytes).concat(),
        place.map(u64::to_le_bytes).concat(),
        [link, u32::from(link != 0)].map(u32::to_le_bytes).concat(),
        [8, entry].map(u64::to_le_bytes).concat(),
    ]
    .concat()
}
