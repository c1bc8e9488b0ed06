//! BTF for the command line: out of any file that has it, as text, and sorted.

pub mod raw;
mod sort;
mod source;

pub use sort::{SortError, Sorted, sort};
pub use source::{Origin, Source, is_btf};
