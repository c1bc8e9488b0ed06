//! What a type is.

use core::fmt;

/// The kind of a type, `BTF_KIND_*`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Kind {
    /// Type 0, `void`, which has no record.
    Void,
    /// An integer, `char` and `bool` among them.
    Int,
    /// A pointer.
    Pointer,
    /// An array.
    Array,
    /// A struct.
    Struct,
    /// A union.
    Union,
    /// An enum whose values have up to 32 bits.
    Enum,
    /// A struct, union or enum that is only declared.
    Forward,
    /// A typedef.
    Typedef,
    /// `volatile`.
    Volatile,
    /// `const`.
    Const,
    /// `restrict`.
    Restrict,
    /// A function.
    Func,
    /// Parameters and result of a function.
    FuncProto,
    /// A global variable.
    Var,
    /// A section with its variables.
    DataSec,
    /// A floating point number.
    Float,
    /// A tag on a declaration, `btf_decl_tag`.
    DeclTag,
    /// A tag on a type, `btf_type_tag`.
    TypeTag,
    /// An enum whose values have 64 bits.
    Enum64,
    /// A later kind with this number, whose records the layout section measures.
    Other(u8),
}

const KNOWN: [(Kind, &str, &str); 20] = [
    (Kind::Void, "VOID", "void"),
    (Kind::Int, "INT", "int"),
    (Kind::Pointer, "PTR", "ptr"),
    (Kind::Array, "ARRAY", "array"),
    (Kind::Struct, "STRUCT", "struct"),
    (Kind::Union, "UNION", "union"),
    (Kind::Enum, "ENUM", "enum"),
    (Kind::Forward, "FWD", "fwd"),
    (Kind::Typedef, "TYPEDEF", "typedef"),
    (Kind::Volatile, "VOLATILE", "volatile"),
    (Kind::Const, "CONST", "const"),
    (Kind::Restrict, "RESTRICT", "restrict"),
    (Kind::Func, "FUNC", "func"),
    (Kind::FuncProto, "FUNC_PROTO", "func_proto"),
    (Kind::Var, "VAR", "var"),
    (Kind::DataSec, "DATASEC", "datasec"),
    (Kind::Float, "FLOAT", "float"),
    (Kind::DeclTag, "DECL_TAG", "decl_tag"),
    (Kind::TypeTag, "TYPE_TAG", "type_tag"),
    (Kind::Enum64, "ENUM64", "enum64"),
];

impl Kind {
    /// The kind of this number.
    #[must_use]
    #[inline]
    pub fn from_number(number: u8) -> Self {
        KNOWN.get(usize::from(number)).map_or(Self::Other(number), |&(kind, ..)| kind)
    }

    /// Its number.
    #[must_use]
    // Where it is inlined the compiler jumps by kind, which is hard to foresee.
    #[inline(never)]
    pub const fn number(self) -> u8 {
        match self {
            Self::Void => 0,
            Self::Int => 1,
            Self::Pointer => 2,
            Self::Array => 3,
            Self::Struct => 4,
            Self::Union => 5,
            Self::Enum => 6,
            Self::Forward => 7,
            Self::Typedef => 8,
            Self::Volatile => 9,
            Self::Const => 10,
            Self::Restrict => 11,
            Self::Func => 12,
            Self::FuncProto => 13,
            Self::Var => 14,
            Self::DataSec => 15,
            Self::Float => 16,
            Self::DeclTag => 17,
            Self::TypeTag => 18,
            Self::Enum64 => 19,
            Self::Other(number) => number,
        }
    }

    /// The kind of a name as in `struct`, `func`, `decl_tag`.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        KNOWN.iter().find(|(_, _, lower)| *lower == name).map(|&(kind, ..)| kind)
    }
}

/// As `bpftool` prints it: `STRUCT`; a later kind is `KIND_20`.
impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match KNOWN.get(usize::from(self.number())) {
            Some((_, upper, _)) => f.write_str(upper),
            None => write!(f, "KIND_{}", self.number()),
        }
    }
}
