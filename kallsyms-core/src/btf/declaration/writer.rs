//! Writes a declaration, what is inside of what with a stack of its own.

use core::fmt;

use super::declarator::Next;
use super::element::Element;
use super::frame::{Body, Frame, Place};
use super::padding::Gap;
use super::stack::Stack;
use crate::btf::btf::Btf;
use crate::btf::kind::Kind;
use crate::btf::type_id::TypeId;
use crate::btf::types::Type;
use crate::lossy::Lossy;

/// Bytes of a name that are written at most: many names may be the ends of one string, and each as long as the file.
const LONGEST_NAME: usize = 4096;

/// Elements that are not the definition's own, and lines of padding.
const BUDGET: u32 = 1 << 16;
/// Members that are looked at for their alignment. Real kernels need up to 3,300 for a struct, and 1,600 of
/// the other.
const STEPS: u32 = 1 << 16;

pub(super) struct Writer<'w, 'f, 'b> {
    pub(super) out: &'w mut fmt::Formatter<'f>,
    pub(super) btf: &'b Btf<'b>,
    pub(super) frames: Stack,
    budget: u32,
    pub(super) steps: u32,
}

impl<'w, 'f, 'b> Writer<'w, 'f, 'b> {
    pub(super) const fn new(out: &'w mut fmt::Formatter<'f>, btf: &'b Btf<'b>) -> Self {
        Self { out, btf, frames: Stack::new(), budget: BUDGET, steps: STEPS }
    }

    /// Writes the declaration of a type.
    pub(super) fn write(&mut self, of: &Type<'b>) -> fmt::Result {
        self.begin(of)?;
        while let Some(frame) = self.frames.top() {
            self.step(frame)?;
        }
        Ok(())
    }

    /// Writes what a declaration begins with.
    #[inline(never)]
    fn begin(&mut self, of: &Type<'b>) -> fmt::Result {
        match of.kind() {
            Kind::Enum | Kind::Enum64 => return self.enumerators(of.id()),
            Kind::DeclTag => {
                self.out.write_str("__attribute__((btf_decl_tag(\"")?;
                self.text(of.name())?;
                return self.out.write_str("\")))");
            }
            Kind::Struct | Kind::Union => {
                self.head(of)?;
                self.out.write_str(" {")?;
                self.open_record(of.id());
            }
            Kind::DataSec => {
                self.out.write_str("section \"")?;
                self.text(of.name())?;
                self.out.write_str("\" {")?;
                self.open(Frame::new(of.id(), Body::Section));
            }
            kind => {
                self.out.write_str(if kind == Kind::Typedef { "typedef " } else { "" })?;
                self.open(Frame::new(of.id(), Body::One));
            }
        }
        Ok(())
    }

    /// Writes the innermost thing's next element, up to something that is inside of that, or the end.
    #[inline(never)]
    fn step(&mut self, frame: Frame) -> fmt::Result {
        let Some(element) = Element::of(self.btf, &frame) else {
            self.end(&frame)?;
            self.frames.pop();
            return self.close(&frame);
        };
        if let Place::Before = frame.place {
            if let Some(gap) = self.gap(&frame, &element) {
                let align =
                    if frame.body == Body::Packed { 1 } else { self.alignment(element.type_id).align() };
                self.padding(Gap { align: align.into(), ..gap })?;
            }
            self.before(&frame)?;
        }
        let next = match element.is_rest {
            true => {
                self.out.write_str("...")?;
                Next::Done
            }
            false => self.declarator(&element, frame.place)?,
        };
        match next {
            Next::Done => {
                if frame.body.is_indented() {
                    self.behind(&element)?;
                }
                self.frames.replace(Frame {
                    index: frame.index.saturating_add(1),
                    place: Place::Before,
                    ..frame
                });
            }
            Next::Members(id) => {
                self.frames.replace(Frame { place: Place::Defined, ..frame });
                self.open_record(id);
            }
            Next::Values(id) => {
                self.frames.replace(Frame { place: Place::Defined, ..frame });
                self.enumerators(id)?;
            }
            Next::Params(id, place) => {
                self.frames.replace(Frame { place, ..frame });
                self.open(Frame::new(id, Body::Params));
            }
        }
        Ok(())
    }

    /// Something with so many elements begins inside, if there is room for it.
    pub(super) fn may_open(&mut self, elements: u32) -> bool {
        !self.frames.is_full() && self.may_write(elements)
    }

    /// So many elements are written inside, if there is room for them.
    pub(super) fn may_write(&mut self, elements: u32) -> bool {
        let left = self.budget.checked_sub(elements.saturating_add(1));
        self.budget = left.unwrap_or(self.budget);
        left.is_some()
    }

    fn open(&mut self, frame: Frame) {
        // There is room: `may_open` has looked, and the first is alone.
        let _ = self.frames.push(frame);
    }

    /// Goes on with the members of a struct or union.
    fn open_record(&mut self, id: TypeId) {
        let body = self.alignment(id);
        self.open(Frame::new(id, body));
    }

    /// Writes `struct name`.
    pub(super) fn head(&mut self, of: &Type<'b>) -> fmt::Result {
        self.out.write_str(match of.kind() {
            Kind::Union => "union",
            Kind::Forward if of.kflag() => "union",
            Kind::Enum | Kind::Enum64 => "enum",
            _ => "struct",
        })?;
        match of.name() {
            [] => Ok(()),
            name => {
                self.out.write_str(" ")?;
                self.text(name)
            }
        }
    }

    /// Writes a name, with U+FFFD for what is no text, and the end of a very long one left out.
    #[inline(never)]
    pub(super) fn text(&mut self, bytes: &[u8]) -> fmt::Result {
        match bytes.split_at_checked(LONGEST_NAME) {
            Some((start, [_, ..])) => {
                fmt::Display::fmt(&Lossy(start), self.out)?;
                self.out.write_str("...")
            }
            _ => fmt::Display::fmt(&Lossy(bytes), self.out),
        }
    }

    /// Writes a number, whatever the formatter was asked to do with ours.
    #[inline(never)]
    pub(super) fn number(&mut self, number: u64) -> fmt::Result {
        write!(self.out, "{number}")
    }

    /// Begins a line, so much further to the right than the elements of the innermost thing.
    pub(super) fn line(&mut self, deeper: usize) -> fmt::Result {
        self.out.write_str("\n")?;
        (0..self.frames.indent().saturating_add(deeper)).try_for_each(|_| self.out.write_str("\t"))
    }
}
