//! BTF for the command line: out of any file that has it, as text, and sorted.

#![cfg_attr(
    not(test),
    deny(
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::unreachable,
        clippy::unwrap_used
    )
)]

pub mod raw;
mod sort;
mod source;

pub use sort::{SortError, Sorted, sort};
pub use source::{Origin, Source, is_btf};
