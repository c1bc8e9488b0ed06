//! The questions, each written once over [`Layout`](crate::table::Layout).

mod by_address;
mod by_name;
mod symbol;
mod walk;

pub use by_address::Location;
pub use by_name::Occurrences;
pub use symbol::Symbol;
pub use walk::{StartingWith, Symbols};
