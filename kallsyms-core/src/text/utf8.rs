//! Bytes on their way into a formatter: UTF-8, whatever the pieces cut.

use core::fmt::{self, Write};

use crate::name::Name;
use crate::num::{index, low32};
use crate::pieces::put;
use crate::query::Symbol;
use crate::table::Layout;

/// Bytes that are checked and written at a time: most lines are no longer.
const CHUNK: usize = 48;

const DIGITS: &[u8; 16] = b"0123456789abcdef";

/// Gathers bytes, and writes them as UTF-8 with U+FFFD for what is not.
///
/// A piece of a name is a few bytes: checking and writing each would cost more than decoding it.
pub(super) struct Utf8Writer<'w, 'f> {
    f: &'w mut fmt::Formatter<'f>,
    bytes: [u8; CHUNK],
    len: usize,
}

impl<'w, 'f> Utf8Writer<'w, 'f> {
    pub(super) fn new(f: &'w mut fmt::Formatter<'f>) -> Self {
        Self { f, bytes: [0; CHUNK], len: 0 }
    }

    /// Writes bytes. Steps: one, and one for each chunk that they fill.
    #[inline]
    pub(super) fn push(&mut self, bytes: &[u8]) -> fmt::Result {
        let room = self.bytes.get_mut(self.len..).unwrap_or_default();
        match put(room, bytes) {
            Some(()) => {
                self.len = self.len.wrapping_add(bytes.len());
                Ok(())
            }
            None => self.push_parts(bytes),
        }
    }

    #[cold]
    fn push_parts(&mut self, mut bytes: &[u8]) -> fmt::Result {
        while !bytes.is_empty() {
            let room = self.bytes.get_mut(self.len..).unwrap_or_default();
            let (part, rest) = bytes.split_at_checked(room.len()).unwrap_or((bytes, &[]));
            put(room, part);
            self.len = self.len.wrapping_add(part.len());
            bytes = rest;
            if !bytes.is_empty() {
                self.flush()?;
            }
        }
        Ok(())
    }

    /// Writes the type of a symbol, which in a damaged table is any byte.
    pub(super) fn kind(&mut self, kind: u8) -> fmt::Result {
        self.push(char::from(kind).encode_utf8(&mut [0; 4]).as_bytes())
    }

    /// Writes the name of a symbol.
    #[inline(never)]
    pub(super) fn name_of<L: Layout>(&mut self, symbol: &Symbol<'_, L>) -> fmt::Result {
        self.name(symbol.name())
    }

    /// Writes a name. Steps: one a piece, and one for each chunk that it fills.
    #[inline(always)]
    pub(super) fn name<L: Layout>(&mut self, mut name: Name<'_, L>) -> fmt::Result {
        loop {
            let room = self.bytes.get_mut(self.len..).unwrap_or_default();
            let (room_len, taken) = (room.len(), name.take_to(room));
            self.len = self.len.wrapping_add(taken);
            if taken < room_len {
                return Ok(());
            }
            self.flush()?;
        }
    }

    /// Writes a number in `least` hexadecimal digits or, if it needs them, more.
    pub(super) fn digits(&mut self, value: u64, least: u32) -> fmt::Result {
        let count = u64::BITS.wrapping_sub(value.leading_zeros()).div_ceil(4).max(least);
        let (mut text, mut rest) = ([0; 16], value);
        for digit in text.iter_mut().rev().take(index(count)) {
            *digit = DIGITS.get(index(low32(rest & 15))).copied().unwrap_or(0);
            rest = rest.wrapping_shr(4);
        }
        self.push(text.get(text.len().wrapping_sub(index(count))..).unwrap_or_default())
    }

    /// Writes what was gathered.
    pub(super) fn finish(&mut self) -> fmt::Result {
        self.flush()?;
        // A character that never came to its end.
        if self.len > 0 { self.f.write_char(char::REPLACEMENT_CHARACTER) } else { Ok(()) }
    }

    /// Writes what was gathered, but for a character that the end cuts.
    #[inline(never)]
    fn flush(&mut self) -> fmt::Result {
        match core::str::from_utf8(self.bytes.get(..self.len).unwrap_or_default()) {
            Ok(text) => {
                self.len = 0;
                self.f.write_str(text)
            }
            Err(_) => self.flush_broken(),
        }
    }

    #[cold]
    #[inline(never)]
    fn flush_broken(&mut self) -> fmt::Result {
        let mut rest = self.bytes.get(..self.len).unwrap_or_default();
        self.len = 0;
        while let Err(error) = core::str::from_utf8(rest) {
            let (text, behind) = rest.split_at_checked(error.valid_up_to()).unwrap_or_default();
            self.f.write_str(core::str::from_utf8(text).unwrap_or_default())?;
            let Some(invalid) = error.error_len() else {
                // More bytes could make it a character, which has at most three before its last.
                let mut cut = [0; 3];
                put(&mut cut, behind);
                self.len = behind.len();
                put(&mut self.bytes, cut.get(..self.len).unwrap_or_default());
                return Ok(());
            };
            self.f.write_char(char::REPLACEMENT_CHARACTER)?;
            rest = behind.get(invalid..).unwrap_or_default();
        }
        self.f.write_str(core::str::from_utf8(rest).unwrap_or_default())
    }
}
