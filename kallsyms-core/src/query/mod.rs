//! The questions, each written once over [`Layout`](crate::table::Layout).

mod batch;
mod by_address;
mod by_name;
mod chains;
mod pattern;
mod self_test;
mod symbol;
mod walk;

pub use batch::Way;
pub use by_address::Location;
pub use by_name::{Occurrences, SameStem};
pub use pattern::Matching;
pub use self_test::{Fault, SelfTest, Ticks};
pub use symbol::Symbol;
pub use walk::{StartingWith, Symbols};
