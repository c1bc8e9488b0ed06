//! One variant for every way in which bytes can fail to be BTF.

use core::fmt;

use super::header::HeaderError;
use super::kind::Kind;
use super::type_id::TypeId;

/// A section of BTF, for messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Section {
    /// The types.
    Types,
    /// How long the records of each kind are.
    Layout,
    /// The strings.
    Strings,
}

/// Why bytes are not BTF, or not sound: from [`Btf::parse`](super::Btf::parse) up to
/// [`Error::BaseTooDeep`], from [`Btf::check_references`](super::Btf::check_references) behind it.
///
/// An `offset` counts bytes from the start of the BTF, a name's offset from that of the (base's) strings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Error {
    /// The header cannot be read.
    Header(HeaderError),
    /// A section ends behind the last byte, or behind the start of the section that follows it.
    SectionOutOfBounds {
        /// The section.
        section: Section,
        /// Where it ends.
        end: u64,
        /// Where it may end at most.
        limit: u64,
    },
    /// A section does not begin at a multiple of four behind the header, or its length is none.
    Misaligned {
        /// The section.
        section: Section,
        /// What is no multiple.
        found: u32,
    },
    /// The string section is empty, which only that of a split BTF may be.
    NoStrings,
    /// The first string is not empty; it is in all but a split BTF.
    FirstString {
        /// Where the strings begin.
        offset: usize,
        /// The first byte.
        found: u8,
    },
    /// The last string has no end.
    LastString {
        /// Where the last byte is.
        offset: usize,
        /// That byte.
        found: u8,
    },
    /// The layout section contradicts what is known of a kind.
    Layout {
        /// The kind.
        kind: Kind,
        /// Where its entry is.
        offset: usize,
        /// Bytes behind a record's head, and bytes of an element.
        found: (u8, u8),
    },
    /// A kind that neither this reader nor the layout section knows, so that its record has no end.
    UnknownKind {
        /// The type.
        id: TypeId,
        /// Where its record begins.
        offset: usize,
        /// Number of the kind.
        found: u8,
    },
    /// A record reaches past the end of the types.
    RecordOutOfBounds {
        /// The type.
        id: TypeId,
        /// Where its record begins.
        offset: usize,
        /// Bytes that it has.
        len: u64,
        /// Bytes that are left.
        left: usize,
    },
    /// The name of a type, or of one of its elements, lies outside the strings.
    NameOutOfBounds {
        /// The type.
        id: TypeId,
        /// Where the name's offset stands.
        offset: usize,
        /// The name's offset.
        found: u32,
        /// Where the strings end.
        end: u32,
    },
    /// There are more types or strings, with those of the base, than can be numbered.
    TooLarge,
    /// The base has the other byte order.
    BaseEndian,
    /// A split of a split of a split, too often to be followed.
    BaseTooDeep {
        /// How many bases there are.
        found: u32,
    },
    /// A type refers to one that is not there.
    NoSuchType {
        /// The type.
        id: TypeId,
        /// Where the reference stands.
        offset: usize,
        /// What it refers to.
        found: TypeId,
    },
    /// A type refers to one of a kind that cannot stand there.
    WrongKind {
        /// The type.
        id: TypeId,
        /// Where the reference stands.
        offset: usize,
        /// What it refers to.
        target: TypeId,
        /// The kind of that.
        found: Kind,
    },
    /// Typedefs, modifiers and arrays that lead to no other type: a circle, or 32 and more.
    TooDeep {
        /// The type that they begin with.
        id: TypeId,
        /// Where its record begins.
        offset: usize,
    },
    /// The component of a declaration's tag is neither -1 nor an element of its target.
    Component {
        /// The tag.
        id: TypeId,
        /// Where the number stands.
        offset: usize,
        /// The number.
        found: i32,
        /// Elements of the target.
        count: u32,
    },
}

impl fmt::Display for Section {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Types => "type section",
            Self::Layout => "layout section",
            Self::Strings => "string section",
        })
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Header(error) => fmt::Display::fmt(&error, f),
            Self::SectionOutOfBounds { section, end, limit } => {
                write!(f, "the {section} ends at {end:#x}, behind {limit:#x}")
            }
            Self::Misaligned { section, found } => {
                write!(f, "{found:#x} in the header, of the {section}, is no multiple of four")
            }
            Self::NoStrings => f.write_str("the string section is empty, as only that of a split BTF may be"),
            Self::FirstString { offset, found } => write!(
                f,
                "the strings begin with {found:#04x} at {offset:#x}, not with NUL: a split BTF needs its base"
            ),
            Self::LastString { offset, found } => {
                write!(f, "the strings end with {found:#04x} at {offset:#x}, not with NUL")
            }
            Self::Layout { kind, offset, found: (info, element) } => write!(
                f,
                "the layout at {offset:#x} gives {kind} {info} bytes and {element} an element, which is not its size"
            ),
            Self::UnknownKind { id, offset, found } => {
                write!(
                    f,
                    "type {id} at {offset:#x} is of kind {found}, which neither this reader nor a layout knows"
                )
            }
            Self::RecordOutOfBounds { id, offset, len, left } => {
                write!(f, "type {id} at {offset:#x} has {len} bytes, {left} are left of the types")
            }
            Self::NameOutOfBounds { id, offset, found, end } => {
                write!(
                    f,
                    "type {id}: name offset {found:#x} at {offset:#x} lies behind the strings, which end at {end:#x}"
                )
            }
            Self::TooLarge => f.write_str("more types or strings than can be numbered"),
            Self::BaseEndian => f.write_str("the base has the other byte order"),
            Self::BaseTooDeep { found } => write!(f, "{found} bases one on the other are not followed"),
            Self::NoSuchType { id, offset, found } => {
                write!(f, "type {id} refers at {offset:#x} to type {found}, which is not there")
            }
            Self::WrongKind { id, offset, target, found } => {
                write!(
                    f,
                    "type {id} refers at {offset:#x} to type {target}, whose kind, {found}, cannot stand there"
                )
            }
            Self::TooDeep { id, offset } => {
                write!(
                    f,
                    "type {id} at {offset:#x} leads through 32 typedefs, modifiers and arrays, or more: a circle"
                )
            }
            Self::Component { id, offset, found, count } => write!(
                f,
                "tag {id}: component {found} at {offset:#x} is neither -1 nor one of the {count} elements of its target"
            ),
        }
    }
}

impl core::error::Error for Error {}

impl From<HeaderError> for Error {
    fn from(error: HeaderError) -> Self {
        Self::Header(error)
    }
}
