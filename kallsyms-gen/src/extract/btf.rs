//! The BTF of a kernel, a module or a BPF program: the section of that name, or what its header shows.

use std::fmt;
use std::ops::Range;

use kallsyms_core::btf::Btf;
use object::{Object, ObjectSection};

use super::error::{ExtractError, Fault};
use super::image::Image;
use super::payload::Wrapping;
use super::search::{self, Failed};

/// Headers that are looked into; no kernel has as many by chance.
const MOST_HEADERS: usize = 64;
/// The first bytes in either byte order: magic, version 1, no flags.
const STARTS: [[u8; 4]; 2] = [[0x9f, 0xeb, 1, 0], [0xeb, 0x9f, 1, 0]];

/// BTF, and where in the bytes around it it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CarvedBtf {
    /// The BTF. That of a section is not checked: it may be split.
    pub bytes: Vec<u8>,
    /// The section `.BTF.ext`, where there is one.
    pub ext: Option<Vec<u8>>,
    /// Where it begins.
    pub place: BtfPlace,
}

/// Where BTF begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BtfPlace {
    /// The section `.BTF` of an ELF file, at this offset.
    Section(usize),
    /// Anywhere, at this offset.
    Offset(usize),
}

/// BTF, and what was unpacked to get at it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExtractedBtf {
    /// The BTF.
    pub btf: CarvedBtf,
    /// What was unpacked.
    pub wrapping: Wrapping,
}

/// Finds the BTF of a kernel, a module or a BPF program, packed or not.
///
/// In an ELF file it is the section `.BTF`, anywhere else the longest that its header and all its records
/// show. Of hostile bytes at most 512 MiB are unpacked.
///
/// # Errors
///
/// [`ExtractError::EmptyOfBtf`], [`ExtractError::NoBtfSection`] and, of what is no ELF file or a damaged one,
/// [`ExtractError::NoBtf`].
pub fn extract_btf(bytes: &[u8]) -> Result<ExtractedBtf, ExtractError> {
    let seek = |bytes: &[u8], _| within(bytes).ok_or(Fault::NoBtf { searched: bytes.len() });
    match search::search(bytes, &seek) {
        Ok((btf, wrapping)) => Ok(ExtractedBtf { btf, wrapping }),
        Err(Failed::Empty) => Err(ExtractError::EmptyOfBtf),
        // What seems to be packed in a program is so by chance: those attempts say nothing.
        Err(_) if Image::is_elf(bytes) && object::File::parse(bytes).is_ok() => {
            Err(ExtractError::NoBtfSection)
        }
        Err(Failed::NotFound(attempts)) => Err(ExtractError::NoBtf { attempts }),
        Err(Failed::Incomplete(attempt)) => Err(ExtractError::NoBtf { attempts: vec![attempt] }),
    }
}

/// The BTF within bytes that nothing is packed in.
pub(super) fn within(bytes: &[u8]) -> Option<CarvedBtf> {
    if Image::is_elf(bytes)
        && let Some(found) = in_section(bytes)
    {
        return Some(found);
    }
    let range = longest(bytes)?;
    let place = BtfPlace::Offset(range.start);
    Some(CarvedBtf { bytes: bytes.get(range)?.to_vec(), ext: None, place })
}

fn in_section(bytes: &[u8]) -> Option<CarvedBtf> {
    let file = object::File::parse(bytes).ok()?;
    let section = |name| {
        let section = file.section_by_name(name)?;
        let data = section.data().ok().filter(|data| !data.is_empty())?;
        Some((data.to_vec(), section.file_range()?.0))
    };
    let (btf, offset) = section(".BTF")?;
    let ext = section(".BTF.ext").map(|(ext, _)| ext);
    Some(CarvedBtf { bytes: btf, ext, place: BtfPlace::Section(usize::try_from(offset).ok()?) })
}

/// The longest BTF that stands on its own; programs that a kernel carries have some of theirs.
fn longest(bytes: &[u8]) -> Option<Range<usize>> {
    let mut longest: Option<Range<usize>> = None;
    let mut at = 0;
    for _ in 0..MOST_HEADERS {
        let Some(found) = next_header(bytes, at) else { break };
        let is_btf = bytes
            .get(found.clone())
            .is_some_and(|found| Btf::parse(found).is_ok_and(|btf| btf.own_len() > 0));
        at = if is_btf { found.end } else { found.start + 1 };
        if is_btf && longest.as_ref().is_none_or(|longest| longest.len() < found.len()) {
            longest = Some(found);
        }
    }
    longest
}

/// The next place from `at` on where a header fits what there is, up to the end of its last section.
fn next_header(bytes: &[u8], at: usize) -> Option<Range<usize>> {
    let mut at = at;
    loop {
        let rest = bytes.get(at..)?;
        at += rest.windows(STARTS[0].len()).position(|start| STARTS.iter().any(|known| known == start))?;
        if let Some(len) = len(bytes.get(at..)?) {
            return Some(at..at + len);
        }
        at += 1;
    }
}

/// Bytes of the BTF whose header this is.
fn len(bytes: &[u8]) -> Option<usize> {
    let word = |at: usize| {
        let word = *bytes.get(at..)?.first_chunk()?;
        let word = if bytes.first() == STARTS[0].first() {
            u32::from_le_bytes(word)
        } else {
            u32::from_be_bytes(word)
        };
        usize::try_from(word).ok()
    };
    let header_len = word(4).filter(|len| (24..=64).contains(len))?;
    let end = |at: usize| header_len.checked_add(word(at)?)?.checked_add(word(at + 4)?);
    let (types, strings) = (end(8)?, end(16)?);
    let end = types.max(strings);
    (word(12)? > 0 && word(20)? > 0 && types <= strings && end <= bytes.len()).then_some(end)
}

impl fmt::Display for BtfPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Section(offset) => write!(f, "section .BTF at {offset:#x}"),
            Self::Offset(offset) => write!(f, "BTF at {offset:#x}"),
        }
    }
}

impl fmt::Display for ExtractedBtf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.wrapping.0.is_empty() {
            return write!(f, "{}", self.btf.place);
        }
        write!(f, "{} of {}", self.btf.place, self.wrapping)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// BTF of `count` forward declarations without names, in either byte order.
    fn btf(count: u32, big: bool) -> Vec<u8> {
        let word = |word: u32| if big { word.to_be_bytes() } else { word.to_le_bytes() };
        let mut bytes = if big { vec![0xeb, 0x9f, 1, 0] } else { vec![0x9f, 0xeb, 1, 0] };
        let words = [24, 0, 12 * count, 12 * count, 1];
        bytes.extend(words.into_iter().flat_map(word));
        bytes.extend((0..count).flat_map(|_| [0, 7 << 24, 0]).flat_map(word));
        bytes.push(0);
        bytes
    }

    fn carved(bytes: &[u8]) -> Option<(Vec<u8>, usize)> {
        within(bytes).map(|found| match found.place {
            BtfPlace::Section(offset) | BtfPlace::Offset(offset) => (found.bytes, offset),
        })
    }

    #[test]
    fn the_longest_that_can_be_read_is_taken() {
        for big in [false, true] {
            let (short, long) = (btf(3, big), btf(7, !big));
            let mut cut = btf(9, big);
            cut.truncate(cut.len() - 1);
            let mut broken = btf(9, big);
            *broken.last_mut().expect("a string") = b'x';
            let all = [&[0x9f; 13][..], &short, &long, &short, &broken, &[0xeb], &cut].concat();
            assert_eq!(carved(&all), Some((long.clone(), 13 + short.len())));
            assert_eq!(carved(&long), Some((long.clone(), 0)));
            assert_eq!(carved(&long[..long.len() - 1]), None);
            assert_eq!(carved(&broken), None);
        }
        assert_eq!(carved(&btf(0, false)), None);
        assert_eq!(carved(b""), None);
        assert_eq!(carved(&[0x9f, 0xeb, 1, 0]), None);
    }

    /// Many headers, each of which leads past all that follow: not looked into for ever.
    #[test]
    fn headers_without_end() {
        let mut bytes = Vec::new();
        for number in 0..20_000_u32 {
            let words = [24, 0, 1 << 16, 1 << 16, number % 3 + 1];
            bytes.extend([0x9f, 0xeb, 1, 0]);
            bytes.extend(words.into_iter().flat_map(u32::to_le_bytes));
        }
        assert_eq!(carved(&bytes), None);
    }

    #[test]
    fn a_place_in_words() {
        let btf = CarvedBtf { bytes: Vec::new(), ext: None, place: BtfPlace::Offset(16) };
        let found = ExtractedBtf { btf, wrapping: Wrapping::default() };
        assert_eq!(found.to_string(), "BTF at 0x10");
        assert_eq!(BtfPlace::Section(64).to_string(), "section .BTF at 0x40");
    }
}
