//! Room for an image in a kernel that is linked before its table is made.

use core::fmt;
use core::hint::black_box;

use super::Image;
use super::layout::MAGIC;
use crate::error::Error;

/// `N` bytes in the kernel that `kallsyms embed` fills with the image.
///
/// ```
/// use kallsyms_core::Reserved;
///
/// static SYMBOLS: Reserved<{ 256 * 1024 }> = Reserved::new();
///
/// // Until something was embedded there is an error to print, and addresses still print as numbers.
/// assert_eq!(SYMBOLS.image().unwrap_err(), kallsyms_core::Error::NotEmbedded);
/// ```
///
/// The bytes are private: a direct read would let the compiler fold what it thinks that they are.
#[repr(C, align(64))]
pub struct Reserved<const N: usize> {
    bytes: [u8; N],
}

impl<const N: usize> Reserved<N> {
    /// A reservation that nothing was embedded in: the magic, then zeros.
    ///
    /// Does not compile for an `N` below 64.
    #[must_use]
    pub const fn new() -> Self {
        const { assert!(N >= 64, "a reservation takes at least 64 bytes") };
        let mut bytes = [0; N];
        if let Some(start) = bytes.first_chunk_mut() {
            *start = MAGIC;
        }
        Self { bytes }
    }

    /// The bytes as they are in memory now.
    #[must_use]
    #[inline(never)]
    pub fn bytes(&self) -> &[u8] {
        black_box(&self.bytes)
    }

    /// The image, with its checksum checked: [`Image::parse`]. Steps: one for every 8 bytes.
    ///
    /// # Errors
    ///
    /// [`Error::NotEmbedded`] before `kallsyms embed`, else as [`Image::parse`].
    pub fn image(&self) -> Result<Image<'_>, Error> {
        Image::parse(self.bytes())
    }

    /// The image, for an early panic: [`Image::open`]. Steps: under 2,000 instructions.
    ///
    /// # Errors
    ///
    /// [`Error::NotEmbedded`] before `kallsyms embed`, else as [`Image::open`].
    pub fn open(&self) -> Result<Image<'_>, Error> {
        Image::open(self.bytes())
    }
}

impl<const N: usize> Default for Reserved<N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const N: usize> fmt::Debug for Reserved<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Reserved<{N}>")
    }
}
