//! How long all names of a file may be together.

use crate::error::{Error, Place};

/// Bytes that any file may have.
const ALWAYS: usize = 64 << 20;
/// Bytes for each byte of the file. Names share their ends, and demangled ones are longer, but no sound file
/// comes near.
const FOR_EACH: usize = 4;

/// Bytes of names that may yet be read.
#[derive(Debug)]
pub(crate) struct NameBudget {
    most: usize,
    bytes: usize,
}

impl NameBudget {
    /// That of a file of so many bytes.
    pub(crate) fn of(file_len: usize) -> Self {
        Self { most: file_len.saturating_mul(FOR_EACH).saturating_add(ALWAYS), bytes: 0 }
    }

    /// Takes a name.
    pub(crate) fn take(&mut self, len: usize, place: Place) -> Result<(), Error> {
        self.bytes = self.bytes.saturating_add(len);
        if self.bytes > self.most {
            return Err(Error::NamesTooLong { place, bytes: self.bytes, most: self.most });
        }
        Ok(())
    }
}
