//! Symbols → the bytes of an image.

mod bit_writer;
mod blocks;
mod modules;
mod name_index;
mod names;
mod sizes;

use kallsyms_core::image::checksum;
use kallsyms_core::image::hash::HashId;
use kallsyms_core::image::layout::{
    self, Header, MAX_BUILD_ID, MAX_NAME, MAX_PREFIX, NestedToken, SECTION_ALIGN, SectionEntry, SectionKind,
    Token, flags,
};
use kallsyms_core::table::is_absolute_kind;
use zerocopy::IntoBytes;

use crate::compress::{self, Dictionary, Encoded, Profile, Progress};
use crate::symbols::{Symbol, Symbols};
use blocks::Blocks;
use modules::{Modules, lossy_start};
use name_index::NameIndex;
use names::Names;
use sizes::Sizes;

/// Why symbols cannot become an image.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EncodeError {
    /// There is nothing to put into a table.
    #[error("no symbols")]
    NoSymbols,
    /// A name that a table cannot hold.
    #[error("symbol {index} at {address:#x}: its name of {len} bytes (`{start}`…) {why}")]
    BadName {
        /// The symbol's place.
        index: usize,
        /// Its address.
        address: u64,
        /// Bytes of its name.
        len: usize,
        /// The start of its name.
        start: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// A symbol stands before one of a lower address.
    #[error("symbol {index} at {address:#x} is out of address order")]
    Unordered {
        /// The symbol's place.
        index: usize,
        /// Its address.
        address: u64,
    },
    /// An address that does not fit the table's address width.
    #[error("symbol {index} at {address:#x} does not fit in {digits} hexadecimal digits")]
    AddressWidth {
        /// The symbol's place.
        index: usize,
        /// Its address.
        address: u64,
        /// Digits of the table.
        digits: u8,
    },
    /// A module name that a table cannot hold.
    #[error("module name of {len} bytes (`{start}`…) is longer than 255")]
    ModuleName {
        /// Its bytes.
        len: usize,
        /// Its start.
        start: String,
    },
    /// No seed gave a perfect hash.
    #[error("no perfect hash over {names} names with {seeds} seeds")]
    NoPerfectHash {
        /// Distinct names.
        names: usize,
        /// Seeds that were tried.
        seeds: u64,
    },
    /// More than 32 bits of something.
    #[error("{what} exceed 4 GiB: split the table")]
    TooLarge {
        /// Of what.
        what: &'static str,
    },
}

/// A miss is answered without a look at a name in 127 of 128 cases.
const FINGERPRINT_BITS: u8 = 7;

/// What all sections must agree on.
#[derive(Debug)]
struct Frame {
    leading: usize,
    link_base: u64,
    covered_last: u64,
    end_known: bool,
    link_bytes: u8,
}

/// Writes an image with a dictionary trained on its names. Same symbols, same bytes.
///
/// # Errors
///
/// [`EncodeError`] for symbols that an image cannot hold.
pub fn encode(
    symbols: &Symbols,
    profile: Profile,
    progress: &mut Progress<'_>,
) -> Result<Vec<u8>, EncodeError> {
    let fingerprint_bits = match profile {
        Profile::Fast => FINGERPRINT_BITS,
        Profile::Compact => 0,
    };
    encode_with(symbols, fingerprint_bits, |names| compress::train(names, profile, progress))
}

/// Writes an image without training: larger, but at once.
///
/// # Errors
///
/// As [`encode`].
pub fn encode_untrained(symbols: &Symbols) -> Result<Vec<u8>, EncodeError> {
    encode_with(symbols, FINGERPRINT_BITS, compress::spell)
}

fn encode_with(
    symbols: &Symbols,
    fingerprint_bits: u8,
    code: impl FnOnce(&[&[u8]]) -> Encoded,
) -> Result<Vec<u8>, EncodeError> {
    check(symbols)?;
    let list = &symbols.list;
    let symbol_count = u32::try_from(list.len()).map_err(|_| EncodeError::TooLarge { what: "symbols" })?;
    let frame = frame(symbols);
    let names = Names::compress(list, code);
    let blocks = Blocks::encode(list, &names, &frame)?;
    // A table of 32-bit addresses is for a 32-bit target, where the folded hash is slow.
    let hash_id = if symbols.address_digits == 8 { HashId::Lanes } else { HashId::Folded };
    let index = NameIndex::encode(list, &names.firsts, hash_id, fingerprint_bits)?;
    let sizes = Sizes::encode(list, &frame);
    let modules = Modules::encode(symbols)?;
    let dictionary = &names.encoded.dictionary;
    let nested = dictionary.tokens.iter().any(|token| token.halves.is_some());
    let (tokens, token_bytes) = tokens(dictionary, nested)?;

    let build_id = if symbols.build_id.len() > MAX_BUILD_ID { &[] } else { symbols.build_id.as_slice() };
    let flag = |set: bool, bit: u32| if set { bit } else { 0 };
    let mut header = Header {
        magic: layout::MAGIC,
        version: layout::VERSION.into(),
        header_len: 0.into(),
        crc32: 0.into(),
        image_len: 0.into(),
        symbol_count: symbol_count.into(),
        name_count: (names.firsts.len() as u32).into(),
        leading_absolute: (frame.leading as u32).into(),
        link_base: frame.link_base.into(),
        covered_last: frame.covered_last.into(),
        flags: (flag(blocks.wide, flags::WIDE_BLOCKS)
            | flag(nested, flags::NESTED_TOKENS)
            | flag(frame.end_known, flags::END_KNOWN)
            | flag(blocks.wide_hints, flags::WIDE_HINTS))
        .into(),
        address_digits: symbols.address_digits,
        code_bits: dictionary.code_bits,
        fingerprint_bits,
        hash_id: hash_id as u8,
        hash_seed: index.seed.into(),
        token_count: (dictionary.tokens.len() as u32).into(),
        slot_count: index.slots.into(),
        bucket_count: (index.pilots.len() as u32).into(),
        hint_shift: blocks.hint_shift,
        link_bytes: frame.link_bytes,
        prefix_len: names.prefix.len() as u8,
        build_id_len: build_id.len() as u8,
        prefix: padded::<MAX_PREFIX>(&names.prefix),
        build_id: padded::<MAX_BUILD_ID>(build_id),
        section_count: 0.into(),
        reserved: 0.into(),
    };
    assemble(
        &mut header,
        &[
            (SectionKind::Blocks, blocks.blocks),
            (SectionKind::Hints, blocks.hints),
            (SectionKind::Records, blocks.records),
            (SectionKind::Tokens, tokens),
            (SectionKind::TokenBytes, token_bytes),
            (SectionKind::Pilots, index.pilots),
            (SectionKind::Index, index.entries),
            (SectionKind::Gaps, sizes.gaps),
            (SectionKind::SizeExceptions, sizes.exceptions),
            (SectionKind::ModuleRuns, modules.runs),
            (SectionKind::ModuleNames, modules.names),
        ],
    )
}

fn check(symbols: &Symbols) -> Result<(), EncodeError> {
    if symbols.list.is_empty() {
        return Err(EncodeError::NoSymbols);
    }
    let digits = symbols.address_digits;
    let mut previous = 0;
    for (index, symbol) in symbols.list.iter().enumerate() {
        let Symbol { address, ref name, .. } = *symbol;
        let why = match name.len() {
            0 => Some("is empty"),
            len if len > MAX_NAME => Some("is longer than a mebibyte"),
            _ if name.contains(&0) => Some("holds a NUL byte"),
            _ => None,
        };
        if let Some(why) = why {
            return Err(EncodeError::BadName {
                index,
                address,
                len: name.len(),
                start: lossy_start(name),
                why,
            });
        }
        if address < previous {
            return Err(EncodeError::Unordered { index, address });
        }
        if digits == 8 && u32::try_from(address).is_err() {
            return Err(EncodeError::AddressWidth { index, address, digits });
        }
        previous = address;
    }
    Ok(())
}

fn frame(symbols: &Symbols) -> Frame {
    let list = &symbols.list;
    let last = list.last().map_or(0, |symbol| symbol.address);
    // A table of nothing but absolute symbols has no kernel for them to lie below.
    let link_base =
        list.iter().find(|symbol| !is_absolute_kind(symbol.kind)).or(list.first()).map_or(0, |s| s.address);
    Frame {
        leading: list.partition_point(|symbol| symbol.address < link_base),
        link_base,
        // Text does not say where the last symbol ends; memory is mapped by pages, so it is taken to fill its
        // page.
        covered_last: symbols.covered_last.unwrap_or(last | 0xfff).max(last),
        end_known: symbols.covered_last.is_some(),
        link_bytes: (u32::BITS - (list.len() as u32 - 1).leading_zeros()).div_ceil(8).max(1) as u8,
    }
}

fn tokens(dictionary: &Dictionary, nested: bool) -> Result<(Vec<u8>, Vec<u8>), EncodeError> {
    if nested {
        let pairs = (0u16..).zip(&dictionary.tokens).flat_map(|(code, token)| {
            let (left, right) = token.halves.unwrap_or((code, u16::from(token.bytes[0])));
            NestedToken { left: left.into(), right: right.into() }.as_bytes().to_vec()
        });
        return Ok((pairs.collect(), Vec::new()));
    }
    let expansions: Vec<&[u8]> = dictionary.tokens.iter().map(|token| token.bytes.as_slice()).collect();
    let (bytes, offsets) = compress::pack_tokens(&expansions);
    if bytes.len() >> 24 != 0 {
        return Err(EncodeError::TooLarge { what: "token offsets of 24 bits" });
    }
    let places = offsets.iter().zip(&dictionary.tokens).flat_map(|(offset, token)| {
        Token { place: (offset << 8 | token.bytes.len() as u32).into() }.as_bytes().to_vec()
    });
    Ok((places.collect(), bytes))
}

/// Lays out the sections that are not empty and fills in the header's lengths and checksum.
fn assemble(header: &mut Header, sections: &[(SectionKind, Vec<u8>)]) -> Result<Vec<u8>, EncodeError> {
    let sections: Vec<_> = sections.iter().filter(|(_, bytes)| !bytes.is_empty()).collect();
    let header_len = size_of::<Header>() + sections.len() * size_of::<SectionEntry>();
    let mut table = Vec::new();
    let mut body = vec![0; header_len];
    for (kind, bytes) in sections {
        body.resize(body.len().next_multiple_of(SECTION_ALIGN), 0);
        let entry = SectionEntry {
            kind: (*kind as u32).into(),
            offset: (body.len() as u32).into(),
            len: (bytes.len() as u32).into(),
        };
        table.extend(entry.as_bytes());
        body.extend(bytes);
    }
    let image_len = u32::try_from(body.len()).map_err(|_| EncodeError::TooLarge { what: "images" })?;
    header.header_len = (header_len as u16).into();
    header.image_len = image_len.into();
    header.section_count = ((table.len() / size_of::<SectionEntry>()) as u32).into();
    body[..size_of::<Header>()].copy_from_slice(header.as_bytes());
    body[size_of::<Header>()..header_len].copy_from_slice(&table);
    header.crc32 = checksum(&body).into();
    body[..size_of::<Header>()].copy_from_slice(header.as_bytes());
    Ok(body)
}

fn padded<const N: usize>(bytes: &[u8]) -> [u8; N] {
    std::array::from_fn(|at| bytes.get(at).copied().unwrap_or(0))
}
