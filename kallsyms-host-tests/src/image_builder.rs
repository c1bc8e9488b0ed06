//! Images that are wrong in one place.

use std::mem::offset_of;

use kallsyms_core::image::checksum;
use kallsyms_core::image::layout::{Header, SectionEntry, SectionKind};

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
    pub fn sealed(self) -> Vec<u8> {
        let crc = checksum(&self.bytes).to_le_bytes();
        self.with(offset_of!(Header, crc32), &crc).bytes
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
