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

/// A 64-bit x86 executable with one text section and these symbols.
#[must_use]
pub fn executable(symbols: &[ElfSymbol]) -> Vec<u8> {
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
    let text = vec![0xcc; TEXT_LEN as usize];
    let section_names = b"\0.text\0.symtab\0.strtab\0.shstrtab\0".to_vec();
    let code = elf::SHF_ALLOC.0 | elf::SHF_EXECINSTR.0;
    // Name, type, flags, address; then link and size of an entry.
    let sections = [
        ([0, 0], [0, 0], Vec::new(), 0, 0u64),
        ([1, elf::SHT_PROGBITS.0], [code, TEXT], text, 0, 0),
        ([7, elf::SHT_SYMTAB.0], [0, 0], table, 3, 24),
        ([15, elf::SHT_STRTAB.0], [0, 0], names, 0, 0),
        ([23, elf::SHT_STRTAB.0], [0, 0], section_names, 0, 0),
    ];
    let mut body = vec![0; 64];
    let mut headers = Vec::new();
    for ([name, kind], [flags, address], bytes, link, entry) in &sections {
        headers.extend([*name, *kind].map(u32::to_le_bytes).concat());
        headers
            .extend([*flags, *address, body.len() as u64, bytes.len() as u64].map(u64::to_le_bytes).concat());
        headers.extend([*link, u32::from(*link != 0)].map(u32::to_le_bytes).concat());
        headers.extend([8, *entry].map(u64::to_le_bytes).concat());
        body.extend(bytes);
        body.resize(body.len().next_multiple_of(8), 0);
    }
    let header = [
        &b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0"[..],
        &elf::ET_EXEC.0.to_le_bytes(),
        &elf::EM_X86_64.0.to_le_bytes(),
        &1u32.to_le_bytes(),
        &TEXT.to_le_bytes(),
        &0u64.to_le_bytes(),
        &(body.len() as u64).to_le_bytes(),
        &0u32.to_le_bytes(),
        &[64u16, 56, 0, 64, sections.len() as u16, 4].map(u16::to_le_bytes).concat(),
    ]
    .concat();
    body[..64].copy_from_slice(&header);
    body.extend(headers);
    body
}
