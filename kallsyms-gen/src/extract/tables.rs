//! One image into its tables.

use std::fmt;

use kallsyms_core::linux::{Encoding, Kallsyms, Lengths, NameOrder, Width};

use super::addresses::{self, Found, Reading};
use super::btf::CarvedBtf;
use super::bytes::Bytes;
use super::error::Fault;
use super::forms::pc_distances;
use super::image::{Image, Segment};
use super::leads::Form;
use super::names::{self, Names};
use super::payload::Wrapping;
use super::records::Spelled;
use super::tokens::{self, Tokens};
use super::{Extracted, MemoryOrder};
use super::{anchor, banner};
use crate::linux::{AddressForm, Facts, Places, Tables};

/// What told the address that the encoding counts from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AddressSource {
    /// The addresses stand in the tables.
    Tables,
    /// `relative_base` as it stands in the file.
    RelativeBase,
    /// The relocation that fills `relative_base`.
    Relocation,
    /// The segments of the ELF file.
    Segments,
    /// The pointers of a raw image, most of which lead to symbols from this address alone.
    Pointers,
}

impl fmt::Display for AddressSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::RelativeBase => "relative_base",
            Self::Relocation => "its relocation",
            Self::Segments => "the ELF segments",
            Self::Pointers => "the kernel's pointers",
            _ => "the tables",
        })
    }
}

/// Tables without what they were wrapped in.
#[derive(Debug)]
pub(super) struct Whole {
    tables: Tables,
    memory_order: MemoryOrder,
    address_source: AddressSource,
}

impl Whole {
    pub(super) fn within(self, wrapping: Wrapping, btf: Option<CarvedBtf>) -> Extracted {
        let Self { tables, memory_order, address_source } = self;
        Extracted { tables, wrapping, memory_order, address_source, btf }
    }
}

/// A token table with its names, and where they are.
struct Named {
    segment: Segment,
    tokens: Tokens,
    names: Names,
}

/// Finds the one set of tables of an image.
pub(super) fn find(image: &Image<'_>) -> Result<Whole, Fault> {
    let mut lone_token_table = None;
    let mut found = Vec::new();
    for &segment in &image.segments {
        let bytes = segment_bytes(image, segment);
        for tokens in tokens::find(bytes, image.endian) {
            match names::find(bytes, &tokens) {
                Some(names) => found.push(Named { segment, tokens, names }),
                None => lone_token_table = Some(segment.offset + tokens.table.start),
            }
        }
    }
    let mut faults = Vec::new();
    let mut whole = Vec::new();
    for named in &found {
        match complete(image, named) {
            Ok(tables) => whole.push((named.segment.offset + named.names.records.start, tables)),
            Err(fault) => faults.push(fault),
        }
    }
    if whole.len() > 1 {
        return Err(Fault::Several { names: whole.iter().map(|(names, _)| *names).collect() });
    }
    if let Some((_, tables)) = whole.pop() {
        return Ok(tables);
    }
    Err(faults.pop().unwrap_or_else(|| match lone_token_table {
        Some(token_table) => Fault::NoNames { token_table },
        None => Fault::NoTokens { searched: image.segments.iter().map(|segment| segment.len).sum() },
    }))
}

fn segment_bytes<'a>(image: &Image<'a>, segment: Segment) -> &'a [u8] {
    image.bytes.get(segment.offset..segment.offset + segment.len).unwrap_or_default()
}

/// Adds the addresses to names, and checks everything together.
fn complete(image: &Image<'_>, named: &Named) -> Result<Whole, Fault> {
    let Named { segment, tokens, names } = named;
    let bytes = segment_bytes(image, *segment);
    let numbers = Bytes { bytes, endian: tokens.endian };
    let records = bytes.get(names.records.clone()).unwrap_or_default();
    let strings = tokens.strings(bytes);
    // Where both schemes read the same, either will do.
    let spelled = Spelled::new(records, names.lengths.unwrap_or(Lengths::ByteOrTwo), &strings);
    let found = Found { numbers, tokens, names, spelled: &spelled };
    let reading = addresses::find(&found, image.pointer)?;
    let (encoding, pointer, address_source) = encoding(image, *segment, &found, &reading)?;
    let owned = |range: std::ops::Range<usize>| bytes.get(range).unwrap_or_default().to_vec();
    let seqs = reading.seqs.as_ref().and_then(|seqs| Some((owned(seqs.range.clone()), seqs.order?)));
    let (seqs_of_names, name_order) = seqs.unwrap_or((Vec::new(), NameOrder::Whole));
    let tables = Tables {
        num_syms: names.num_syms,
        pointer,
        endian: tokens.endian,
        encoding,
        lengths: names.lengths,
        names: owned(names.records.clone()),
        places: places(owned(names.leads.at..names.leads.end()), names.leads.form),
        token_table: owned(tokens.table.clone()),
        token_index: owned(tokens.index..tokens.end()),
        offsets: owned(reading.offsets.clone()),
        seqs_of_names,
        name_order,
        facts: Facts {
            kernel: banner::release(bytes),
            // Without it there is only text.
            kallsyms_all: Some(spelled.find(b"_end").is_some()),
            ..Facts::default()
        },
    };
    Kallsyms::new(tables.view())
        .map_err(|reason| Fault::Unsound { names: segment.offset + names.records.start, reason })?;
    Ok(Whole { tables, memory_order: reading.order, address_source })
}

fn places(bytes: Vec<u8>, form: Form) -> Places {
    match form {
        Form::Markers(width) => Places::Markers { bytes, width },
        Form::Offsets(endian) => Places::Offsets { bytes, endian },
    }
}

/// The encoding with the address that it counts from, the width of a pointer, and what told the address.
fn encoding(
    image: &Image<'_>,
    segment: Segment,
    found: &Found<'_>,
    reading: &Reading,
) -> Result<(Encoding, Width, AddressSource), Fault> {
    let Found { numbers, .. } = found;
    let Reading { pointer, form, offsets, base_at, .. } = reading;
    let offset_words = || offsets.clone().step_by(4).map_while(|at| numbers.u32(at));
    let based: fn(u64) -> Encoding = match form {
        AddressForm::Absolute => return Ok((Encoding::Absolute, *pointer, AddressSource::Tables)),
        AddressForm::Offset => return Ok((Encoding::Offset, Width::Bits32, AddressSource::Tables)),
        AddressForm::PcRelative => {
            let at = segment.offset + offsets.start;
            let encoding = |offsets_address| Encoding::PcRelative { offsets_address };
            if image.is_placed() {
                let address = image.address(at).ok_or(Fault::NoLinkAddress { at })?;
                return Ok((encoding(address), *pointer, AddressSource::Segments));
            }
            let widths = image.pointer.map_or(vec![Width::Bits64, Width::Bits32], |width| vec![width]);
            let settled = widths.into_iter().find_map(|width| {
                let address = anchor::settle(numbers, width, pc_distances(offset_words()), at as u64)?;
                Some((encoding(address), width, AddressSource::Pointers))
            });
            return settled.ok_or(Fault::NoLinkAddress { at });
        }
        AddressForm::UnsignedBase => |relative_base| Encoding::UnsignedBase { relative_base },
        AddressForm::SignedPercpu => |relative_base| Encoding::SignedPercpu { relative_base },
    };
    let at = base_at.unwrap_or_default();
    match numbers.word(at, *pointer) {
        Some(base) if base != 0 => return Ok((based(base), *pointer, AddressSource::RelativeBase)),
        _ => {}
    }
    let whole = Bytes { bytes: image.bytes, ..*numbers };
    if let Some(address) = image.address(segment.offset + at)
        && let Some(base) = anchor::relocated_at(&whole, address)
    {
        return Ok((based(base), *pointer, AddressSource::Relocation));
    }
    // Signed offsets are no distances, and no kernel with such leaves its base to relocations.
    let distances = || offset_words().map(i64::from);
    let settled =
        (*form == AddressForm::UnsignedBase).then(|| anchor::settle(numbers, *pointer, distances(), 0));
    let base = settled.flatten().ok_or(Fault::NoRelativeBase { at: segment.offset + at })?;
    let source = if anchor::may_relocate(&whole, at, base) {
        AddressSource::Relocation
    } else {
        AddressSource::Pointers
    };
    Ok((based(base), *pointer, source))
}
