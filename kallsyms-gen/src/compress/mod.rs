//! What makes an image small: the dictionary that the names are coded with, and the perfect hash over them.

pub mod blob;
mod corpus;
mod lexicon;
mod merge;
mod nesting;
mod parse;
pub mod perfect_hash;
mod refine;
pub mod tokens;
mod trie;
mod value;

pub use blob::pack_tokens;
pub use tokens::{Dictionary, Encoded, Profile, Token, spell, train};

/// Is told now and then how much of the work is done: done, of total.
pub type Progress<'a> = dyn FnMut(u64, u64) + 'a;
