//! Our own image: [`Image::open`] and [`Image::parse`] are the only doors.
//!
//! BYTES → [`layout`] → views (`record`, `addresses`, `tokens`, `name_index`, `sizes`, `modules`) →
//! [`Native`], which is what the queries ask.

pub mod hash;
pub mod layout;

mod addresses;
mod codes;
mod modules;
mod name_index;
mod native;
mod record;
mod reserved;
mod sections;
mod sizes;
mod tokens;
mod verify;

pub use codes::{Codes, Expanded};
pub use native::{Named, Native};
pub use reserved::Reserved;

use crate::crc::crc32;
use crate::error::Error;
use crate::num::index;
use crate::table::Table;
use layout::{Header, SectionKind};
use static_assertions::assert_impl_all;

/// A symbol table in our own format, over bytes that somebody else owns.
///
/// At most 512 bytes, copied freely. An image from [`open`](Self::open) or [`parse`](Self::parse) whose bytes
/// were damaged can give a wrong name; it can never read out of bounds, panic or loop.
pub type Image<'a> = Table<Native<'a>>;

impl<'a> Image<'a> {
    /// Checks the header and the bounds of the sections: for an early panic. Steps: under 2,000 instructions.
    ///
    /// `bytes` may be longer than the image, at any alignment.
    ///
    /// # Errors
    ///
    /// The first group of [`Error`], but not [`Error::Checksum`].
    pub fn open(bytes: &'a [u8]) -> Result<Self, Error> {
        Native::read(bytes).map(Table::over)
    }

    /// [`open`](Self::open), and checks the CRC-32 over the image. Steps: one for every 8 bytes.
    ///
    /// # Errors
    ///
    /// The first group of [`Error`].
    pub fn parse(bytes: &'a [u8]) -> Result<Self, Error> {
        let image = Self::open(bytes)?;
        let stored = image.header().crc32.get();
        let computed = checksum(image.layout.image());
        if stored == computed { Ok(image) } else { Err(Error::Checksum { stored, computed }) }
    }

    /// Walks every record, code, token, link, size and index entry. Steps: a few for every byte of every
    /// name.
    ///
    /// After this the table holds exactly what its names and addresses say: every symbol is found both ways.
    ///
    /// # Errors
    ///
    /// The second group of [`Error`].
    pub fn verify(&self) -> Result<(), Error> {
        verify::verify(self)
    }

    /// The header.
    #[must_use]
    pub fn header(&self) -> &'a Header {
        self.layout.header()
    }

    /// The bytes of the image, without what follows it in a reservation.
    #[must_use]
    pub fn as_bytes(&self) -> &'a [u8] {
        self.layout.image()
    }

    /// Bytes of a section, 0 if it is not there.
    #[must_use]
    pub fn section_len(&self, section: SectionKind) -> usize {
        self.layout.section(section).len()
    }

    /// Build id of the kernel that the table was made from, empty if it has none.
    #[must_use]
    pub fn build_id(&self) -> &'a [u8] {
        let header = self.header();
        header.build_id.get(..usize::from(header.build_id_len)).unwrap_or_default()
    }
}

/// The checksum of an image: CRC-32 over all of its bytes with the field itself as zero. Steps: one for every
/// 8 bytes.
#[must_use]
pub fn checksum(image: &[u8]) -> u32 {
    let at = core::mem::offset_of!(Header, crc32);
    let (before, rest) = image.split_at_checked(at).unwrap_or((image, &[]));
    crc32(&[before, &[0; 4], rest.get(index(4)..).unwrap_or_default()])
}

#[cfg(target_pointer_width = "64")]
static_assertions::const_assert!(size_of::<Image<'static>>() <= 512);
// Shared between processors, and sent to any of them.
assert_impl_all!(Image<'static>: Send, Sync, Copy);
assert_impl_all!(Reserved<64>: Send, Sync);
assert_impl_all!(Codes<'static>: Send, Sync);
