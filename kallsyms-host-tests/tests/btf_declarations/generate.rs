//! Types at random, sound but of forms that nobody writes.

use std::collections::{HashMap, HashSet};

use kallsyms_core::btf::Endian;
use kallsyms_host_tests::btf::record::{Word, kind, refers};
use kallsyms_host_tests::btf::sources::Source;
use kallsyms_host_tests::btf::{BtfWriter, Decoded, Record};

/// How many types are defined.
pub(crate) const DEFINITIONS: usize = 3_000;

/// BTF with so many definitions, where pointers have so many bytes.
pub(crate) fn source(endian: Endian, pointer: u32, seed: u64) -> Source {
    let mut types = Types::new(endian, pointer, seed);
    for number in 0..DEFINITIONS {
        types.definition(number);
    }
    let name = format!("{DEFINITIONS} made up, {endian:?}-endian, pointers of {pointer}, seed {seed:#x}");
    Source { name, bytes: types.writer.bytes(), base: None, ext: None }
}

/// The same, but some refer to any other, and have any number: circles, and sizes that cannot be.
pub(crate) fn tangled(seed: u64) -> Vec<u8> {
    let mut types = Types::new(Endian::Little, 8, seed);
    let sound = source(Endian::Little, 8, seed);
    let Decoded { records, .. } = Decoded::read(&sound.bytes, None).expect("is sound");
    let mut writer = BtfWriter::new(Endian::Little);
    for (id, mut record) in (1..).zip(records) {
        let mut near = || (id + types.below(16)).saturating_sub(8);
        if refers(record.kind) && id % 3 == 0 {
            record.size_or_type = near();
        }
        for word in &mut record.words {
            match word {
                Word::Type(other) if id % 4 == 0 => *other = near(),
                Word::Plain(number) if id % 16 == 0 => *number = near() << 20,
                _ => {}
            }
        }
        writer.push(&record);
    }
    writer.bytes()
}

struct Types {
    writer: BtfWriter,
    /// Bytes of a pointer.
    pointer: u32,
    random: u64,
    /// Types that can be anywhere.
    leaves: Vec<u32>,
    /// Bytes of those that have some.
    sizes: HashMap<u32, u32>,
    anonymous_enums: HashSet<u32>,
    values: u32,
}

impl Types {
    fn new(endian: Endian, pointer: u32, seed: u64) -> Self {
        let mut types = Self {
            writer: BtfWriter::new(endian),
            pointer,
            random: seed,
            leaves: Vec::new(),
            sizes: HashMap::new(),
            anonymous_enums: HashSet::new(),
            values: 0,
        };
        for (name, size) in [
            ("long int", pointer),
            ("long long int", 8),
            ("int", 4),
            ("short int", 2),
            ("char", 1),
            ("__int128", 16),
        ] {
            types.leaf(&Record::int(name, size), size);
        }
        types.leaf(&Record::new(kind::FLOAT, "double", 8), 8);
        types
    }

    fn below(&mut self, end: u32) -> u32 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        (self.random.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as u32 % end
    }

    fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len() as u32) as usize]
    }

    fn push(&mut self, record: &Record, size: u32) -> u32 {
        let id = self.writer.push(record);
        self.sizes.insert(id, size);
        id
    }

    fn leaf(&mut self, record: &Record, size: u32) {
        let id = self.push(record, size);
        self.leaves.push(id);
    }

    fn definition(&mut self, number: usize) {
        match self.below(8) {
            0 => {
                let (record, size) = self.values(&format!("e{number}"));
                self.leaf(&record, size);
            }
            1..4 => {
                let of = self.anything();
                let size = self.sizes.get(&of).copied();
                let id = self.writer.push(&Record::new(kind::TYPEDEF, format!("t{number}"), of));
                if let Some(size) = size {
                    self.sizes.insert(id, size);
                    self.leaves.push(id);
                }
            }
            _ => {
                let (record, size) = self.members(&format!("s{number}"), 0);
                self.leaf(&record, size);
            }
        }
    }

    fn values(&mut self, name: &str) -> (Record, u32) {
        let is_wide = self.below(2) == 0;
        let size = if is_wide { 8 } else { self.one_of(&[1, 4, 4, 8]) };
        let mut record = Record::new(if is_wide { kind::ENUM64 } else { kind::ENUM }, name, size);
        record.kflag = self.below(2) == 0;
        for _ in 0..1 + self.below(4) {
            self.values += 1;
            let name = format!("V{}", self.values);
            let value = [0, 1, u64::MAX, 1 << 31, 1 << 63, 0x1234_5678_9abc][self.below(6) as usize];
            record = if is_wide {
                record.enumerator64(name, value)
            } else {
                record.enumerator(name, value as u32)
            };
        }
        (record, size)
    }

    /// A type with a size.
    fn sized(&mut self, depth: u32) -> u32 {
        let mut id = match self.below(12) {
            0 if depth < 5 => {
                let (record, size) = self.members("", depth + 1);
                self.push(&record, size)
            }
            1 => {
                let (record, size) = self.values("");
                let id = self.push(&record, size);
                self.anonymous_enums.insert(id);
                id
            }
            2..5 => {
                let target = self.target(depth);
                self.push(&Record::new(kind::PTR, "", target), self.pointer)
            }
            _ => {
                let leaves = std::mem::take(&mut self.leaves);
                let leaf = self.one_of(&leaves);
                self.leaves = leaves;
                leaf
            }
        };
        for _ in 0..self.below(3) * self.below(2) {
            let size = self.sizes[&id];
            let modifier = self.one_of(&[kind::CONST, kind::VOLATILE, kind::RESTRICT]);
            id = match self.below(4) {
                0 => self.push(&Record::new(modifier, "", id), size),
                1 if size < 1 << 10 => {
                    let count = self.below(4);
                    self.push(&Record::array(id, 1, count), size * count)
                }
                _ => self.push(&Record::new(kind::PTR, "", id), self.pointer),
            };
        }
        id
    }

    /// What a pointer may point to.
    fn target(&mut self, depth: u32) -> u32 {
        match self.below(8) {
            0 => 0,
            1 => self.writer.push(&Record::new(kind::CONST, "", 0)),
            2 => {
                let mut forward = Record::new(kind::FWD, format!("later{depth}"), 0);
                forward.kflag = depth.is_multiple_of(2);
                self.writer.push(&forward)
            }
            3 => {
                let of = self.sized(depth + 1);
                self.writer.push(&Record::new(kind::TYPE_TAG, "user", of))
            }
            4 | 5 if depth < 5 => self.function(depth + 1),
            _ => self.sized(depth + 1),
        }
    }

    fn function(&mut self, depth: u32) -> u32 {
        let mut result = if self.below(2) == 0 { 0 } else { self.sized(depth) };
        if self.anonymous_enums.contains(&result) {
            // Not known to bpftool as part of something: it would be printed on its own, too.
            result = self.writer.push(&Record::new(kind::CONST, "", result));
        }
        let mut record = Record::new(kind::FUNC_PROTO, "", result);
        for number in 0..self.below(4) {
            let of = self.sized(depth);
            let name = if self.below(2) == 0 { String::new() } else { format!("p{number}") };
            record = record.param(name, of);
        }
        if self.below(3) == 0 {
            record = record.param("", 0);
        }
        let function = self.writer.push(&record);
        if self.below(8) == 0 {
            return self.writer.push(&Record::new(kind::VOLATILE, "", function));
        }
        function
    }

    fn anything(&mut self) -> u32 {
        match self.below(4) {
            0 => self.function(0),
            1 => self.target(0),
            _ => self.sized(0),
        }
    }

    /// A struct or union, with gaps and bit fields, and its bytes.
    fn members(&mut self, name: &str, depth: u32) -> (Record, u32) {
        let is_union = self.below(4) == 0;
        let mut record = Record::new(if is_union { kind::UNION } else { kind::STRUCT }, name, 0);
        record.kflag = self.below(2) == 0;
        let (mut end, mut size) = (0_u32, 0_u32);
        for number in 0..self.below(6) {
            let name = format!("m{number}");
            let is_bit_field = record.kflag && self.below(2) == 0;
            let (of, bits) =
                if is_bit_field { (1 + self.below(4), 1 + self.below(8)) } else { (self.sized(depth), 0) };
            let unit = if is_bit_field { 1 } else { 8 };
            let align = self.one_of(&[unit, unit, 8, 16, 32, 64, 64, 64, 512]).max(unit);
            let gap = self.one_of(&[0, 0, 0, 0, 1, 3, 9, 40]) * unit;
            let at = if is_union { 0 } else { (end + gap).next_multiple_of(align) };
            end = at + if bits == 0 { self.sizes[&of] * 8 } else { bits };
            size = size.max(end);
            record = record.member(name, of, bits << 24 | at);
        }
        let align = self.one_of(&[1, 1, 4, 8, 8, 8, 64]);
        record.size_or_type =
            size.div_ceil(8).next_multiple_of(align) + self.one_of(&[0, 0, 0, 0, 1, 8, 100]);
        (record.clone(), record.size_or_type)
    }
}
