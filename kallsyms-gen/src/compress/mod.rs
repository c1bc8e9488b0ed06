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
