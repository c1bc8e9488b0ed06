//! `btf`, and the BTF that `extract` finds.

mod dump;
mod files;
mod find;
mod sort;

use std::io::Write as _;
use std::process::Output;

use kallsyms_core::btf::{Btf, Kind, SortedBtf};
use kallsyms_gen::btf::sort;

use crate::extract::{image, listing};
use crate::{Folder, Run, kallsyms, kallsyms_with_input};

/// A type: its name, and the words behind the offset of the name.
type Record<'r> = (&'r str, &'r [u32]);

const INT: u32 = 1 << 24;
const POINTER: u32 = 2 << 24;
const STRUCT: u32 = 4 << 24;
const TYPEDEF: u32 = 8 << 24;
const FUNC_PROTO: u32 = 13 << 24;
const FUNC: u32 = 12 << 24;

/// A small kernel's, in no order; member names are offsets 1 (`i`) and 3 (`next`).
const KERNEL: [Record<'_>; 7] = [
    ("int", &[INT, 4, 0x0100_0020]),
    ("task", &[STRUCT | 2, 16, 1, 1, 0, 3, 3, 64]),
    ("", &[POINTER, 2]),
    ("do_work", &[FUNC, 5]),
    ("", &[FUNC_PROTO | 1, 1, 1, 1]),
    ("task", &[TYPEDEF, 2]),
    ("c_int", &[TYPEDEF, 1]),
];

/// The names of elements, first among the strings of a kernel's.
const STRINGS: &[u8] = b"\0i\0next\0";

/// BTF whose strings go on from a number of bytes; `big` is its byte order.
fn btf_over(first_string: usize, start: &[u8], records: &[Record<'_>], big: bool) -> Vec<u8> {
    let mut strings = start.to_vec();
    let mut words = Vec::new();
    for (name, record) in records {
        words.push(if name.is_empty() { 0 } else { (first_string + strings.len()) as u32 });
        words.extend(*record);
        if !name.is_empty() {
            strings.extend(name.as_bytes());
            strings.push(0);
        }
    }
    let types_len = 4 * words.len() as u32;
    let header = [24, 0, types_len, types_len, strings.len() as u32];
    let bytes = |word: u32| if big { word.to_be_bytes() } else { word.to_le_bytes() };
    let mut out = if big { vec![0xeb, 0x9f, 1, 0] } else { vec![0x9f, 0xeb, 1, 0] };
    out.extend(header.into_iter().chain(words).flat_map(bytes));
    out.extend(strings);
    out
}

fn btf(big: bool) -> Vec<u8> {
    btf_over(0, STRINGS, &KERNEL, big)
}

/// The BTF of a module over that: its types begin at 8.
fn module(big: bool) -> Vec<u8> {
    let base = Btf::parse(&btf(big)).expect("is sound").strings_len();
    btf_over(base, b"", &[("zone", &[STRUCT | 1, 4, 1, 1, 0]), ("task", &[FUNC, 5])], big)
}

/// `.BTF.ext` with one function, of type 4.
fn ext() -> Vec<u8> {
    let words = [24_u32, 0, 20, 20, 0, 8, 1, 1, 0, 4];
    let mut bytes = vec![0x9f, 0xeb, 1, 0];
    bytes.extend(words.into_iter().flat_map(u32::to_le_bytes));
    bytes
}

/// An object file with these sections.
fn elf(sections: &[(&str, &[u8])]) -> Vec<u8> {
    use object::write::Object;
    use object::{Architecture, BinaryFormat, Endianness, SectionKind};
    let mut file = Object::new(BinaryFormat::Elf, Architecture::X86_64, Endianness::Little);
    for (name, data) in sections {
        let id = file.add_section(Vec::new(), name.as_bytes().to_vec(), SectionKind::Other);
        file.append_section_data(id, data, 1);
    }
    file.write().expect("is written")
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).expect("written");
    encoder.finish().expect("packed")
}

const FOUND: &str = "[2] STRUCT 'task'\n[6] TYPEDEF 'task'\n";

fn found(run: &Run) -> (Option<i32>, &str, &str) {
    (run.code, &run.out, &run.err)
}
