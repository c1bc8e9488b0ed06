//! A second reader of the image: plain and slow, written from `docs/format.md` alone.
//!
//! It shares no code with the runtime or the generator, so that a fault of the page, or one that both of them
//! have, shows up as a difference.

mod ends;
mod hash;
mod hints;
mod numbers;
mod reader;
mod records;
mod sections;

pub use reader::{Reader, Symbol};
