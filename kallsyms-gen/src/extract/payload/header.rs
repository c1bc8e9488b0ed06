//! The headers at the start of kernels that a boot loader starts.

use super::super::bytes::Bytes;
use kallsyms_core::linux::Width;

/// What the first bytes of a kernel tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::extract) enum Header {
    /// An x86 bzImage or an EFI zboot image says where its payload is.
    Payload(PayloadPlace),
    /// A kernel that holds its payload somewhere, with the width of a pointer where the header tells it.
    Packed(Option<Width>),
    /// An `Image` that runs as it is, with the width of a pointer where the header tells it.
    Plain(Option<Width>),
}

/// A piece of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::extract) struct PayloadPlace {
    pub(in crate::extract) offset: usize,
    pub(in crate::extract) size: usize,
}

/// Reads the header, if there is one that is known.
pub(in crate::extract) fn header(bytes: &[u8]) -> Option<Header> {
    let file = Bytes::little(bytes);
    let has = |at: usize, magic: &[u8]| file.slice(at, magic.len()) == Some(magic);
    if has(0x1fe, &[0x55, 0xaa]) && has(0x202, b"HdrS") {
        return Some(x86(&file).map_or(Header::Packed(None), Header::Payload));
    }
    if has(0, b"MZ") && has(4, b"zimg") {
        let place = PayloadPlace { offset: file.u32(8)? as usize, size: file.u32(12)? as usize };
        return Some(Header::Payload(place));
    }
    if has(0x38, b"ARM\x64") {
        return Some(Header::Plain(Some(Width::Bits64)));
    }
    if has(0x38, b"RSC\x05") {
        return Some(Header::Plain(None));
    }
    // LoongArch.
    if has(0, b"MZ") && has(0x38, &[0xcd, 0x23, 0x82, 0x81]) && !has(0x202, b"HdrS") {
        return Some(Header::Plain(Some(Width::Bits64)));
    }
    if has(0x24, &[0x18, 0x28, 0x6f, 0x01]) || has(0x24, &[0x01, 0x6f, 0x28, 0x18]) {
        return Some(Header::Packed(Some(Width::Bits32)));
    }
    if has(0x1_0008, b"S390EP") {
        return Some(Header::Packed(Some(Width::Bits64)));
    }
    None
}

/// From version 2.08 of the boot protocol on.
fn x86(file: &Bytes<'_>) -> Option<PayloadPlace> {
    const SECTOR: usize = 512;
    if file.u16(0x206)? < 0x208 {
        return None;
    }
    let setup_sectors = match *file.bytes.get(0x1f1)? {
        0 => 4,
        sectors => usize::from(sectors),
    };
    let code = (setup_sectors + 1) * SECTOR;
    Some(PayloadPlace {
        offset: code.checked_add(file.u32(0x248)? as usize)?,
        size: file.u32(0x24c)? as usize,
    })
}
