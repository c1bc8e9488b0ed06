//! The host side of kallsyms: reads symbols, trains a dictionary, writes the image.
//!
//! The pipeline, in order: [`input`] → [`select`] → [`demangle`] → [`order`] → [`sizes`] → [`compress`] →
//! [`encode`] → [`verify`] → [`embed`], [`object_file`] or a plain file. Linux's own tables are in [`linux`], BTF in
//! [`btf`]; [`extract`] takes both out of kernels.

pub mod btf;
pub mod build;
pub mod compress;
pub mod demangle;
pub mod embed;
pub mod encode;
pub mod error;
pub mod extract;
pub mod file;
pub mod input;
pub mod linux;
pub mod object_file;
pub mod order;
pub mod output;
pub mod select;
pub mod sizes;
pub mod source;
pub mod symbols;
pub mod verify;
