//! BTF: the types of a Linux kernel and its modules, read in place, and found by name.

#[expect(clippy::module_inception, reason = "the module is named as the type")]
mod btf;
mod check;
mod error;
mod find;
mod format;
mod hash_index;
mod kind;
mod layer;
mod linear;
mod lists;
mod offsets;
mod parse;
mod resolve;
mod sorted;
mod strings;
mod type_id;
mod types;

pub use crate::endian::Endian;
pub use btf::Btf;
pub use error::{Error, Section};
pub use find::{DeclTags, Find, Kfuncs, Named};
pub use hash_index::{HashIndex, IndexError};
pub use kind::Kind;
pub use layer::Layer;
pub use lists::{Enumerator, Enumerators, Member, Members, Param, Params, Variable, Variables};
pub use sorted::{SortedBtf, Unsorted};
pub use type_id::TypeId;
pub use types::{Array, Int, Shape, Type, Types};
