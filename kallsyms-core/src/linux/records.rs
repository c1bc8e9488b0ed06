//! `kallsyms_names`, and what leads to a record of it.

use super::error::{Error, Part};
use super::format::{Lengths, Places, Tables};
use super::numbers::{Numbers, Words};
use super::skip::{length, skip};
use crate::num::{index, low32, widen};
use crate::table::Trail;

/// A marker leads to every so manieth record.
const MARKER_STRIDE: u32 = 256;

/// The records of all names.
#[derive(Debug, Clone, Copy)]
pub(super) struct Records<'a> {
    names: &'a [u8],
    lengths: Lengths,
    leads: Leads<'a>,
}

/// What leads to them.
#[derive(Debug, Clone, Copy)]
enum Leads<'a> {
    Markers(Words<'a>),
    Offsets(Numbers<'a, 3>),
}

/// What a walk over all records has seen.
struct Checked {
    /// The end of the last one.
    end: RecordOffset,
    /// Whether a length has its highest bit set: only then the two schemes read it differently.
    two_bytes: bool,
}

/// Where a record begins in the names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RecordOffset(u32);

impl RecordOffset {
    #[inline]
    pub(super) fn trail(self) -> Option<Trail> {
        Trail::to(self.0)
    }
}

impl From<Trail> for RecordOffset {
    #[inline]
    fn from(trail: Trail) -> Self {
        Self(trail.offset())
    }
}

impl<'a> Records<'a> {
    /// Checks every record, and that what leads to them does.
    pub(super) fn new(tables: &Tables<'a>) -> Result<Self, Error> {
        let count = tables.num_syms;
        let leads = match tables.places {
            Places::Markers { bytes, width } => {
                let markers = count.div_ceil(MARKER_STRIDE);
                Leads::Markers(Words::new(Part::Markers, bytes, tables.endian, markers, width)?)
            }
            Places::Offsets { bytes, endian } => {
                Leads::Offsets(Numbers::new(Part::NamesOffsets, bytes, endian, count)?)
            }
        };
        let reading = |lengths| Self { names: tables.names, lengths, leads };
        let checked = |lengths| {
            let records: Self = reading(lengths);
            records.check(count).map(|checked| (records, checked))
        };
        let (records, Checked { end, .. }) = match tables.lengths {
            Some(lengths) => checked(lengths)?,
            None => match (checked(Lengths::ByteOrTwo), checked(Lengths::Byte)) {
                (Ok((_, Checked { two_bytes: true, .. })), Ok(_)) => return Err(Error::AmbiguousLengths),
                (Ok(long), _) => long,
                (Err(_), Ok(short)) => short,
                (Err(error), Err(_)) => return Err(error),
            },
        };
        Ok(Self { names: records.names.get(..index(end.0)).unwrap_or_default(), ..records })
    }

    fn check(&self, count: u32) -> Result<Checked, Error> {
        let mut at = RecordOffset(0);
        let mut two_bytes = false;
        for symbol in 0..count {
            let expected = widen(at.0);
            self.check_leads(symbol, expected)?;
            let (tokens, next) = self.at(at).ok_or(Error::RecordOutOfBounds { symbol, offset: expected })?;
            if tokens.is_empty() {
                return Err(Error::EmptyRecord { symbol, offset: expected });
            }
            two_bytes |= self.names.get(index(at.0)).is_some_and(|&length| length >= 0x80);
            at = next;
        }
        Ok(Checked { end: at, two_bytes })
    }

    fn check_leads(&self, symbol: u32, expected: u64) -> Result<(), Error> {
        match self.leads {
            Leads::Markers(markers) if symbol.is_multiple_of(MARKER_STRIDE) => {
                let marker = symbol / MARKER_STRIDE;
                let found = markers.get(marker).unwrap_or(u64::MAX);
                if found == expected { Ok(()) } else { Err(Error::BadMarker { marker, found, expected }) }
            }
            Leads::Markers(_) => Ok(()),
            Leads::Offsets(offsets) => {
                let found = offsets.get(symbol).unwrap_or(u64::MAX);
                if found == expected { Ok(()) } else { Err(Error::BadNameOffset { symbol, found, expected }) }
            }
        }
    }

    /// Where a symbol's record begins. Steps: one, or with markers up to 255.
    #[inline(always)]
    pub(super) fn offset(&self, symbol: u32) -> Option<RecordOffset> {
        match self.leads {
            Leads::Offsets(offsets) => offsets.get(symbol).map(|offset| RecordOffset(low32(offset))),
            Leads::Markers(markers) => {
                let marker = markers.get(symbol / MARKER_STRIDE)?;
                let marker = u32::try_from(marker).ok()?;
                skip(self.names, self.lengths, marker, symbol % MARKER_STRIDE).map(RecordOffset)
            }
        }
    }

    /// The tokens of the record that begins here, and where the next one does.
    #[inline]
    pub(super) fn at(&self, RecordOffset(at): RecordOffset) -> Option<(&'a [u8], RecordOffset)> {
        let (start, len) = length(self.names, self.lengths, at)?;
        let end = start.checked_add(len)?;
        Some((self.names.get(index(start)..index(end))?, RecordOffset(end)))
    }

    /// Where the record behind this one begins.
    #[inline]
    pub(super) fn after(&self, RecordOffset(at): RecordOffset) -> Option<RecordOffset> {
        let (start, len) = length(self.names, self.lengths, at)?;
        start.checked_add(len).map(RecordOffset)
    }

    /// Bytes of a record, with its length.
    pub(super) fn record_len(&self, at: RecordOffset) -> Option<usize> {
        Some(index(self.after(at)?.0.wrapping_sub(at.0)))
    }

    /// Whether a record is found in one step.
    pub(super) fn are_indexed(&self) -> bool {
        matches!(self.leads, Leads::Offsets(_))
    }

    pub(super) fn lengths(&self) -> Lengths {
        self.lengths
    }

    /// Bytes of all records.
    pub(super) fn len(&self) -> usize {
        self.names.len()
    }
}
