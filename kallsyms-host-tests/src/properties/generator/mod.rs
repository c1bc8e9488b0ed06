//! Symbols that may be anything, to a table and back.

pub mod by_oracle;
pub mod by_reader;
mod case;

pub use case::{Case, Entry, check_case, check_file, write_case};
