//! What an error says.

use core::fmt;

use super::Error;
use crate::image::layout::VERSION;

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::TooShort { len, needed } => write!(f, "{len} bytes are too short for a header of {needed}"),
            Self::NotEmbedded => f.write_str("no symbol table was embedded (run `kallsyms embed`)"),
            Self::BadMagic { found } => write!(f, "not a symbol table: it begins with {found:02x?}"),
            Self::UnsupportedVersion { found } => {
                write!(f, "format version {found}, this reader knows version {VERSION}")
            }
            Self::Truncated { image_len, len } => {
                write!(f, "the table has {image_len} bytes, only {len} are there")
            }
            Self::BadField { field, value } => write!(f, "header field {field:?} is {value:#x}"),
            Self::SectionOutOfBounds { section, offset, len, image_len } => write!(
                f,
                "section {section:?} at {offset:#x} with {len:#x} bytes ends past the table's {image_len:#x}"
            ),
            Self::SectionMisaligned { section, offset } => {
                write!(f, "section {section:?} at {offset:#x} is not aligned to 64 bytes")
            }
            Self::SectionMissing { section } => write!(f, "section {section:?} is missing"),
            Self::SectionRepeated { section } => write!(f, "section {section:?} is there twice"),
            Self::SectionLength { section, len, expected } => {
                write!(f, "section {section:?} has {len:#x} bytes, the counts ask for {expected:#x}")
            }
            Self::Checksum { stored, computed } => {
                write!(f, "checksum {computed:#010x} differs from the stored {stored:#010x}")
            }
            Self::HeaderLength { header_len, section_count } => {
                write!(f, "the header has {header_len} bytes, which is not that of {section_count} sections")
            }
            Self::BadRecord { block, offset } => {
                write!(f, "the record of block {block} at {offset:#x} is out of bounds")
            }
            Self::RecordOrder { block, offset, expected } => {
                write!(
                    f,
                    "the record of block {block} is at {offset:#x}, the one before ends at {expected:#x}"
                )
            }
            Self::FirstDelta { block } => write!(f, "the first delta of block {block} is not 0"),
            Self::SpareDelta { block } => {
                write!(f, "a delta of block {block} stands where no symbol is, and is not all ones")
            }
            Self::DeltaOverflow { symbol } => {
                write!(f, "the delta of symbol {symbol} is shifted out of 64 bits")
            }
            Self::HintCount { found, expected } => {
                write!(f, "there are {found} hints, the blocks ask for {expected}")
            }
            Self::BadHint { hint, found, expected } => {
                write!(f, "hint {hint} says {found} blocks, there are {expected}")
            }
            Self::AddressOrder { symbol, address } => {
                write!(f, "symbol {symbol} at {address:#x} is below the one before it")
            }
            Self::WrongSideOfBase { symbol, address } => {
                write!(f, "symbol {symbol} at {address:#x} is on the wrong side of the link base")
            }
            Self::NotFoundByAddress { symbol, address } => {
                write!(f, "symbol {symbol} is not found by its address {address:#x}")
            }
            Self::NotAbsolute { symbol, kind } => {
                write!(f, "symbol {symbol} of type {kind:#04x} stands among the absolute ones")
            }
            Self::EmptyToken { code } => write!(f, "token {code} is empty"),
            Self::TokenOutOfBounds { code } => write!(f, "token {code} is out of bounds"),
            Self::TokenTooLarge { code } => write!(f, "token {code} nests too deep or is too long"),
            Self::BadCode { symbol } => write!(f, "the name of symbol {symbol} has a code out of range"),
            Self::EmptyName { symbol } => write!(f, "the name of symbol {symbol} is empty"),
            Self::NameTooLong { symbol, len } => write!(f, "the name of symbol {symbol} has {len} bytes"),
            Self::BadPrefixReference { symbol } => {
                write!(f, "symbol {symbol} refers to a name that does not carry the prefix")
            }
            Self::NotFoundByName { symbol } => write!(f, "symbol {symbol} is not found by its name"),
            Self::BadLink { symbol, target } => {
                write!(f, "symbol {symbol} links to {target}, not a later symbol of its name")
            }
            Self::NameCount { stored, counted } => {
                write!(f, "the header counts {stored} distinct names, the symbols have {counted}")
            }
            Self::Unlinked { symbols, reached } => {
                write!(f, "of {symbols} symbols {reached} are reached by name")
            }
            Self::GapTooLarge { symbol, gap } => {
                write!(f, "the gap of {gap} bytes behind symbol {symbol} is larger than the distance")
            }
            Self::SizeOrder { exception, symbol } => {
                write!(f, "size exception {exception} for symbol {symbol} is out of order or range")
            }
            Self::SizeNotMarked { exception, symbol } => {
                write!(f, "size exception {exception}: the gap of symbol {symbol} does not say so")
            }
            Self::SizeOverflow { exception, size } => {
                write!(f, "size exception {exception}: {size:#x} bytes reach past the address space")
            }
            Self::SizeParent { exception, parent } => {
                write!(f, "size exception {exception}: symbol {parent} does not enclose it")
            }
            Self::ModuleOrder { run, first } => {
                write!(f, "module run {run} from symbol {first} is out of order or range")
            }
            Self::ModuleName { run, offset } => {
                write!(f, "module run {run}: no name at {offset:#x}")
            }
        }
    }
}

impl core::error::Error for Error {}
