//! Bytes as UTF-8.

use core::fmt;

/// Bytes as text, with U+FFFD for what is not UTF-8.
pub(crate) struct Lossy<'b>(pub(crate) &'b [u8]);

impl fmt::Display for Lossy<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for chunk in self.0.utf8_chunks() {
            f.write_str(chunk.valid())?;
            if !chunk.invalid().is_empty() {
                f.write_str("\u{fffd}")?;
            }
        }
        Ok(())
    }
}
