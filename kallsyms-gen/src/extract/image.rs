//! A kernel as it lies in memory: its bytes, and their addresses where the file tells them.

use kallsyms_core::linux::{Endian, Width};
use object::elf::{FileHeader32, FileHeader64, PT_LOAD};
use object::read::elf::{FileHeader, ProgramHeader};
use object::{Endianness, Object};

use super::error::Fault;

/// Bytes that may hold the tables.
#[derive(Debug)]
pub(super) struct Image<'a> {
    pub(super) bytes: &'a [u8],
    /// What is loaded; of a raw image everything.
    pub(super) segments: Vec<Segment>,
    /// Bytes of a pointer, where the file tells.
    pub(super) pointer: Option<Width>,
    /// Byte order, where the file tells.
    pub(super) endian: Option<Endian>,
}

/// Bytes that are loaded in one piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Segment {
    /// Offset in the file.
    pub(super) offset: usize,
    /// Bytes in the file.
    pub(super) len: usize,
    /// Address as linked, which only an ELF file tells.
    pub(super) address: Option<u64>,
}

impl<'a> Image<'a> {
    /// Bytes without any description.
    pub(super) fn raw(bytes: &'a [u8], pointer: Option<Width>) -> Self {
        let segments = vec![Segment { offset: 0, len: bytes.len(), address: None }];
        Self { bytes, segments, pointer, endian: None }
    }

    pub(super) fn is_elf(bytes: &[u8]) -> bool {
        bytes.starts_with(&object::elf::ELFMAG)
    }

    /// Whether an ELF file has no symbol table.
    pub(super) fn is_stripped(bytes: &[u8]) -> bool {
        object::File::parse(bytes).is_ok_and(|file| file.symbols().next().is_none())
    }

    /// What an ELF file loads.
    pub(super) fn elf(bytes: &'a [u8]) -> Result<Self, Fault> {
        // EI_CLASS.
        let parsed = match bytes.get(4) {
            Some(&2) => elf::<FileHeader64<Endianness>>(bytes, Width::Bits64),
            _ => elf::<FileHeader32<Endianness>>(bytes, Width::Bits32),
        };
        let image = parsed.map_err(|error| Fault::Elf { reason: error.to_string() })?;
        if image.segments.is_empty() {
            return Err(Fault::Elf { reason: "no loaded segment: is it linked?".into() });
        }
        Ok(image)
    }

    /// Whether the addresses are known.
    pub(super) fn is_placed(&self) -> bool {
        self.segments.iter().any(|segment| segment.address.is_some())
    }

    /// The address of a place in the file.
    pub(super) fn address(&self, offset: usize) -> Option<u64> {
        let within = |segment: &&Segment| (segment.offset..segment.offset + segment.len).contains(&offset);
        let segment = self.segments.iter().find(within)?;
        segment.address?.checked_add(u64::try_from(offset - segment.offset).ok()?)
    }
}

fn elf<H: FileHeader<Endian = Endianness>>(bytes: &[u8], pointer: Width) -> object::Result<Image<'_>> {
    let header = H::parse(bytes)?;
    let endian = header.endian()?;
    let loaded =
        header.program_headers(endian, bytes)?.iter().filter(|entry| entry.p_type(endian) == PT_LOAD);
    let segments = loaded.filter_map(|entry| {
        let (offset, size) = entry.file_range(endian);
        let (offset, size) = (usize::try_from(offset).ok()?, usize::try_from(size).ok()?);
        // A file that was cut short still has what it has.
        let len = size.min(bytes.len().checked_sub(offset)?);
        Some(Segment { offset, len, address: Some(entry.p_vaddr(endian).into()) })
    });
    let order = match endian {
        Endianness::Little => Endian::Little,
        Endianness::Big => Endian::Big,
    };
    Ok(Image {
        bytes,
        segments: segments.filter(|segment| segment.len > 0).collect(),
        pointer: Some(pointer),
        endian: Some(order),
    })
}
