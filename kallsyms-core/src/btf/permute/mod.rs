//! The types of a BTF in another order: the order itself, the file anew, and the `.BTF.ext` that goes with it.

mod error;
mod ext;
mod ext_error;
mod permutation;
mod rewrite;
mod sort;

pub use error::PermuteError;
pub use ext_error::{ExtError, ExtSection};
pub use permutation::Permutation;
