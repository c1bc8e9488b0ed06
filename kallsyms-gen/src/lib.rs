//! The host side of kallsyms: reads symbols, trains a dictionary, writes the image.
//!
//! The pipeline, in order: [`input`] → [`select`] → [`demangle`] → [`order`] → [`sizes`] → [`compress`] →
//! [`encode`] → [`verify`] → [`embed`], [`object_file`] or a plain file. Linux's own tables are in [`linux`], BTF in
//! [`btf`]; [`extract`] takes both out of kernels.

// No input is to cause a panic. A test may panic.
#![cfg_attr(
    not(test),
    deny(
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::unreachable,
        clippy::unwrap_used
    )
)]

pub mod btf;
pub mod build;
#[allow(clippy::indexing_slicing, reason = "indexes what it made itself")]
pub mod compress;
pub mod demangle;
pub mod embed;
#[allow(clippy::indexing_slicing, reason = "indexes what it made itself")]
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
#[allow(
    clippy::indexing_slicing,
    clippy::expect_used,
    reason = "indexes what it made itself; symbols are counted in 32 bits"
)]
pub mod sizes;
pub mod source;
pub mod symbols;
#[allow(clippy::indexing_slicing, reason = "indexes what it made itself")]
pub mod verify;
