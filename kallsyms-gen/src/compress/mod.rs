//! What makes an image small: the dictionary that the names are coded with, and the perfect hash over them.

pub mod perfect_hash;
