//! `.BTF.ext`, written byte by byte: what the instructions of a program have to do with its types.

use kallsyms_core::linux::Endian;

use super::words;

/// Records of one section of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section<const WORDS: usize> {
    /// Offset of the section's name in the strings of the BTF.
    pub name_off: u32,
    /// The records; an instruction's offset comes first.
    pub records: Vec<[u32; WORDS]>,
}

/// A `.BTF.ext` in the making.
#[derive(Debug, Clone, Default)]
pub struct ExtWriter {
    /// Instruction, type of the function.
    pub func_info: Vec<Section<2>>,
    /// Instruction, offset of the file's name, offset of the line's text, line and column.
    pub line_info: Vec<Section<4>>,
    /// Instruction, type, offset of the access string, kind of relocation. `None`: a header of 24 bytes, which
    /// knows none.
    pub core_relo: Option<Vec<Section<4>>>,
    /// Words at the end of every record that this version has not.
    pub padding: usize,
}

impl ExtWriter {
    /// The file.
    #[must_use]
    pub fn bytes(&self, endian: Endian) -> Vec<u8> {
        let mut parts = vec![self.part(endian, &self.func_info), self.part(endian, &self.line_info)];
        parts.extend(self.core_relo.as_ref().map(|sections| self.part(endian, sections)));
        let mut out = words::half(endian, 0xeb9f).to_vec();
        out.extend([1, 0]);
        out.extend(words::word(endian, 8 + 8 * parts.len() as u32));
        let mut offset = 0;
        for part in &parts {
            out.extend(words::word(endian, offset));
            out.extend(words::word(endian, part.len() as u32));
            offset += part.len() as u32;
        }
        out.extend(parts.concat());
        out
    }

    /// The bytes of a record, then each section; nothing where there is none.
    fn part<const WORDS: usize>(&self, endian: Endian, sections: &[Section<WORDS>]) -> Vec<u8> {
        let mut out: Vec<u32> = Vec::new();
        if sections.is_empty() {
            return Vec::new();
        }
        out.push(4 * (WORDS + self.padding) as u32);
        for section in sections {
            out.extend([section.name_off, section.records.len() as u32]);
            for record in &section.records {
                out.extend(record);
                out.extend(vec![0xffff_ffff; self.padding]);
            }
        }
        out.into_iter().flat_map(|word| words::word(endian, word)).collect()
    }
}

/// A `.BTF.ext` with every type id in it replaced, and nothing else: by its own walk over the sections.
///
/// # Panics
///
/// Where it is not sound.
#[must_use]
pub fn with_ids(bytes: &[u8], mut new_id: impl FnMut(u32) -> u32) -> Vec<u8> {
    let endian = if bytes.starts_with(&[0x9f, 0xeb]) { Endian::Little } else { Endian::Big };
    let read = |at: usize| words::read(endian, bytes, at).expect("a whole file") as usize;
    let hdr_len = read(4);
    let mut out = bytes.to_vec();
    // func_info and core_relo; a line has no type.
    for field in [8, 24].into_iter().filter(|field| field + 8 <= hdr_len) {
        let (start, len) = (hdr_len + read(field), read(field + 4));
        if len == 0 {
            continue;
        }
        let record = read(start);
        let mut at = start + 4;
        while at < start + len {
            let count = read(at + 4);
            at += 8;
            for _ in 0..count {
                let id = new_id(read(at + 4) as u32);
                out[at + 4..at + 8].copy_from_slice(&words::word(endian, id));
                at += record;
            }
        }
    }
    out
}
