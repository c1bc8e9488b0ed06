//! BTF of any form, written byte by byte.

use std::collections::HashMap;

use kallsyms_core::linux::Endian;

use super::reader::Decoded;
use super::record::{Record, Word};
use super::words;

/// Bytes of a header without a layout section.
pub const HEADER: u32 = 24;
/// Bytes of a header with one.
pub const HEADER_WITH_LAYOUT: u32 = 32;

/// A field of the header.
#[expect(missing_docs, reason = "the names are the kernel's")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    Magic,
    Version,
    Flags,
    HdrLen,
    TypeOff,
    TypeLen,
    StrOff,
    StrLen,
    LayoutOff,
    LayoutLen,
}

impl Field {
    /// Offset and bytes.
    fn place(self) -> (usize, usize) {
        match self {
            Self::Magic => (0, 2),
            Self::Version => (2, 1),
            Self::Flags => (3, 1),
            Self::HdrLen => (4, 4),
            Self::TypeOff => (8, 4),
            Self::TypeLen => (12, 4),
            Self::StrOff => (16, 4),
            Self::StrLen => (20, 4),
            Self::LayoutOff => (24, 4),
            Self::LayoutLen => (28, 4),
        }
    }
}

/// Size of the records of a kind, as a layout section says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KindLayout {
    /// Bytes behind the first twelve.
    pub info_size: u8,
    /// Bytes of each element.
    pub element_size: u8,
    /// Anything.
    pub flags: u16,
}

/// A file of BTF in the making; everything can be wrong.
#[derive(Debug, Clone)]
pub struct BtfWriter {
    endian: Endian,
    header: Vec<u8>,
    layout: Option<Vec<KindLayout>>,
    dedup: bool,
    split: bool,
    first_id: u32,
    first_string: u32,
    known: HashMap<Vec<u8>, u32>,
    strings: Vec<u8>,
    records: Vec<Vec<u8>>,
    gaps: [Vec<u8>; 3],
    fields: Vec<(Field, u32)>,
    words: Vec<(u32, usize, u32)>,
}

impl BtfWriter {
    /// An empty file: a header of 24 bytes, and the empty string.
    #[must_use]
    pub fn new(endian: Endian) -> Self {
        Self {
            endian,
            header: vec![0; HEADER as usize],
            layout: None,
            dedup: true,
            split: false,
            first_id: 1,
            first_string: 0,
            known: HashMap::from([(Vec::new(), 0)]),
            strings: vec![0],
            records: Vec::new(),
            gaps: Default::default(),
            fields: Vec::new(),
            words: Vec::new(),
        }
    }

    /// An empty file over another, which may be split itself; its names are taken from the other where it has them.
    #[must_use]
    pub fn over(base: &Self) -> Self {
        Self {
            split: true,
            first_id: base.next_id(),
            first_string: base.first_string + base.strings.len() as u32,
            known: base.known.clone(),
            strings: Vec::new(),
            ..Self::new(base.endian)
        }
    }

    /// An empty file over one that was read.
    #[must_use]
    pub fn over_decoded(base: &Decoded) -> Self {
        let mut known = HashMap::new();
        let mut at = 0;
        for string in base.strings.split_inclusive(|&byte| byte == 0) {
            let (_, name) = string.split_last().unwrap_or((&0, b""));
            known.entry(name.to_vec()).or_insert(at);
            at += string.len() as u32;
        }
        Self {
            split: true,
            first_id: base.end_id(),
            first_string: base.strings.len() as u32,
            known,
            strings: Vec::new(),
            ..Self::new(base.endian)
        }
    }

    /// Every name is written anew, however often it comes; the empty one stays 0.
    #[must_use]
    pub fn without_dedup(mut self) -> Self {
        self.dedup = false;
        self.known = HashMap::from([(Vec::new(), 0)]);
        self
    }

    /// A layout section between types and strings, and a header that says so.
    #[must_use]
    pub fn layout(mut self, layout: Vec<KindLayout>) -> Self {
        self.layout = Some(layout);
        self.header.resize(self.header.len().max(HEADER_WITH_LAYOUT as usize), 0);
        self
    }

    /// What stands behind the 24 bytes of the header, as far as no layout is written there.
    #[must_use]
    pub fn header_tail(mut self, tail: &[u8]) -> Self {
        self.header.truncate(HEADER as usize);
        self.header.extend_from_slice(tail);
        self
    }

    /// Bytes before the types, before the layout or the strings, and behind the strings.
    #[must_use]
    pub fn gaps(mut self, before_types: &[u8], behind_types: &[u8], behind_strings: &[u8]) -> Self {
        self.gaps = [before_types.to_vec(), behind_types.to_vec(), behind_strings.to_vec()];
        self
    }

    /// The id that the next record gets.
    #[must_use]
    pub fn next_id(&self) -> u32 {
        self.first_id + self.records.len() as u32
    }

    /// The offset of the first string that is not the base's.
    #[must_use]
    pub fn first_string(&self) -> u32 {
        self.first_string
    }

    /// Bytes of the own strings.
    #[must_use]
    pub fn string_len(&self) -> u32 {
        self.strings.len() as u32
    }

    /// Bytes of the own types.
    #[must_use]
    pub fn type_len(&self) -> u32 {
        self.records.iter().map(|record| record.len() as u32).sum()
    }

    /// The offset of a record in the type section.
    #[must_use]
    pub fn offset(&self, id: u32) -> u32 {
        self.records[..(id - self.first_id) as usize].iter().map(|record| record.len() as u32).sum()
    }

    /// The offset of a name, written where it is not known.
    pub fn string(&mut self, name: &[u8]) -> u32 {
        if let Some(&offset) = self.known.get(name) {
            return offset;
        }
        let offset = self.first_string + self.strings.len() as u32;
        self.raw_strings(&[name, b"\0"].concat());
        if self.dedup {
            self.known.insert(name.to_vec(), offset);
        }
        offset
    }

    /// Bytes at the end of the strings, NUL or not.
    pub fn raw_strings(&mut self, bytes: &[u8]) {
        self.strings.extend_from_slice(bytes);
    }

    /// The id of a type that is appended.
    pub fn push(&mut self, record: &Record) -> u32 {
        let name = self.string(&record.name);
        self.push_at(name, record)
    }

    /// As [`push`](Self::push), of a type whose name is at any offset.
    pub fn push_at(&mut self, name_off: u32, record: &Record) -> u32 {
        let id = self.next_id();
        let info =
            u32::from(record.kflag) << 31 | u32::from(record.kind & 0x7f) << 24 | record.vlen & 0xff_ffff;
        let mut bytes = Vec::new();
        for word in [name_off, info, record.size_or_type] {
            bytes.extend(words::word(self.endian, word));
        }
        for word in &record.words {
            match word {
                Word::Bytes(raw) => bytes.extend(raw),
                Word::Name(name) => bytes.extend(words::word(self.endian, self.string(name))),
                Word::Type(number) | Word::Plain(number) => bytes.extend(words::word(self.endian, *number)),
            }
        }
        self.records.push(bytes);
        id
    }

    /// The id of a record that is appended as it is.
    pub fn push_raw(&mut self, bytes: &[u8]) -> u32 {
        self.records.push(bytes.to_vec());
        self.next_id() - 1
    }

    /// A field of the header says something else.
    #[must_use]
    pub fn with_field(mut self, field: Field, value: u32) -> Self {
        self.fields.push((field, value));
        self
    }

    /// The `at`-th word of a record is something else.
    #[must_use]
    pub fn with_word(mut self, id: u32, at: usize, value: u32) -> Self {
        self.words.push((id, at, value));
        self
    }

    /// The file.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        let [before_types, behind_types, behind_strings] = &self.gaps;
        let layout = self.layout.iter().flatten().flat_map(|kind| {
            let [low, high] = words::half(self.endian, kind.flags);
            [kind.info_size, kind.element_size, low, high]
        });
        let layout: Vec<u8> = layout.collect();
        let type_off = before_types.len() as u32;
        let layout_off = type_off + self.type_len() + behind_types.len() as u32;
        let str_off = layout_off + layout.len() as u32;

        let mut out = self.header.clone();
        let mut set = |field: Field, value: u32| {
            let (at, len) = field.place();
            match len {
                1 => out[at] = value as u8,
                2 => out[at..at + 2].copy_from_slice(&words::half(self.endian, value as u16)),
                _ => out[at..at + 4].copy_from_slice(&words::word(self.endian, value)),
            }
        };
        set(Field::Magic, 0xeb9f);
        set(Field::Version, 1);
        set(Field::HdrLen, self.header.len() as u32);
        set(Field::TypeOff, type_off);
        set(Field::TypeLen, self.type_len());
        set(Field::StrOff, str_off);
        set(Field::StrLen, self.string_len());
        if self.layout.is_some() {
            set(Field::LayoutOff, layout_off);
            set(Field::LayoutLen, layout.len() as u32);
        }
        for &(field, value) in &self.fields {
            set(field, value);
        }
        out.extend(before_types);
        for (id, record) in (self.first_id..).zip(&self.records) {
            let mut record = record.clone();
            for &(_, at, value) in self.words.iter().filter(|(of, ..)| *of == id) {
                record[at * 4..at * 4 + 4].copy_from_slice(&words::word(self.endian, value));
            }
            out.extend(record);
        }
        for section in [behind_types, &layout, &self.strings, behind_strings] {
            out.extend(section);
        }
        out
    }

    /// Whether the file is split.
    #[must_use]
    pub fn is_split(&self) -> bool {
        self.split
    }
}
