//! A second reader of the image: plain and slow, written from `docs/format.md` alone; and [`linux`], the
//! kernel's own algorithms.
//!
//! The reader shares no code with the runtime or the generator, so that a fault of the page, or one that both of them
//! have, shows up as a difference.

mod ends;
mod hash;
mod hints;
pub mod linux;
mod numbers;
mod reader;
mod records;
mod sections;

pub use reader::{Reader, Symbol};
