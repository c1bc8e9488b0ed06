//! The tables that Linux embeds, from 4.6 to 7.x, read in place.

mod format;

pub use format::{Encoding, Endian, Lengths, Places, Tables, Width};
