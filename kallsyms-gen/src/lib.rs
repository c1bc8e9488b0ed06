//! The host side of kallsyms: reads symbols, trains a dictionary, writes the image.
//!
//! The pipeline, in order: input → select → compress → [`encode`] → [`verify`] → emit.

pub mod build;
pub mod compress;
pub mod encode;
pub mod symbols;
pub mod verify;
