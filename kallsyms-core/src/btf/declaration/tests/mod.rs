//! BTF in words, and the declarations of its types.

extern crate std;

use std::string::{String, ToString};
use std::vec::Vec;

use crate::btf::{Btf, TypeId};

const INT: u32 = 1;
const POINTER: u32 = 2;
const ARRAY: u32 = 3;
const STRUCT: u32 = 4;
const UNION: u32 = 5;
const ENUM: u32 = 6;
const FORWARD: u32 = 7;
const TYPEDEF: u32 = 8;
const VOLATILE: u32 = 9;
const CONST: u32 = 10;
const RESTRICT: u32 = 11;
const FUNC: u32 = 12;
const FUNC_PROTO: u32 = 13;
const VAR: u32 = 14;
const DATASEC: u32 = 15;
const FLOAT: u32 = 16;
const DECL_TAG: u32 = 17;
const TYPE_TAG: u32 = 18;
const ENUM64: u32 = 19;

mod hostile;
mod names;
mod records;

/// `int`, in all of [`Types`].
const INT_ID: u32 = 1;
/// `char`.
const CHAR_ID: u32 = 2;
/// What is inside of a definition is written so often.
const BUDGET: usize = 1 << 16;

/// BTF in the making; ids are given in order, from 1.
struct Types {
    records: Vec<u32>,
    strings: Vec<u8>,
    count: u32,
}

impl Types {
    /// With `int` as type 1 and `char` as type 2.
    fn new() -> Self {
        let mut types = Self { records: Vec::new(), strings: [0].to_vec(), count: 0 };
        assert_eq!((types.int("int", 4), types.int("char", 1)), (INT_ID, CHAR_ID));
        types
    }

    fn name(&mut self, name: impl AsRef<[u8]>) -> u32 {
        if name.as_ref().is_empty() {
            return 0;
        }
        let offset = self.strings.len() as u32;
        self.strings.extend_from_slice(name.as_ref());
        self.strings.push(0);
        offset
    }

    fn push(&mut self, kind: u32, name: impl AsRef<[u8]>, vlen: u32, size: u32, words: &[u32]) -> u32 {
        let name = self.name(name);
        self.records.extend_from_slice(&[name, kind << 24 | vlen, size]);
        self.records.extend_from_slice(words);
        self.count += 1;
        self.count
    }

    fn int(&mut self, name: &str, bytes: u32) -> u32 {
        self.push(INT, name, 0, bytes, &[bytes * 8])
    }

    /// A pointer, modifier, typedef, variable and so on.
    fn of(&mut self, kind: u32, name: &str, target: u32) -> u32 {
        let words: &[u32] = if matches!(kind, VAR | DECL_TAG) { &[0] } else { &[] };
        self.push(kind, name, 0, target, words)
    }

    /// What is around a type, the one next to it first.
    fn around(&mut self, id: u32, kinds: &[u32]) -> u32 {
        kinds.iter().fold(id, |id, &kind| self.of(kind, "", id))
    }

    fn array(&mut self, element: u32, len: u32) -> u32 {
        self.push(ARRAY, "", 0, 0, &[element, 1, len])
    }

    fn params(&mut self, result: u32, params: &[(&str, u32)]) -> u32 {
        let words: Vec<u32> = params.iter().flat_map(|&(name, id)| [self.name(name), id]).collect();
        self.push(FUNC_PROTO, "", params.len() as u32, result, &words)
    }

    /// A struct or union; each member with its bit offset, and a bit field's bits, or 0.
    fn record(&mut self, kind: u32, name: &str, size: u32, members: &[(&str, u32, u32, u32)]) -> u32 {
        let word = |name, &(_, id, offset, bits): &(&str, u32, u32, u32)| [name, id, bits << 24 | offset];
        let words: Vec<u32> = members.iter().flat_map(|member| word(self.name(member.0), member)).collect();
        self.push(kind, name, 1 << 31 | members.len() as u32, size, &words)
    }

    fn values(&mut self, name: &str, size: u32, signed: bool, values: &[(&str, u32)]) -> u32 {
        let words: Vec<u32> = values.iter().flat_map(|&(name, value)| [self.name(name), value]).collect();
        self.push(ENUM, name, u32::from(signed) << 31 | values.len() as u32, size, &words)
    }

    fn values64(&mut self, name: &str, signed: bool, values: &[(&str, u64)]) -> u32 {
        let word = |name, value: u64| [name, value as u32, (value >> 32) as u32];
        let words: Vec<u32> = values.iter().flat_map(|&(name, value)| word(self.name(name), value)).collect();
        self.push(ENUM64, name, u32::from(signed) << 31 | values.len() as u32, 8, &words)
    }

    fn bytes(&self) -> Vec<u8> {
        let types = self.records.len() as u32 * 4;
        let header = [0x0001_eb9f, 24, 0, types, types, self.strings.len() as u32];
        let words = header.iter().chain(&self.records);
        let mut bytes: Vec<u8> = words.flat_map(|word| word.to_le_bytes()).collect();
        bytes.extend_from_slice(&self.strings);
        bytes
    }

    fn declaration(&self, id: u32) -> String {
        let bytes = self.bytes();
        let btf = Btf::parse(&bytes).expect("is sound");
        btf.type_by_id(TypeId(id)).expect("is there").declaration().to_string()
    }
}
