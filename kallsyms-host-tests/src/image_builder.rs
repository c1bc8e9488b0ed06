//! Images that are wrong in one place.

use std::mem::offset_of;

use kallsyms_core::image::checksum;
use kallsyms_core::image::layout::{Header, MAGIC, SectionEntry, SectionKind, VERSION};

/// The bytes of an image, to be changed field by field.
#[derive(Debug, Clone)]
pub struct ImageBuilder {
    bytes: Vec<u8>,
}

impl ImageBuilder {
    /// Starts from a sound image.
    #[must_use]
    pub fn new(image: &[u8]) -> Self {
        Self { bytes: image.to_vec() }
    }

    /// Writes bytes at an offset.
    #[must_use]
    pub fn with(mut self, offset: usize, value: &[u8]) -> Self {
        self.bytes[offset..offset + value.len()].copy_from_slice(value);
        self
    }

    /// Writes into a section.
    #[must_use]
    pub fn with_section(self, kind: SectionKind, offset: usize, value: &[u8]) -> Self {
        let start = self.word(self.entry(kind) + offset_of!(SectionEntry, offset)) as usize;
        self.with(start + offset, value)
    }

    /// Changes a section's line in the section table: `field` is an offset in [`SectionEntry`].
    #[must_use]
    pub fn with_entry(self, kind: SectionKind, field: usize, value: u32) -> Self {
        let at = self.entry(kind) + field;
        self.with(at, &value.to_le_bytes())
    }

    /// Bytes of a section.
    #[must_use]
    pub fn section(&self, kind: SectionKind) -> &[u8] {
        let entry = self.entry(kind);
        let start = self.word(entry + offset_of!(SectionEntry, offset)) as usize;
        &self.bytes[start..start + self.word(entry + offset_of!(SectionEntry, len)) as usize]
    }

    /// The bytes as they are.
    #[must_use]
    pub fn bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// The bytes with a checksum that fits them.
    #[must_use]
    pub fn sealed(mut self) -> Vec<u8> {
        seal(&mut self.bytes);
        self.bytes
    }

    /// Offset of a section's line in the section table.
    fn entry(&self, kind: SectionKind) -> usize {
        let count = self.word(offset_of!(Header, section_count)) as usize;
        (0..count)
            .map(|number| size_of::<Header>() + number * size_of::<SectionEntry>())
            .find(|at| self.word(*at) == kind as u32)
            .expect("the image has the section")
    }

    fn word(&self, at: usize) -> u32 {
        u32::from_le_bytes(self.bytes[at..at + 4].try_into().expect("four bytes"))
    }
}

/// Writes the checksum that fits, where there is room for it.
pub fn seal(image: &mut [u8]) {
    let crc = checksum(image).to_le_bytes();
    if let Some(field) = image.get_mut(offset_of!(Header, crc32)..).and_then(|rest| rest.first_chunk_mut()) {
        *field = crc;
    }
}

/// Has the header say what opens, where there is room for one: its first fields, its length and that of the image,
/// the checksum.
pub fn mend(image: &mut [u8]) {
    if image.len() < size_of::<Header>() {
        return;
    }
    let mut put = |at: usize, value: &[u8]| image[at..at + value.len()].copy_from_slice(value);
    put(offset_of!(Header, magic), &MAGIC);
    put(offset_of!(Header, version), &VERSION.to_le_bytes());
    put(offset_of!(Header, reserved), &[0; 4]);
    // At most 32 sections.
    put(offset_of!(Header, section_count) + 1, &[0; 3]);
    image[offset_of!(Header, section_count)] &= 31;
    let sections = usize::from(image[offset_of!(Header, section_count)]);
    let header_len = (size_of::<Header>() + sections * size_of::<SectionEntry>()) as u16;
    let image_len = image.len() as u32;
    let mut put = |at: usize, value: &[u8]| image[at..at + value.len()].copy_from_slice(value);
    put(offset_of!(Header, header_len), &header_len.to_le_bytes());
    put(offset_of!(Header, image_len), &image_len.to_le_bytes());
    seal(image);
}
