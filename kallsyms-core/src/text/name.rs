//! A name as text: UTF-8, whatever the pieces cut.

use core::fmt::{self, Write};

use crate::name::Name;
use crate::table::Layout;

impl<L: Layout> fmt::Debug for Name<'_, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Name({self})")
    }
}

/// UTF-8, with U+FFFD for what is not.
impl<L: Layout> fmt::Display for Name<'_, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut carry = Carry::default();
        for piece in self.fragments() {
            match core::str::from_utf8(piece) {
                Ok(text) if carry.is_empty() => f.write_str(text)?,
                _ => carry.write(f, piece)?,
            }
        }
        carry.finish(f)
    }
}

/// The start of a character that the end of a piece cut.
#[derive(Default)]
struct Carry {
    bytes: heapless::Vec<u8, 4>,
}

impl Carry {
    fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    fn write(&mut self, f: &mut fmt::Formatter<'_>, piece: &[u8]) -> fmt::Result {
        let mut rest = piece;
        while let (false, Some((&byte, tail))) = (self.is_empty(), rest.split_first()) {
            match self.extended(byte) {
                Utf8::Whole => {
                    let _ = self.bytes.push(byte);
                    f.write_str(core::str::from_utf8(&self.bytes).unwrap_or("\u{fffd}"))?;
                    self.bytes.clear();
                    rest = tail;
                }
                Utf8::Partial => {
                    let _ = self.bytes.push(byte);
                    rest = tail;
                }
                Utf8::Broken => self.finish(f)?,
            }
        }
        for chunk in rest.utf8_chunks() {
            f.write_str(chunk.valid())?;
            let invalid = chunk.invalid();
            let ends_piece = rest.as_ptr_range().end == invalid.as_ptr_range().end;
            if ends_piece && !invalid.is_empty() && is_partial(invalid) {
                let _ = self.bytes.extend_from_slice(invalid);
            } else if !invalid.is_empty() {
                f.write_char('\u{fffd}')?;
            }
        }
        Ok(())
    }

    /// Writes a character that never came to its end.
    fn finish(&mut self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.is_empty() {
            self.bytes.clear();
            f.write_char('\u{fffd}')?;
        }
        Ok(())
    }

    fn extended(&self, byte: u8) -> Utf8 {
        let mut longer = self.bytes.clone();
        if longer.push(byte).is_err() {
            return Utf8::Broken;
        }
        match core::str::from_utf8(&longer) {
            Ok(_) => Utf8::Whole,
            Err(_) if is_partial(&longer) => Utf8::Partial,
            Err(_) => Utf8::Broken,
        }
    }
}

enum Utf8 {
    Whole,
    Partial,
    Broken,
}

/// Whether more bytes could make this a character.
fn is_partial(bytes: &[u8]) -> bool {
    core::str::from_utf8(bytes).is_err_and(|error| error.valid_up_to() == 0 && error.error_len().is_none())
}
