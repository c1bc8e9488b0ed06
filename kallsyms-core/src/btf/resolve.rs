//! Through typedefs and modifiers, and the bytes that a type takes.

use super::btf::Btf;
use super::format::MAX_DEPTH;
use super::kind::Kind;
use super::type_id::TypeId;
use super::types::{Shape, Type};
use crate::num::widen;

impl Btf<'_> {
    /// The type behind typedefs, `const`, `volatile`, `restrict` and type tags.
    ///
    /// `None` if one of the types is not there, or if more than 32 lead to each other. Steps: one
    /// [`type_by_id`](Self::type_by_id) a type, at most 33.
    #[must_use]
    pub fn resolve(&self, id: TypeId) -> Option<Type<'_>> {
        let mut found = self.type_by_id(id)?;
        for _ in 0..MAX_DEPTH {
            match modified(&found) {
                Some(behind) => found = self.type_by_id(behind)?,
                None => return Some(found),
            }
        }
        None
    }

    /// Bytes that a value of this type takes, as `sizeof` would say.
    ///
    /// Of a variable and of a tag on a declaration it is that of what they are about. `None` of `void`,
    /// functions and what is only declared, of what [`resolve`](Self::resolve) gives up, and of more than
    /// 2^64 bytes. Steps: one [`type_by_id`](Self::type_by_id) a type, at most 32.
    #[must_use]
    pub fn size_of(&self, id: TypeId) -> Option<u64> {
        let mut count = 1_u64;
        let mut id = id;
        for _ in 0..MAX_DEPTH {
            let found = self.type_by_id(id)?;
            let size = match found.shape() {
                Shape::Pointer(_) => u64::from(self.pointer_size()),
                Shape::Array(array) => {
                    count = count.checked_mul(widen(array.len))?;
                    id = array.element;
                    continue;
                }
                Shape::Var { type_id: about, .. } | Shape::DeclTag { target: about, .. } => {
                    id = about;
                    continue;
                }
                _ => match (modified(&found), found.kind()) {
                    (Some(behind), _) => {
                        id = behind;
                        continue;
                    }
                    (
                        None,
                        Kind::Int
                        | Kind::Struct
                        | Kind::Union
                        | Kind::Enum
                        | Kind::Enum64
                        | Kind::Float
                        | Kind::DataSec,
                    ) => widen(found.size_or_type()),
                    (None, _) => return None,
                },
            };
            return size.checked_mul(count);
        }
        None
    }
}

/// What a typedef or modifier stands for.
fn modified(of: &Type<'_>) -> Option<TypeId> {
    match of.kind() {
        Kind::Typedef | Kind::Volatile | Kind::Const | Kind::Restrict | Kind::TypeTag => {
            Some(TypeId(of.size_or_type()))
        }
        _ => None,
    }
}
