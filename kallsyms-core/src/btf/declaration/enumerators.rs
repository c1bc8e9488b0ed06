//! Enums.

use core::fmt;

use super::writer::Writer;
use crate::btf::kind::Kind;
use crate::btf::lists::Enumerator;
use crate::btf::type_id::TypeId;
use crate::btf::types::Shape;

impl Writer<'_, '_, '_> {
    /// Writes an enum with its values.
    #[inline(never)]
    pub(super) fn enumerators(&mut self, of: TypeId) -> fmt::Result {
        let Some(of) = self.btf.type_by_id(of) else { return Ok(()) };
        let Shape::Enum(values) = of.shape() else { return Ok(()) };
        let is_signed = values.is_signed();
        let end = match (of.kind(), is_signed) {
            (Kind::Enum64, true) => "LL,",
            (Kind::Enum64, false) => "ULL,",
            _ => ",",
        };
        self.head(&of)?;
        if values.len() == 0 {
            return Ok(());
        }
        self.out.write_str(" {")?;
        for Enumerator { name, value } in values {
            self.line(1)?;
            self.text(name)?;
            let is_negative = is_signed && value.cast_signed() < 0;
            self.out.write_str(if is_negative { " = -" } else { " = " })?;
            self.number(if is_negative { value.wrapping_neg() } else { value })?;
            self.out.write_str(end)?;
        }
        self.line(0)?;
        self.out.write_str("}")
    }
}
