//! `.BTF.ext`: what the instructions of a BPF program have to do with the types of its BTF.

use core::ops::Range;

use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

use super::super::format::{Word, copy};
use super::super::header::{self, Start};
use super::super::type_id::TypeId;
use super::ext_error::{ExtError, ExtSection};
use super::permutation::Permutation;
use crate::endian::Endian;
use crate::num::{index, wide};

/// Where a record has its type, behind the offset of its instruction.
const TYPE_AT: usize = size_of::<Word>();

/// The header; what a shorter one has not is zero.
#[derive(Clone, Copy, Default, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct RawHeader {
    start: Start,
    func_info: RawSection,
    line_info: RawSection,
    core_relo: RawSection,
}

/// Where a section is, counted from the end of the header.
#[derive(Clone, Copy, Default, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct RawSection {
    offset: Word,
    len: Word,
}

/// In front of the records about one section of the program.
#[derive(Clone, Copy, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct RawRun {
    name_off: Word,
    count: Word,
}

/// A section, within the bytes.
#[derive(Clone)]
struct Place {
    section: ExtSection,
    range: Range<usize>,
}

impl Permutation<'_> {
    /// Writes the `.BTF.ext` of the BTF anew: the types of `func_info` and `core_relo` get their new numbers.
    ///
    /// `out` has as many bytes as `ext`, or more; what was written is returned. Everything else stays as it is,
    /// the byte order too. After an error `out` holds nothing of use. Steps: one a record.
    ///
    /// # Errors
    ///
    /// The first fault of `ext`, or [`ExtError::OutTooShort`].
    pub fn permute_ext<'o>(&self, ext: &[u8], out: &'o mut [u8]) -> Result<&'o [u8], ExtError> {
        let (needed, len) = (ext.len(), out.len());
        let (places, endian) = places(ext)?;
        let out = out.get_mut(..needed).ok_or(ExtError::OutTooShort { len, needed })?;
        copy(ext, out);
        for place in places {
            self.section(&place, endian, out)?;
        }
        Ok(out)
    }

    fn section(&self, place: &Place, endian: Endian, out: &mut [u8]) -> Result<(), ExtError> {
        let Place { section, range } = place.clone();
        if range.is_empty() {
            return Ok(());
        }
        let end = range.end;
        let rest = out.get_mut(range).unwrap_or_default();
        let all = rest.len();
        let begin = end.wrapping_sub(all);
        let outside = |len, left: usize| {
            let offset = end.wrapping_sub(left);
            ExtError::RecordsOutOfBounds { section, offset, len, left }
        };
        let Ok((size, mut rest)) = Word::mut_from_prefix(rest) else { return Err(outside(4, all)) };
        let size = size.get(endian);
        let least = least(section);
        if size < least {
            return Err(ExtError::RecordSize { section, offset: begin, found: size, least });
        }
        while !rest.is_empty() {
            let left = rest.len();
            let Ok((run, behind)) = RawRun::ref_from_prefix(rest) else {
                return Err(outside(wide(size_of::<RawRun>()), left));
            };
            let records = u64::from(run.count.get(endian)).wrapping_mul(u64::from(size));
            let len = records.saturating_add(wide(size_of::<RawRun>()));
            let fits = usize::try_from(records).ok().filter(|&records| records <= behind.len());
            let records_len = fits.ok_or_else(|| outside(len, left))?;
            let behind = rest.get_mut(size_of::<RawRun>()..).unwrap_or_default();
            let (records, behind) =
                behind.split_at_mut_checked(records_len).ok_or_else(|| outside(len, left))?;
            if section != ExtSection::LineInfo {
                let first = end.wrapping_sub(left).wrapping_add(size_of::<RawRun>()).wrapping_add(TYPE_AT);
                self.records(records, index(size), endian).map_err(|(at, found)| {
                    let offset = first.wrapping_add(at);
                    ExtError::NoSuchType { section, offset, found }
                })?;
            }
            rest = behind;
        }
        Ok(())
    }

    /// Rewrites the types of records of a size; the error has where a type stands that is not there.
    fn records(&self, records: &mut [u8], size: usize, endian: Endian) -> Result<(), (usize, TypeId)> {
        let mut rest = records;
        let mut at = 0_usize;
        while let Some((record, behind)) = rest.split_at_mut_checked(size) {
            let word = record.get_mut(TYPE_AT..).unwrap_or_default();
            let Ok((word, _)) = Word::mut_from_prefix(word) else { break };
            let found = TypeId(word.get(endian));
            let new = self.new_id(found).ok_or((at, found))?;
            *word = Word::new(new.0, endian);
            (rest, at) = (behind, at.wrapping_add(size));
        }
        Ok(())
    }
}

/// Bytes that a record has at least.
const fn least(section: ExtSection) -> u32 {
    match section {
        // Instruction and type.
        ExtSection::FuncInfo => 8,
        // Instruction, file, line, place in it; instruction, type, text and kind of the access.
        ExtSection::LineInfo | ExtSection::CoreRelo => 16,
    }
}

/// The sections, none of which has bytes of another.
fn places(ext: &[u8]) -> Result<([Place; 3], Endian), ExtError> {
    let (header, endian) = header::read::<RawHeader>(ext)?;
    let place = |section, raw: RawSection| -> Result<Place, ExtError> {
        let len = raw.len.get(endian);
        if len == 0 {
            // Where it would be does not matter.
            return Ok(Place { section, range: 0..0 });
        }
        let start =
            u64::from(header.start.hdr_len.get(endian)).saturating_add(u64::from(raw.offset.get(endian)));
        let end = start.saturating_add(u64::from(len));
        let outside = ExtError::SectionOutOfBounds { section, end, len: ext.len() };
        let range = usize::try_from(start).and_then(|start| Ok(start..usize::try_from(end)?));
        let range = range.ok().filter(|range| range.end <= ext.len()).ok_or(outside)?;
        Ok(Place { section, range })
    };
    let func_info = place(ExtSection::FuncInfo, header.func_info)?;
    let line_info = place(ExtSection::LineInfo, header.line_info)?;
    let core_relo = place(ExtSection::CoreRelo, header.core_relo)?;
    for (one, other) in [(&func_info, &line_info), (&func_info, &core_relo), (&line_info, &core_relo)] {
        let (first, second) = if one.range.start <= other.range.start { (one, other) } else { (other, one) };
        if !first.range.is_empty() && !second.range.is_empty() && second.range.start < first.range.end {
            return Err(ExtError::Overlap { first: first.section, second: second.section });
        }
    }
    Ok(([func_info, line_info, core_relo], endian))
}
