//! The tables out of a Linux kernel: a vmlinuz, an Image or a vmlinux, with or without symbols.
//!
//! No symbol is needed: the token table and its index are like no other data, and the other tables are found
//! from there by what they hold. Whatever is found is checked as a whole before it is handed out: every
//! record is walked and the markers agree, the order of names is one, the addresses ascend in just one
//! reading.
//!
//! ```text
//! payload (headers, compression) → image (segments) → tokens → leads, names, records → addresses (forms, name_order)
//!     → anchor (what only relocations or pointers tell) → Tables
//! ```
//!
//! The BTF of a kernel is found on the same way: by its section, or else by its header.

mod addresses;
mod anchor;
mod banner;
mod btf;
mod bytes;
mod error;
mod forms;
mod image;
mod leads;
mod name_order;
mod names;
mod payload;
mod records;
mod search;
mod tables;
mod tokens;

pub use addresses::MemoryOrder;
pub use btf::{BtfPlace, CarvedBtf, ExtractedBtf, extract_btf};
pub use error::{Attempt, ExtractError, Fault};
pub use payload::{Codec, Payload, Wrapping};
pub use tables::AddressSource;

use crate::linux::Tables;
use image::Image;
use kallsyms_core::linux::Width;
use search::Failed;

/// The tables of a kernel, and what was learnt on the way to them.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Extracted {
    /// The tables; [`Kallsyms::new`](kallsyms_core::linux::Kallsyms) has accepted them.
    pub tables: Tables,
    /// What was unpacked to get at them.
    pub wrapping: Wrapping,
    /// Which kernels have them in this order.
    pub memory_order: MemoryOrder,
    /// What told the address that the encoding counts from.
    pub address_source: AddressSource,
    /// The BTF of the kernel, where it has one.
    pub btf: Option<CarvedBtf>,
}

/// Finds the tables of a kernel.
///
/// Of hostile bytes at most 512 MiB are unpacked, all payloads together, with a dictionary of at most 256 MiB.
/// Time: that of unpacking, and one pass over the result.
///
/// # Errors
///
/// [`ExtractError`]: where was looked and what was missing there. Never a table that is not whole.
pub fn extract(bytes: &[u8]) -> Result<Extracted, ExtractError> {
    let seek = |bytes: &[u8], pointer: Option<Width>| {
        let image = if Image::is_elf(bytes) { Image::elf(bytes) } else { Ok(Image::raw(bytes, pointer)) };
        image.and_then(|image| tables::find(&image)).map(|whole| (whole, btf::within(bytes)))
    };
    match search::search(bytes, &seek) {
        Ok(((whole, btf), wrapping)) => Ok(whole.within(wrapping, btf)),
        Err(Failed::Empty) => Err(ExtractError::Empty),
        Err(Failed::NotFound(attempts)) => Err(ExtractError::NotFound { attempts }),
        Err(Failed::Incomplete(attempt)) => Err(ExtractError::Incomplete(attempt)),
    }
}

/// Whether a file is a kernel whose tables are worth looking for: one that begins with a boot header or
/// compressed data, or an ELF file without symbols that holds Linux's banner.
#[must_use]
pub fn is_kernel(bytes: &[u8]) -> bool {
    if Image::is_elf(bytes) {
        return Image::is_stripped(bytes) && banner::release(bytes).is_some();
    }
    payload::header(bytes).is_some() || payload::codec_at(bytes).is_some()
}
