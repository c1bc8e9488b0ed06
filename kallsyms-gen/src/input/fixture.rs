//! ELF files for tests, put together byte by byte.

use object::elf;

/// A section of a [`Fixture`].
#[derive(Clone)]
pub(crate) struct FixtureSection {
    pub(crate) name: &'static str,
    pub(crate) kind: u32,
    pub(crate) flags: u64,
    pub(crate) address: u64,
    /// Size in memory; the file has as many bytes unless the section has none.
    pub(crate) data: Vec<u8>,
}

/// A symbol of a [`Fixture`].
#[derive(Clone)]
pub(crate) struct FixtureSymbol {
    pub(crate) name: Vec<u8>,
    pub(crate) value: u64,
    pub(crate) size: u64,
    pub(crate) kind: u8,
    pub(crate) bind: u8,
    /// Section number from 1, or a special value.
    pub(crate) section: u16,
}

/// An ELF file to be.
#[derive(Clone)]
pub(crate) struct Fixture {
    pub(crate) is_64: bool,
    pub(crate) big_endian: bool,
    pub(crate) machine: u16,
    pub(crate) file_type: u16,
    pub(crate) sections: Vec<FixtureSection>,
    /// Type of the symbol table: `SHT_SYMTAB` or `SHT_DYNSYM`, or 0 for none.
    pub(crate) table: u32,
    pub(crate) symbols: Vec<FixtureSymbol>,
}

/// Number of the first section.
pub(crate) const TEXT: u16 = 1;
/// Number of the second section.
pub(crate) const DATA: u16 = 2;
/// Number of the third section.
pub(crate) const BSS: u16 = 3;
/// Number of the fourth section.
pub(crate) const RODATA: u16 = 4;

/// A symbol in a section.
pub(crate) fn symbol(
    name: &str,
    kind: elf::SymbolType,
    section: u16,
    value: u64,
    size: u64,
) -> FixtureSymbol {
    FixtureSymbol { name: name.into(), value, size, kind: kind.0, bind: elf::STB_GLOBAL.0, section }
}

impl FixtureSymbol {
    pub(crate) fn bound(self, bind: elf::SymbolBind) -> Self {
        Self { bind: bind.0, ..self }
    }
}

impl Fixture {
    /// An x86-64 program with code at `base`, then data, zeroed data and constants, 0x1000 bytes each.
    pub(crate) fn at(base: u64) -> Self {
        let alloc = elf::SHF_ALLOC.0;
        let section = |name, kind: elf::SectionType, flags, page: u64| FixtureSection {
            name,
            kind: kind.0,
            flags,
            address: base + page * 0x1000,
            data: vec![0; 0x1000],
        };
        Self {
            is_64: true,
            big_endian: false,
            machine: elf::EM_X86_64.0,
            file_type: elf::ET_EXEC.0,
            sections: vec![
                section(".text", elf::SHT_PROGBITS, alloc | elf::SHF_EXECINSTR.0, 0),
                section(".data", elf::SHT_PROGBITS, alloc | elf::SHF_WRITE.0, 1),
                section(".bss", elf::SHT_NOBITS, alloc | elf::SHF_WRITE.0, 2),
                section(".rodata", elf::SHT_PROGBITS, alloc, 3),
            ],
            table: elf::SHT_SYMTAB.0,
            symbols: Vec::new(),
        }
    }

    pub(crate) fn with(mut self, symbols: impl IntoIterator<Item = FixtureSymbol>) -> Self {
        self.symbols.extend(symbols);
        self
    }

    /// The bytes of the file.
    pub(crate) fn build(&self) -> Vec<u8> {
        let mut sections = self.sections.clone();
        let (mut strings, mut symbols) = (vec![0], Vec::new());
        self.symbol(
            &mut symbols,
            0,
            &FixtureSymbol { name: Vec::new(), value: 0, size: 0, kind: 0, bind: 0, section: 0 },
        );
        for symbol in &self.symbols {
            let name = if symbol.name.is_empty() { 0 } else { strings.len() };
            strings.extend(&symbol.name);
            strings.push(0);
            self.symbol(&mut symbols, name, symbol);
        }
        let plain = |name, kind, data| FixtureSection { name, kind, flags: 0, address: 0, data };
        let table = sections.len() + 1;
        if self.table != 0 {
            sections.push(plain(".symtab", self.table, symbols));
            sections.push(plain(".strtab", elf::SHT_STRTAB.0, strings));
        }
        let names = sections.len() + 1;
        sections.push(plain(".shstrtab", elf::SHT_STRTAB.0, Vec::new()));
        let mut section_names = vec![0];
        let name_offsets: Vec<usize> = sections
            .iter()
            .map(|section| {
                let offset = section_names.len();
                section_names.extend(section.name.bytes().chain([0]));
                offset
            })
            .collect();
        sections[names - 1].data = section_names;

        let mut file = vec![0; if self.is_64 { 64 } else { 52 }];
        let mut headers = vec![0; if self.is_64 { 64 } else { 40 }];
        for ((number, section), name) in (1..).zip(&sections).zip(name_offsets) {
            file.resize(file.len().next_multiple_of(16), 0);
            let offset = file.len() as u64;
            if section.kind != elf::SHT_NOBITS.0 {
                file.extend(&section.data);
            }
            let (link, info, entry) = match number {
                _ if number == table && self.table != 0 => {
                    (number as u32 + 1, 1, if self.is_64 { 24 } else { 16 })
                }
                _ => (0, 0, 0),
            };
            self.u32(&mut headers, name as u32);
            self.u32(&mut headers, section.kind);
            for value in [section.flags, section.address, offset, section.data.len() as u64] {
                self.word(&mut headers, value);
            }
            self.u32(&mut headers, link);
            self.u32(&mut headers, info);
            self.word(&mut headers, 4);
            self.word(&mut headers, entry);
        }
        file.resize(file.len().next_multiple_of(16), 0);
        let header = self.header(file.len() as u64, sections.len() as u16 + 1, names as u16);
        file[..header.len()].copy_from_slice(&header);
        file.extend(headers);
        file
    }

    fn header(&self, section_headers: u64, count: u16, names: u16) -> Vec<u8> {
        let mut header = elf::ELFMAG.to_vec();
        header.extend([if self.is_64 { 2 } else { 1 }, if self.big_endian { 2 } else { 1 }, 1, 0]);
        header.extend([0; 8]);
        self.u16(&mut header, self.file_type);
        self.u16(&mut header, self.machine);
        self.u32(&mut header, 1);
        for value in [0, 0, section_headers] {
            self.word(&mut header, value);
        }
        self.u32(&mut header, 0);
        let sizes = if self.is_64 { [64, 56, 0, 64] } else { [52, 32, 0, 40] };
        for value in sizes.into_iter().chain([count, names]) {
            self.u16(&mut header, value);
        }
        header
    }

    fn symbol(&self, out: &mut Vec<u8>, name: usize, symbol: &FixtureSymbol) {
        self.u32(out, name as u32);
        let info = [symbol.bind << 4 | symbol.kind, 0];
        if self.is_64 {
            out.extend(info);
            self.u16(out, symbol.section);
        }
        self.word(out, symbol.value);
        self.word(out, symbol.size);
        if !self.is_64 {
            out.extend(info);
            self.u16(out, symbol.section);
        }
    }

    fn u16(&self, out: &mut Vec<u8>, value: u16) {
        out.extend(if self.big_endian { value.to_be_bytes() } else { value.to_le_bytes() });
    }

    fn u32(&self, out: &mut Vec<u8>, value: u32) {
        out.extend(if self.big_endian { value.to_be_bytes() } else { value.to_le_bytes() });
    }

    fn word(&self, out: &mut Vec<u8>, value: u64) {
        match (self.is_64, self.big_endian) {
            (true, true) => out.extend(value.to_be_bytes()),
            (true, false) => out.extend(value.to_le_bytes()),
            (false, _) => self.u32(out, value as u32),
        }
    }
}
