//! A type of BTF as the words of its record, and what each word means.

use std::ops::RangeInclusive;

/// The numbers of the kinds, as the kernel's header gives them.
#[expect(missing_docs, reason = "the names say it")]
pub mod kind {
    pub const VOID: u8 = 0;
    pub const INT: u8 = 1;
    pub const PTR: u8 = 2;
    pub const ARRAY: u8 = 3;
    pub const STRUCT: u8 = 4;
    pub const UNION: u8 = 5;
    pub const ENUM: u8 = 6;
    pub const FWD: u8 = 7;
    pub const TYPEDEF: u8 = 8;
    pub const VOLATILE: u8 = 9;
    pub const CONST: u8 = 10;
    pub const RESTRICT: u8 = 11;
    pub const FUNC: u8 = 12;
    pub const FUNC_PROTO: u8 = 13;
    pub const VAR: u8 = 14;
    pub const DATASEC: u8 = 15;
    pub const FLOAT: u8 = 16;
    pub const DECL_TAG: u8 = 17;
    pub const TYPE_TAG: u8 = 18;
    pub const ENUM64: u8 = 19;
}

/// The kinds that have a meaning.
pub const KNOWN: RangeInclusive<u8> = kind::INT..=kind::ENUM64;

/// What bpftool calls a kind.
pub const NAMES: [&str; 20] = [
    "UNKNOWN",
    "INT",
    "PTR",
    "ARRAY",
    "STRUCT",
    "UNION",
    "ENUM",
    "FWD",
    "TYPEDEF",
    "VOLATILE",
    "CONST",
    "RESTRICT",
    "FUNC",
    "FUNC_PROTO",
    "VAR",
    "DATASEC",
    "FLOAT",
    "DECL_TAG",
    "TYPE_TAG",
    "ENUM64",
];

/// What a word of a record is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// An offset into the strings.
    Name,
    /// The id of a type.
    Type,
    /// Anything else.
    Plain,
}

use Role::{Name, Plain, Type};

/// The words behind the twelve bytes that every record has, of a kind of [`KNOWN`]: once, and for each of `vlen`
/// elements.
#[must_use]
pub fn roles(of: u8) -> Option<(&'static [Role], &'static [Role])> {
    Some(match of {
        kind::INT | kind::VAR | kind::DECL_TAG => (&[Plain], &[]),
        kind::ARRAY => (&[Type, Type, Plain], &[]),
        kind::STRUCT | kind::UNION => (&[], &[Name, Type, Plain]),
        kind::ENUM => (&[], &[Name, Plain]),
        kind::FUNC_PROTO => (&[], &[Name, Type]),
        kind::DATASEC => (&[], &[Type, Plain, Plain]),
        kind::ENUM64 => (&[], &[Name, Plain, Plain]),
        _ if KNOWN.contains(&of) => (&[], &[]),
        _ => return None,
    })
}

/// Whether the third word of a kind is the id of a type, and not a size.
#[must_use]
pub fn refers(of: u8) -> bool {
    matches!(
        of,
        kind::PTR
            | kind::TYPEDEF
            | kind::VOLATILE
            | kind::CONST
            | kind::RESTRICT
            | kind::FUNC
            | kind::FUNC_PROTO
            | kind::VAR
            | kind::DECL_TAG
            | kind::TYPE_TAG
    )
}

/// A word of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Word {
    /// A name; the writer knows its offset.
    Name(Vec<u8>),
    /// The id of a type.
    Type(u32),
    /// Anything else.
    Plain(u32),
    /// Bytes of a kind that nobody knows.
    Bytes(Vec<u8>),
}

impl Word {
    /// The number of a word that is one.
    ///
    /// # Panics
    ///
    /// Where the word is a name.
    #[must_use]
    pub fn number(&self) -> u32 {
        match self {
            Self::Type(number) | Self::Plain(number) => *number,
            Self::Name(_) | Self::Bytes(_) => panic!("{self:?} is no number"),
        }
    }

    /// The name that the word is.
    ///
    /// # Panics
    ///
    /// Where the word is a number.
    #[must_use]
    pub fn name(&self) -> &[u8] {
        match self {
            Self::Name(name) => name,
            _ => panic!("{self:?} is no name"),
        }
    }
}

/// A type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// Empty: anonymous.
    pub name: Vec<u8>,
    /// 7 bits of the info word.
    pub kind: u8,
    /// The highest bit of the info word.
    pub kflag: bool,
    /// 24 bits of the info word: the elements that the record says it has.
    pub vlen: u32,
    /// The third word.
    pub size_or_type: u32,
    /// What follows the third word.
    pub words: Vec<Word>,
}

impl Record {
    /// A record of the three words alone.
    #[must_use]
    pub fn new(kind: u8, name: impl AsRef<[u8]>, size_or_type: u32) -> Self {
        Self { name: name.as_ref().to_vec(), kind, kflag: false, vlen: 0, size_or_type, words: Vec::new() }
    }

    /// The same with the flag of its kind.
    #[must_use]
    pub fn flagged(self) -> Self {
        Self { kflag: true, ..self }
    }

    /// The same with words behind the three; `vlen` stays.
    #[must_use]
    pub fn with(mut self, words: impl IntoIterator<Item = Word>) -> Self {
        self.words.extend(words);
        self
    }

    /// The same with one element more.
    #[must_use]
    pub fn element(mut self, words: impl IntoIterator<Item = Word>) -> Self {
        self.vlen += 1;
        self.with(words)
    }

    /// A signed integer.
    #[must_use]
    pub fn int(name: impl AsRef<[u8]>, bytes: u32) -> Self {
        Self::new(kind::INT, name, bytes).with([Word::Plain((1 << 24) | (bytes * 8))])
    }

    /// `element NAME[count]`
    #[must_use]
    pub fn array(element: u32, index: u32, count: u32) -> Self {
        Self::new(kind::ARRAY, "", 0).with([Word::Type(element), Word::Type(index), Word::Plain(count)])
    }

    /// One member more, of a struct or union; `place` is its bit offset, below the bit size where `kflag`.
    #[must_use]
    pub fn member(self, name: impl AsRef<[u8]>, type_id: u32, place: u32) -> Self {
        self.element([Word::Name(name.as_ref().to_vec()), Word::Type(type_id), Word::Plain(place)])
    }

    /// One enumerator more, of 32 bits.
    #[must_use]
    pub fn enumerator(self, name: impl AsRef<[u8]>, value: u32) -> Self {
        self.element([Word::Name(name.as_ref().to_vec()), Word::Plain(value)])
    }

    /// One enumerator more, of 64 bits.
    #[must_use]
    pub fn enumerator64(self, name: impl AsRef<[u8]>, value: u64) -> Self {
        let (low, high) = (value as u32, (value >> 32) as u32);
        self.element([Word::Name(name.as_ref().to_vec()), Word::Plain(low), Word::Plain(high)])
    }

    /// One parameter more.
    #[must_use]
    pub fn param(self, name: impl AsRef<[u8]>, type_id: u32) -> Self {
        self.element([Word::Name(name.as_ref().to_vec()), Word::Type(type_id)])
    }

    /// One variable of a section more.
    #[must_use]
    pub fn variable(self, type_id: u32, offset: u32, size: u32) -> Self {
        self.element([Word::Type(type_id), Word::Plain(offset), Word::Plain(size)])
    }

    /// A variable; linkage 0 is static, 1 global, 2 extern.
    #[must_use]
    pub fn var(name: impl AsRef<[u8]>, type_id: u32, linkage: u32) -> Self {
        Self::new(kind::VAR, name, type_id).with([Word::Plain(linkage)])
    }

    /// A tag of a declaration: of the whole (-1), or of a member or parameter.
    #[must_use]
    pub fn decl_tag(tag: impl AsRef<[u8]>, target: u32, component: i32) -> Self {
        Self::new(kind::DECL_TAG, tag, target).with([Word::Plain(component.cast_unsigned())])
    }

    /// A function; the linkage is where other kinds have `vlen`.
    #[must_use]
    pub fn func(name: impl AsRef<[u8]>, proto: u32, linkage: u32) -> Self {
        Self { vlen: linkage, ..Self::new(kind::FUNC, name, proto) }
    }

    /// Every id of a type in the record, in order.
    pub fn references(&self) -> impl Iterator<Item = u32> + '_ {
        let first = refers(self.kind).then_some(self.size_or_type);
        first.into_iter().chain(self.words.iter().filter_map(|word| match word {
            Word::Type(id) => Some(*id),
            _ => None,
        }))
    }

    /// The words of every element, in order.
    pub fn elements(&self) -> impl Iterator<Item = &[Word]> {
        let (_, each) = roles(self.kind).unwrap_or_default();
        self.words.chunks_exact(each.len().max(1)).take(if each.is_empty() { 0 } else { usize::MAX })
    }
}
