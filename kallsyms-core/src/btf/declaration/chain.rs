//! From the type of an element to the type that its declaration begins with.

use heapless::Vec;

use crate::btf::btf::Btf;
use crate::btf::format::MAX_DEPTH;
use crate::btf::kind::Kind;
use crate::btf::type_id::TypeId;
use crate::btf::types::Type;
use crate::num::index;

/// How many links there are at most.
const LINKS: usize = index(MAX_DEPTH);

/// Types that are written around a name, the one next to the name first.
///
/// Only what they are is kept; who needs more of one goes there from the start.
pub(super) struct Chain {
    start: TypeId,
    parts: Vec<Part, LINKS, u8>,
    /// Where it ends; `None` where there are too many links, or one leads nowhere.
    pub(super) end: Option<TypeId>,
}

/// What a link puts around a name.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Pointer,
    Array,
    Function,
    Const,
    Volatile,
    Restrict,
    Tag,
}

impl Part {
    /// The word of a modifier.
    pub(super) const fn modifier(self) -> Option<&'static str> {
        match self {
            Self::Const => Some("const"),
            Self::Volatile => Some("volatile"),
            Self::Restrict => Some("restrict"),
            _ => None,
        }
    }
}

impl Chain {
    pub(super) fn new(btf: &Btf<'_>, start: TypeId) -> Self {
        let mut parts = Vec::new();
        let mut id = start;
        let end = loop {
            match btf.type_by_id(id).map(|found| link(&found)) {
                None => break None,
                Some(None) => break Some(id),
                Some(Some((part, behind))) => match parts.push(part) {
                    Ok(()) => id = behind,
                    Err(_) => break None,
                },
            }
        };
        Self { start, parts, end }
    }

    /// What the links are, the one next to the name first.
    pub(super) fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The type of a link.
    #[inline(never)]
    pub(super) fn link(&self, btf: &Btf<'_>, at: usize) -> Option<TypeId> {
        let mut id = self.start;
        for _ in 0..at {
            (_, id) = link(&btf.type_by_id(id)?)?;
        }
        Some(id)
    }

    /// The modifiers that are written before the type at the end.
    pub(super) fn leading(&self) -> impl Iterator<Item = &'static str> {
        self.parts.iter().rev().map_while(|part| part.modifier())
    }

    /// What a link is put around: the next array, function or pointer on the way to the name.
    ///
    /// Modifiers of arrays and functions are left out: gcc notes those of an array's elements a second time, and
    /// `volatile` of functions that do not return.
    pub(super) fn around(&self, at: usize) -> Option<Part> {
        let mut parts = self.parts.get(..at)?.iter().rev().copied();
        parts.find(|part| matches!(part, Part::Pointer | Part::Array | Part::Function))
    }
}

/// What a type puts around a name, and the type behind it; `None` of a type that is written itself.
fn link(of: &Type<'_>) -> Option<(Part, TypeId)> {
    let part = match of.kind() {
        Kind::Pointer => Part::Pointer,
        Kind::Array => Part::Array,
        Kind::FuncProto => Part::Function,
        Kind::Const => Part::Const,
        Kind::Volatile => Part::Volatile,
        Kind::Restrict => Part::Restrict,
        Kind::TypeTag => Part::Tag,
        _ => return None,
    };
    let behind = if part == Part::Array { of.word() } else { of.size_or_type() };
    Some((part, TypeId(behind)))
}
