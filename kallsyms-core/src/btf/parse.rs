//! The doors: header, sections, then every record and name in one pass.

use zerocopy::FromBytes;

use super::btf::Btf;
use super::error::{Error, Section};
use super::format::{Info, MAX_DEPTH, RawLayout, RawType, Word, has_named_elements, record_len, trailer};
use super::header::{self, RawHeader};
use super::kind::Kind;
use super::layer::Layer;
use super::offsets::{Keeper, Offsets};
use super::strings;
use super::type_id::TypeId;
use crate::endian::Endian;
use crate::num::{count, low32, numbered, wide};

/// Type numbers and string offsets end here, as those of libbpf do.
const MAX: u32 = 0x7fff_ffff;

impl<'a> Btf<'a> {
    /// Reads BTF that stands on its own, as `/sys/kernel/btf/vmlinux` does.
    ///
    /// Bytes between and behind the sections are let pass, as libbpf does; offsets of names are followed,
    /// references to types are not ([`check_references`](Self::check_references)). Steps: one a type and one
    /// an element.
    ///
    /// # Errors
    ///
    /// The first of the faults up to [`Error::BaseTooDeep`].
    pub fn parse(bytes: &'a [u8]) -> Result<Self, Error> {
        read(bytes, None, &mut [])
    }

    /// As [`parse`](Self::parse) and [`with_offsets`](Self::with_offsets), in one pass. Steps: as
    /// [`parse`](Self::parse).
    ///
    /// # Errors
    ///
    /// As [`parse`](Self::parse).
    pub fn parse_with_offsets(bytes: &'a [u8], room: &'a mut [u32]) -> Result<Self, Error> {
        read(bytes, None, room)
    }

    /// Reads the BTF of a module: its types go on where those of the base end, and so do its strings.
    ///
    /// The base may be split itself. It is searched as it stands here: by bisection if it is a
    /// [`SortedBtf`](super::SortedBtf), by hash if it is a [`HashIndex`](super::HashIndex). Steps: as
    /// [`parse`](Self::parse), for what is not the base's.
    ///
    /// # Errors
    ///
    /// The first of the faults up to [`Error::BaseTooDeep`].
    pub fn split(base: impl Into<Layer<'a>>, bytes: &'a [u8]) -> Result<Self, Error> {
        read(bytes, Some(base.into()), &mut [])
    }
}

fn read<'a>(bytes: &'a [u8], base: Option<Layer<'a>>, room: &'a mut [u32]) -> Result<Btf<'a>, Error> {
    let (header, endian) = header::read::<RawHeader>(bytes)?;
    let hdr_len = header.start.hdr_len.get(endian);
    let section = |section, offset: Word, len: Word, limit: u64| {
        let start = u64::from(hdr_len).saturating_add(u64::from(offset.get(endian)));
        let end = start.saturating_add(u64::from(len.get(endian)));
        let outside = Error::SectionOutOfBounds { section, end, limit };
        if end > limit {
            return Err(outside);
        }
        let range = usize::try_from(start).and_then(|start| Ok(start..usize::try_from(end)?));
        range.ok().and_then(|range| Some((range.start, bytes.get(range)?))).ok_or(outside)
    };
    let (strings_at, strings) = section(Section::Strings, header.str_off, header.str_len, wide(bytes.len()))?;
    let has_layout = header.layout_len.get(endian) != 0;
    let layout_limit = wide(strings_at);
    let types_limit = match has_layout {
        true => u64::from(hdr_len).saturating_add(u64::from(header.layout_off.get(endian))),
        false => layout_limit,
    };
    let (records_at, records) =
        section(Section::Types, header.type_off, header.type_len, types_limit.min(layout_limit))?;
    aligned(Section::Types, header.type_off.get(endian))?;
    let own_layout = match has_layout {
        true => {
            let (layout_at, bytes) =
                section(Section::Layout, header.layout_off, header.layout_len, layout_limit)?;
            aligned(Section::Layout, header.layout_off.get(endian))?;
            aligned(Section::Layout, header.layout_len.get(endian))?;
            check_layout(bytes, layout_at)?
        }
        false => &[],
    };

    let mut btf = Btf {
        bytes,
        records,
        records_at,
        strings,
        strings_start: 0,
        layout: own_layout,
        endian,
        pointer_size: DEFAULT_POINTER_SIZE,
        depth: 0,
        start_id: 1,
        own_len: 0,
        named_len: 0,
        base,
        offsets: Offsets::default(),
    };
    if let Some(below) = base.as_ref().map(Layer::btf) {
        btf.strings_start = below.strings_end();
        btf.pointer_size = below.pointer_size;
        btf.depth = below.depth.saturating_add(1);
        btf.start_id = below.end_id().0;
        if own_layout.is_empty() {
            btf.layout = below.layout;
        }
        if below.endian != endian {
            return Err(Error::BaseEndian);
        }
        if btf.depth > MAX_DEPTH {
            return Err(Error::BaseTooDeep { found: btf.depth });
        }
    }
    check_strings(&btf, strings_at)?;
    check_records(&mut btf, room)?;
    Ok(btf)
}

fn aligned(section: Section, found: u32) -> Result<(), Error> {
    if found.is_multiple_of(4) { Ok(()) } else { Err(Error::Misaligned { section, found }) }
}

/// Checks that what a layout says of the kinds that are known is so.
fn check_layout(bytes: &[u8], offset: usize) -> Result<&[RawLayout], Error> {
    let entries = <[RawLayout]>::ref_from_bytes(bytes).unwrap_or_default();
    for (number, entry) in (0_u8..=0x7f).zip(entries) {
        let found = (entry.info_size, entry.element_size);
        if trailer(number, &[]).is_some_and(|known| known != found) {
            let offset = offset.wrapping_add(usize::from(number).wrapping_mul(size_of::<RawLayout>()));
            return Err(Error::Layout { kind: Kind::from_number(number), offset, found });
        }
    }
    Ok(entries)
}

fn check_strings(btf: &Btf<'_>, offset: usize) -> Result<(), Error> {
    let end = wide(btf.strings.len()).saturating_add(u64::from(btf.strings_start));
    if end > u64::from(MAX) {
        return Err(Error::TooLarge);
    }
    let (Some(&first), Some(&last)) = (btf.strings.first(), btf.strings.last()) else {
        return if btf.depth > 0 { Ok(()) } else { Err(Error::NoStrings) };
    };
    if first != 0 && btf.depth == 0 {
        return Err(Error::FirstString { offset, found: first });
    }
    if last != 0 {
        let offset = offset.wrapping_add(btf.strings.len()).wrapping_sub(1);
        return Err(Error::LastString { offset, found: last });
    }
    Ok(())
}

/// Measures every record, looks at every name's offset, and counts.
fn check_records<'a>(btf: &mut Btf<'a>, room: &'a mut [u32]) -> Result<(), Error> {
    let mut keeper = Keeper::new(room);
    let Btf { records, layout, endian, start_id, .. } = *btf;
    let end = btf.strings_end();
    let mut rest = records;
    let (mut own_len, mut named_len) = (0_u32, 0_u32);
    let mut pointer_size = None;
    while !rest.is_empty() {
        let id = TypeId(start_id.wrapping_add(own_len));
        let place = || btf.records_at.wrapping_add(records.len().wrapping_sub(rest.len()));
        let left = rest.len();
        let outside = |len| Error::RecordOutOfBounds { id, offset: place(), len, left };
        let Ok((head, behind)) = RawType::ref_from_prefix(rest) else {
            return Err(outside(wide(size_of::<RawType>())));
        };
        let info = Info(head.info.get(endian));
        let Some((info_size, element_size)) = trailer(info.kind(), layout) else {
            return Err(Error::UnknownKind { id, offset: place(), found: info.kind() });
        };
        let len = record_len((info_size, element_size), info.vlen());
        let Some((record, next)) = usize::try_from(len).ok().and_then(|len| rest.split_at_checked(len))
        else {
            return Err(outside(len));
        };
        let name_off = head.name_off.get(endian);
        if name_off >= end {
            return Err(Error::NameOutOfBounds { id, offset: place(), found: name_off, end });
        }
        let kind = Kind::from_number(info.kind());
        if has_named_elements(kind) {
            let elements = behind.get(..record.len().wrapping_sub(size_of::<RawType>())).unwrap_or_default();
            if let Some((at, found)) = outside_name(elements, usize::from(element_size), endian, end) {
                let offset = place().wrapping_add(size_of::<RawType>()).wrapping_add(at);
                return Err(Error::NameOutOfBounds { id, offset, found, end });
            }
        }
        if name_off != 0 && btf.tail(name_off).is_some_and(|tail| tail.first() != Some(&0)) {
            named_len = named_len.wrapping_add(1);
            if kind == Kind::Int && pointer_size.is_none() {
                let tail = btf.tail(name_off).unwrap_or_default();
                let name = strings::string(tail.get(..LONGEST_LONG).unwrap_or(tail));
                pointer_size = pointer_size_of(name, head.size_or_type.get(endian));
            }
        }
        // A section has at most as many bytes as a number of 32 bits can count.
        keeper.keep(own_len, low32(wide(records.len().wrapping_sub(left))));
        own_len = own_len.wrapping_add(1);
        rest = next;
    }
    if u64::from(start_id).saturating_add(u64::from(own_len)) > u64::from(MAX) {
        return Err(Error::TooLarge);
    }
    btf.offsets = keeper.finish();
    btf.own_len = own_len;
    btf.named_len = named_len;
    if let (0, Some(size)) = (btf.depth, pointer_size) {
        btf.pointer_size = size;
    }
    Ok(())
}

/// The first of the elements' names that lies outside the strings, and where it stands among them.
#[inline(always)]
fn outside_name(elements: &[u8], size: usize, endian: Endian, end: u32) -> Option<(usize, u32)> {
    let highest = match size {
        8 => highest_name::<8>(elements, endian),
        _ => highest_name::<12>(elements, endian),
    };
    if highest < end {
        return None;
    }
    let elements = elements.chunks_exact(size.max(1));
    let names =
        elements.map(|element| Word::read_from_prefix(element).map_or(0, |(word, _)| word.get(endian)));
    let (number, name) = numbered(names).find(|&(_, name)| name >= end)?;
    Some((number.wrapping_mul(size), name))
}

#[inline(always)]
fn highest_name<const SIZE: usize>(elements: &[u8], endian: Endian) -> u32 {
    let (elements, _) = elements.as_chunks::<SIZE>();
    let names = elements
        .iter()
        .map(|element| Word::read_from_prefix(element).map_or(0, |(word, _)| word.get(endian)));
    names.fold(0, u32::max)
}

/// Where no integer tells.
const DEFAULT_POINTER_SIZE: u8 = 8;

/// Bytes of `long unsigned int` and one more: no longer name is looked at, for there may be many that are long.
const LONGEST_LONG: usize = 18;

/// Bytes of a pointer, if the integer is a `long`, in whichever way it is written.
fn pointer_size_of(name: &[u8], size: u32) -> Option<u8> {
    let words =
        |wanted: &'static [u8]| count(name.split(|&byte| byte == b' ').filter(|word| *word == wanted));
    let (long, int, unsigned) = (words(b"long"), words(b"int"), words(b"unsigned"));
    let others =
        count(name.split(|&byte| byte == b' ')).wrapping_sub(long).wrapping_sub(int).wrapping_sub(unsigned);
    match (long, int, unsigned, others, size) {
        (1, 0 | 1, 0 | 1, 0, 4 | 8) => u8::try_from(low32(u64::from(size))).ok(),
        _ => None,
    }
}
