//! BTF for tests, written and read anew: nothing here uses the reader of the core.
//!
//! A [`Record`] is a type as its words, each with its role; [`BtfWriter`] puts records into a file of any form,
//! sound or not, and [`Decoded`] takes them out again.

pub mod ext;
pub mod reader;
pub mod record;
pub mod samples;
pub mod sources;
pub mod swap;
pub mod words;
pub mod writer;

#[cfg(test)]
mod tests;

pub use reader::Decoded;
pub use record::{Record, Role, Word};
pub use writer::BtfWriter;
