//! The questions, each written once over [`Layout`](crate::table::Layout).

mod batch;
mod by_address;
mod by_name;
mod chains;
mod symbol;
mod walk;

pub use batch::Way;
pub use by_address::Location;
pub use by_name::Occurrences;
pub use symbol::Symbol;
pub use walk::{StartingWith, Symbols};
