//! Linked ELF files, put together byte by byte.

use kallsyms_core::image::layout::MAGIC;

/// Where they are loaded.
pub(crate) const BASE: u64 = 0xffff_ffff_8100_0000;

/// A function or an object: its name, its type as ELF has it, its offset in the code, its bytes.
pub(crate) type Symbol<'s> = (&'s str, u64, u64, u64);

pub(crate) const OBJECT: u64 = 1;
pub(crate) const FUNCTION: u64 = 2;

/// Bytes in front of what is loaded.
pub(crate) const OFFSET: u64 = 0x1000;
/// Bytes of a symbol.
pub(crate) const ENTRY: u64 = 24;

fn words(words: &[u64]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn pair(low: u32, high: u32) -> u64 {
    u64::from(low) | u64::from(high) << 32
}

/// A file that loads an image at [`BASE`], with these symbols in it.
pub(crate) fn linked(image: &[u8], symbols: &[Symbol<'_>]) -> Vec<u8> {
    let size = image.len() as u64;
    // No symbol comes first.
    let (mut names, mut entries) = (vec![0], words(&[0; 3]));
    for &(name, kind, offset, size) in symbols {
        // A global one of section 1.
        entries.extend(words(&[names.len() as u64 | (0x0001_0010 | kind) << 32, BASE + offset, size]));
        names.extend(name.bytes().chain([0]));
    }
    let table = OFFSET + size.next_multiple_of(8);
    let table_len = entries.len() as u64;
    let strings = table + table_len;
    let headers = strings + names.len().next_multiple_of(8) as u64;
    let mut file = b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0".to_vec();
    // ET_EXEC of x86-64, entry, one segment behind this header, four section headers at the end.
    file.extend(words(&[0x0001_003e_0002, BASE, 64, headers, 0x0038_0040_0000_0000, 0x0003_0004_0040_0001]));
    file.extend(words(&[pair(1, 7), OFFSET, BASE, BASE, size, size, OFFSET]));
    for (at, bytes) in [
        (OFFSET, image),
        (table, &entries),
        (strings, &names),
        // None, code that is loaded, the symbol table, its names.
        (headers, &words(&[0; 8])),
        (headers + 64, &words(&[pair(0, 1), 6, BASE, OFFSET, size, 0, 16, 0])),
        (headers + 128, &words(&[pair(0, 2), 0, 0, table, table_len, pair(3, 1), 8, ENTRY])),
        (headers + 192, &words(&[pair(0, 3), 0, 0, strings, headers - strings, 0, 1, 0])),
    ] {
        file.resize(at as usize, 0);
        file.extend(bytes);
    }
    file
}

/// A kernel of so many bytes with a reservation of 4 KiB.
pub(crate) fn kernel(len: usize) -> Vec<u8> {
    let mut image = vec![0x90; len];
    image[0x100..0x1100].fill(0);
    image[0x100..0x108].copy_from_slice(&MAGIC);
    linked(
        &image,
        &[("start", FUNCTION, 0, 0x40), ("work", FUNCTION, 0x40, 0x40), ("TABLE", OBJECT, 0x100, 0x1000)],
    )
}
