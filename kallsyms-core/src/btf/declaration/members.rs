//! What is before, between and behind elements.

use core::fmt;

use super::element::Element;
use super::frame::{Body, Frame};
use super::padding::Gap;
use super::writer::Writer;
use crate::btf::kind::Kind;
use crate::btf::lists::Members;
use crate::num::{index, widen};

impl<'b> Writer<'_, '_, 'b> {
    /// What is between a member and the one before; its alignment is not known.
    pub(super) fn gap(&self, frame: &Frame, element: &Element<'b>) -> Option<Gap> {
        if !matches!(frame.body, Body::Packed | Body::Members(_)) {
            return None;
        }
        let (from, was_bit_field) = self.end_of_previous(frame);
        let to = widen(element.bit_offset);
        let in_bit_field = was_bit_field && element.bit_size != 0;
        (from < to).then_some(Gap { from, to, align: 1, in_bit_field })
    }

    /// Writes what keeps an element apart from the one before.
    pub(super) fn before(&mut self, frame: &Frame) -> fmt::Result {
        match frame.body {
            Body::One => Ok(()),
            Body::Params => self.out.write_str(if frame.index == 0 { "" } else { ", " }),
            Body::Section | Body::Packed | Body::Members(_) => self.line(0),
        }
    }

    /// Writes what is behind the declaration of a member.
    pub(super) fn behind(&mut self, element: &Element<'b>) -> fmt::Result {
        match element.bit_size {
            0 => self.out.write_str(";"),
            bits => self.bits(bits.into()),
        }
    }

    /// Writes what is between the last element and the end.
    #[inline(never)]
    pub(super) fn end(&mut self, frame: &Frame) -> fmt::Result {
        match self.btf.type_by_id(frame.of) {
            Some(holder) if holder.kind() == Kind::Struct => {
                let (from, _) = self.end_of_previous(frame);
                let to = widen(holder.size_or_type()).saturating_mul(8);
                self.padding(Gap { from, to, align: frame.body.align().into(), in_bit_field: false })
            }
            _ => Ok(()),
        }
    }

    /// Writes the end.
    #[inline(never)]
    pub(super) fn close(&mut self, frame: &Frame) -> fmt::Result {
        let holder = self.btf.type_by_id(frame.of);
        let is_empty = holder.is_some_and(|holder| holder.vlen() == 0 && holder.size_or_type() == 0);
        match frame.body {
            Body::One => return Ok(()),
            Body::Params => return self.out.write_str(")"),
            // `{}` stays on one line.
            _ if is_empty => {}
            _ => self.line(0)?,
        }
        self.out.write_str("}")?;
        self.out.write_str(if frame.body == Body::Packed { " __attribute__((packed))" } else { "" })
    }

    /// Where the member before the next ends, and whether it is a bit field.
    #[inline(never)]
    fn end_of_previous(&self, frame: &Frame) -> (u64, bool) {
        let previous = frame.index.checked_sub(1).map(index);
        let members = self.btf.type_by_id(frame.of).map(|holder| Members::new(&holder));
        let member = previous.and_then(|at| members?.place(at));
        let Some(member) = member else { return (0, false) };
        let bits = match member.bit_size {
            0 => self.btf.size_of(member.type_id).unwrap_or(0).saturating_mul(8),
            bits => bits.into(),
        };
        (widen(member.bit_offset).saturating_add(bits), member.bit_size != 0)
    }

    /// Writes what fills a gap.
    #[inline(never)]
    pub(super) fn padding(&mut self, gap: Gap) -> fmt::Result {
        let Some(padding) = gap.padding(self.btf.pointer_size()) else { return Ok(()) };
        let lines = u32::try_from(padding.len()).unwrap_or(u32::MAX);
        if !self.may_write(lines) {
            self.line(0)?;
            return self.out.write_str("...;");
        }
        if let Some(bits) = padding.first {
            self.unnamed(padding.name, bits)?;
        }
        for _ in 0..padding.whole {
            self.unnamed(padding.name, padding.bits)?;
        }
        match padding.last {
            Some((name, bits)) => self.unnamed(name, bits),
            None => Ok(()),
        }
    }

    /// Writes a bit field without name.
    fn unnamed(&mut self, type_name: &str, bits: u64) -> fmt::Result {
        self.line(0)?;
        self.out.write_str(type_name)?;
        self.bits(bits)
    }

    /// Writes the end of a bit field.
    fn bits(&mut self, bits: u64) -> fmt::Result {
        self.out.write_str(": ")?;
        self.number(bits)?;
        self.out.write_str(";")
    }
}
