//! ELF files whose headers lie.

use super::refused;
use crate::Folder;
use crate::elf::{ENTRY, FUNCTION, OFFSET, kernel, linked};

const HUGE: [u64; 5] = [u64::MAX, u64::MAX - 63, 1 << 63, (1 << 63) - 1, 1 << 40];

/// Offsets of fields in the file header and in a section header.
const E_PHOFF: usize = 32;
const E_SHOFF: usize = 40;
const E_SHENTSIZE: usize = 58;
const E_SHNUM: usize = 60;
const SH_TYPE: usize = 4;
const SH_FLAGS: usize = 8;
const SH_OFFSET: usize = 24;
const SH_SIZE: usize = 32;
const SH_LINK: usize = 40;

/// The sections of [`linked`].
const CODE: usize = 1;
const SYMBOLS: usize = 2;
const STRINGS: usize = 3;

/// A file that can be changed.
struct Elf(Vec<u8>);

impl Elf {
    fn small() -> Self {
        Self(kernel(0x2000))
    }

    fn put<const N: usize>(mut self, at: usize, bytes: [u8; N]) -> Self {
        self.0[at..at + N].copy_from_slice(&bytes);
        self
    }

    fn u64(&self, at: usize) -> u64 {
        u64::from_le_bytes(*self.0[at..].first_chunk().expect("within"))
    }

    /// A field of a section header.
    fn field(&self, section: usize, field: usize) -> usize {
        self.u64(E_SHOFF) as usize + 64 * section + field
    }

    fn section<const N: usize>(self, section: usize, field: usize, bytes: [u8; N]) -> Self {
        let at = self.field(section, field);
        self.put(at, bytes)
    }
}

#[test]
fn counts_offsets_and_sizes_near_the_end_of_all_numbers() {
    let folder = Folder::new("hostile-elf-sizes");
    let mut files = vec![
        // The count of sections is in the first of them, and says 2^64 - 1.
        Elf::small().put(E_SHNUM, [0; 2]).section(0, SH_SIZE, [0xff; 8]),
        Elf::small().put(E_SHNUM, [0xff; 2]),
        Elf::small().put(E_SHENTSIZE, [0xff; 2]),
        Elf::small().section(SYMBOLS, SH_LINK, [0xff; 4]),
    ];
    for huge in HUGE.map(u64::to_le_bytes) {
        files.push(Elf::small().put(E_SHOFF, huge));
        for section in [SYMBOLS, STRINGS] {
            files.push(Elf::small().section(section, SH_OFFSET, huge));
            files.push(Elf::small().section(section, SH_SIZE, huge));
        }
        files.push(Elf::small().section(SYMBOLS, SH_SIZE, huge).section(SYMBOLS, SH_OFFSET, huge));
    }
    for Elf(bytes) in files {
        refused(&folder, "kernel", &bytes, " ELF file: ");
    }
}

/// A table that is its own string table, string tables that are none, a table of code.
#[test]
fn sections_that_lead_to_each_other() {
    let folder = Folder::new("hostile-elf-links");
    for (link, words) in [(SYMBOLS, " at offset 0x"), (CODE, " at offset 0x"), (9, " at offset 0x")] {
        let Elf(bytes) = Elf::small().section(SYMBOLS, SH_LINK, [link as u8, 0, 0, 0]);
        refused(&folder, "kernel", &bytes, words);
    }
    // Of the type of a string table, with bytes of the symbols.
    let table = Elf::small();
    let place = table.u64(table.field(SYMBOLS, SH_OFFSET)).to_le_bytes();
    let size = table.u64(table.field(SYMBOLS, SH_SIZE)).to_le_bytes();
    let Elf(bytes) = table.section(STRINGS, SH_OFFSET, place).section(STRINGS, SH_SIZE, size.map(|_| 1));
    refused(&folder, "kernel", &bytes, "the string table at offset");
    // No NUL ends a name.
    let names = Elf::small();
    let (at, len) = (names.u64(names.field(STRINGS, SH_OFFSET)), names.u64(names.field(STRINGS, SH_SIZE)));
    let mut bytes = names.0;
    bytes[at as usize..(at + len) as usize].fill(b'n');
    refused(&folder, "kernel", &bytes, "the symbol at offset");
    // Code that the file does not have, and code that seems to be packed: neither is read.
    for (field, value) in [(SH_TYPE, 8), (SH_FLAGS, 6 | 1 << 11)] {
        let Elf(bytes) = Elf::small().section(CODE, field, [value as u8, (value >> 8) as u8, 0, 0]).section(
            CODE,
            SH_SIZE,
            (1_u64 << 63).to_le_bytes(),
        );
        let file = folder.write("odd", &bytes);
        let run = super::limited(&["list", &file], super::MEMORY);
        assert!(run.code == Some(0) && run.out.lines().count() == 2, "{}{}", run.out, run.err);
        let run = super::limited(&["extract", &file], super::MEMORY);
        super::check(&run, &["extract"], "no kallsyms tables");
    }
}

/// A symbol in a section that is not there, a name past all strings, an object before the link.
#[test]
fn symbols_that_are_none() {
    let folder = Folder::new("hostile-elf-symbols");
    let small = Elf::small();
    let first = small.u64(small.field(SYMBOLS, SH_OFFSET)) as usize + ENTRY as usize;
    for section in [9_u16, 0xfeff] {
        let Elf(bytes) = Elf::small().put(first + 6, section.to_le_bytes());
        refused(&folder, "kernel", &bytes, "the symbol at offset");
    }
    let Elf(bytes) = Elf::small().put(first, [0xff; 4]);
    refused(&folder, "kernel", &bytes, "the symbol at offset");
    let Elf(bytes) = Elf::small().put(16, [1, 0]);
    refused(&folder, "kernel", &bytes, "relocatable");
}

/// As many symbols as a file of some megabytes holds, all with the same long name.
#[test]
fn names_that_are_one_name_a_million_times() {
    let folder = Folder::new("hostile-elf-names");
    let long = "n".repeat(1 << 20);
    let mut bytes = linked(&[0x90; 64], &[(&long, FUNCTION, 0, 0x40)]);
    // The table goes on behind the file: the first symbol, again and again.
    let small = Elf(bytes.clone());
    let at = small.u64(small.field(SYMBOLS, SH_OFFSET)) as usize;
    let (entry, end) = (bytes[at + 24..at + 48].to_vec(), bytes.len() as u64);
    bytes.extend(entry.repeat(400_000));
    let Elf(bytes) = Elf(bytes).section(SYMBOLS, SH_OFFSET, end.to_le_bytes()).section(
        SYMBOLS,
        SH_SIZE,
        (24 * 400_000_u64).to_le_bytes(),
    );
    refused(&folder, "kernel", &bytes, "the names up to here have ");
}

/// Mangled names that grow by what they refer to.
#[test]
fn names_that_grow_when_demangled() {
    let folder = Folder::new("hostile-elf-mangled");
    // A pair, then again and again a pair of the last one: 2^20 units.
    let mut name = String::from("_RINvC1a1fTuuE");
    for place in ["8_", "c_", "i_", "o_", "u_", "A_", "G_", "M_", "S_", "Y_"] {
        name += &format!("TB{place}B{place}E");
    }
    name += "E";
    let symbols: Vec<_> = (0..20_000).map(|_| (name.as_str(), FUNCTION, 0, 0x40)).collect();
    let bytes = linked(&[0x90; 64], &symbols);
    let file = folder.write("kernel", &bytes);
    let run = super::limited(&["list", &file], super::MEMORY);
    // Kept mangled where they are too long, refused where they are too many: never without end.
    assert!(matches!(run.code, Some(0 | 3)), "{:?}{}", run.code, run.err);
}

/// Cut at and around everything that a header places.
#[test]
fn truncated_at_every_boundary() {
    let folder = Folder::new("hostile-elf-cut");
    let whole = Elf::small();
    let mut ends = vec![4, 5, 6, 16, 18, 20, E_PHOFF, E_SHOFF, E_SHNUM, 64, 64 + 56, OFFSET as usize];
    for section in [CODE, SYMBOLS, STRINGS] {
        let start = whole.u64(whole.field(section, SH_OFFSET));
        ends.extend([start as usize, (start + whole.u64(whole.field(section, SH_SIZE))) as usize]);
    }
    ends.extend((0..4).map(|section| whole.field(section, 0)));
    ends.push(whole.0.len() - 1);
    for end in ends {
        for end in [end - 1, end] {
            refused(&folder, "kernel", &whole.0[..end.min(whole.0.len() - 1)], "");
        }
    }
}

#[test]
fn archives_are_no_kernels() {
    let folder = Folder::new("hostile-elf-archive");
    let head = format!("{:16}{:12}{:6}{:6}{:8}{:10}`\n", "/0", 0, 0, 0, 644, u64::MAX % 10_000_000_000);
    for magic in ["!<arch>\n", "!<thin>\n"] {
        refused(&folder, "lib.a", format!("{magic}{head}").as_bytes(), "line 1: expected ");
    }
}
