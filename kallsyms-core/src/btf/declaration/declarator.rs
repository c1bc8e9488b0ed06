//! The declaration of one element: type, name, and what stands around the name.
//!
//! In C a type is written from the inside out: `int (*name)[3]` is a pointer to an array of `int`. What is left of
//! the name is written from the end of the [`Chain`] to the name, what is right of it from the name to the end.

use core::fmt;

use super::chain::{Chain, Part};
use super::element::Element;
use super::frame::Place;
use super::writer::Writer;
use crate::btf::kind::Kind;
use crate::btf::type_id::TypeId;
use crate::btf::types::Shape;
use crate::num::{count, numbered};

/// How a declaration goes on.
pub(super) enum Next {
    /// It is written.
    Done,
    /// With the members of this struct or union.
    Members(TypeId),
    /// With the values of this enum.
    Values(TypeId),
    /// With the parameters of this function, and then from that place on.
    Params(TypeId, Place),
}

impl<'b> Writer<'_, '_, 'b> {
    /// Writes an element from a place on, up to its end or to what has elements itself.
    #[inline(never)]
    pub(super) fn declarator(&mut self, element: &Element<'b>, place: Place) -> Result<Next, fmt::Error> {
        let chain = Chain::new(self.btf, element.type_id);
        if let Place::Before = place {
            chain.leading().try_for_each(|word| {
                self.out.write_str(word)?;
                self.out.write_str(" ")
            })?;
            let next = self.base(chain.end)?;
            if !matches!(next, Next::Done) {
                return Ok(next);
            }
        }
        if !matches!(place, Place::Behind(_)) {
            self.left(&chain, element.name)?;
        }
        self.right(&chain, if let Place::Behind(link) = place { link.into() } else { 0 })
    }

    /// Writes the type that the declaration begins with, up to the elements that it may have.
    #[inline(never)]
    fn base(&mut self, end: Option<TypeId>) -> Result<Next, fmt::Error> {
        let Some(end) = &end.and_then(|end| self.btf.type_by_id(end)) else {
            self.out.write_str("...")?;
            return Ok(Next::Done);
        };
        let is_anonymous = end.name().is_empty();
        match end.kind() {
            Kind::Void => self.out.write_str("void")?,
            Kind::Int | Kind::Float | Kind::Typedef => self.text(end.name())?,
            Kind::Struct | Kind::Union if is_anonymous => {
                self.head(end)?;
                if self.may_open(end.vlen()) {
                    self.out.write_str(" {")?;
                    return Ok(Next::Members(end.id()));
                }
                self.out.write_str(" { ... }")?;
            }
            Kind::Enum | Kind::Enum64 if is_anonymous && self.may_write(end.vlen()) => {
                return Ok(Next::Values(end.id()));
            }
            Kind::Enum | Kind::Enum64 if is_anonymous => self.out.write_str("enum { ... }")?,
            Kind::Struct | Kind::Union | Kind::Forward | Kind::Enum | Kind::Enum64 => self.head(end)?,
            _ => self.out.write_str("...")?,
        }
        Ok(Next::Done)
    }

    /// Writes what is left of the name, behind the type that the declaration begins with, and the name.
    #[inline(never)]
    fn left(&mut self, chain: &Chain, name: &[u8]) -> fmt::Result {
        // The one before, which may be next to a pointer or name without a space, and takes no modifiers.
        let mut before = None;
        let behind = chain.parts().len().saturating_sub(count(chain.leading()));
        for at in (0..behind).rev() {
            let Some(&part) = chain.parts().get(at) else { break };
            let around = chain.around(at);
            match part {
                Part::Pointer if before.is_none() => self.out.write_str(" *")?,
                Part::Pointer => self.out.write_str("*")?,
                Part::Array | Part::Function if around.is_none() => break,
                Part::Array => {
                    self.out.write_str(if before.is_some() || name.is_empty() { "" } else { " " })?;
                    self.out.write_str(if around == Some(Part::Array) { "" } else { "(" })?;
                }
                Part::Function => self.out.write_str(" (")?,
                _ if matches!(before, Some(Part::Array | Part::Function)) => continue,
                Part::Tag => self.tag(chain.link(self.btf, at))?,
                Part::Const | Part::Volatile | Part::Restrict => {
                    self.out.write_str(" ")?;
                    self.out.write_str(part.modifier().unwrap_or_default())?;
                }
            }
            before = matches!(part, Part::Pointer | Part::Array | Part::Function).then_some(part);
        }
        let is_apart = before.is_some() || name.is_empty();
        self.out.write_str(if is_apart { "" } else { " " })?;
        self.text(name)
    }

    /// Writes what is right of the name from a link on, up to the parameters of a function.
    #[inline(never)]
    fn right(&mut self, chain: &Chain, from: usize) -> Result<Next, fmt::Error> {
        for (at, part) in numbered(chain.parts().iter()).skip(from) {
            if !matches!(part, Part::Array | Part::Function) {
                continue;
            }
            let Some(id) = chain.link(self.btf, at) else { continue };
            let around = chain.around(at);
            let is_enclosed = around.is_some_and(|around| (around, *part) != (Part::Array, Part::Array));
            self.out.write_str(if is_enclosed { ")" } else { "" })?;
            if *part == Part::Array {
                self.length(id)?;
            } else if self.params(id)? {
                let behind = u8::try_from(at).unwrap_or_default().saturating_add(1);
                return Ok(Next::Params(id, Place::Behind(behind)));
            }
        }
        Ok(Next::Done)
    }

    /// Writes `[length]`.
    #[inline(never)]
    fn length(&mut self, of: TypeId) -> fmt::Result {
        let Some(found) = self.btf.type_by_id(of) else { return Ok(()) };
        let Shape::Array(array) = found.shape() else { return Ok(()) };
        self.out.write_str("[")?;
        self.number(array.len.into())?;
        self.out.write_str("]")
    }

    /// Writes `(`, and all up to `)` if there are no parameters to write; whether there are.
    #[inline(never)]
    fn params(&mut self, of: TypeId) -> Result<bool, fmt::Error> {
        let Some(found) = self.btf.type_by_id(of) else { return Ok(false) };
        let Shape::FuncProto { mut params, .. } = found.shape() else { return Ok(false) };
        let count = u32::try_from(params.len()).unwrap_or(u32::MAX);
        let first = params.next();
        if first.is_none_or(|first| first.type_id == TypeId::VOID && count == 1) {
            self.out.write_str("(void)")?;
            return Ok(false);
        }
        let opens = self.may_open(count);
        self.out.write_str(if opens { "(" } else { "(...)" })?;
        Ok(opens)
    }

    /// Writes a tag.
    #[inline(never)]
    fn tag(&mut self, id: Option<TypeId>) -> fmt::Result {
        self.out.write_str(" __attribute__((btf_type_tag(\"")?;
        self.text(self.name_of(id))?;
        self.out.write_str("\")))")
    }

    #[inline(never)]
    fn name_of(&self, id: Option<TypeId>) -> &'b [u8] {
        let found = id.and_then(|id| self.btf.type_by_id(id));
        found.map(|found| found.name()).unwrap_or_default()
    }
}
