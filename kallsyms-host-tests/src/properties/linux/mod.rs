//! Linux's tables: an error, or what a slow reader makes of the bytes.

mod case;
mod compare;
mod generate;
mod raw;
mod slow;

pub use case::{check_case, check_tables, read_case, write_case};
pub use compare::compare;
pub use generate::tables;
pub use raw::RawTables;
