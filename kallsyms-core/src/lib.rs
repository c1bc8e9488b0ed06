//! Symbol lookup for kernels: name → address, address → name, backtraces; no heap, no lock, no name buffer.
//!
//! A kernel that crashes should print names, not numbers. This crate reads a symbol table that the linker or
//! `kallsyms embed` put into the kernel, in place: names stay compressed, are compared code by code, and
//! stream into any [`core::fmt::Write`]. No call allocates, takes a lock or panics, so all of it may run in a
//! panic handler or an NMI.
//!
//! ```
//! use kallsyms_core::{Image, Reserved};
//!
//! static SYMBOLS: Reserved<{ 256 * 1024 }> = Reserved::new(); // `kallsyms embed` fills it
//!
//! fn report(pc: u64, return_address: u64) {
//!     match SYMBOLS.image() {
//!         Ok(symbols) => {
//!             println!("{}", symbols.describe(pc)); // do_work+0x1c/0x90, or 0xffffffff80001234
//!             println!("{}", symbols.describe_return_address(return_address));
//!             if let Some(symbol) = symbols.lookup_name("do_work") {
//!                 println!("{:#x}", symbol.address());
//!             }
//!         }
//!         Err(error) => println!("{pc:#x} (no names: {error})"),
//!     }
//! }
//! # report(1, 2);
//! ```
//!
//! The same queries answer from the tables that Linux embeds ([`linux`]); [`procfs`] reads the text that it
//! exports, [`btf`] its types. Many names at once are [`Table::resolve`], patterns [`Table::matching`].
//!
//! The flow is one-way, a module a layer: bytes → [`image::layout`] → the views of [`image`] → [`name`] →
//! [`query`] → [`text`]. The frame walker of [`backtrace`] knows no symbols.
//!
//! Cost: a call whose documentation names no steps is a few loads. Stack, on x86_64 in release builds, the
//! frame of the caller and what `fmt::write` takes among it: a lookup by name or address under 560 bytes, a
//! name beside another under 640, a text form under 800, a batch under 1 KiB, a walk or a pattern under 1.2
//! KiB, [`Image::open`] under 2 KiB, [`Image::parse`] 2.6 KiB, [`Image::verify`] 1 KiB, `Kallsyms::new` and
//! `with_name_index` 1.6 KiB, any question about [`btf`] under 1.5 KiB. `docs/stack.md` has each as
//! measured, and its limit.
//!
//! Features, off by default: `defmt` (`defmt::Format` for every public value).
#![no_std]
#![forbid(unsafe_code)]
// A test may panic; nothing else may.
#![cfg_attr(
    not(test),
    deny(
        clippy::arithmetic_side_effects,
        clippy::as_conversions,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::string_slice,
        clippy::todo,
        clippy::unimplemented,
        clippy::unreachable,
        clippy::unwrap_used
    )
)]

pub mod backtrace;
mod bits;
pub mod btf;
#[cfg(test)]
mod counted;
mod crc;
mod debug;
mod endian;
mod error;
pub mod glob;
pub mod image;
pub mod linux;
mod llvm;
mod lossy;
pub mod name;
mod num;
mod pieces;
pub mod procfs;
pub mod query;
pub mod table;
pub mod text;

pub use error::{Error, Field};
pub use image::{Image, Reserved};
pub use name::Name;
pub use query::{Location, Symbol};
pub use table::{SymbolIndex, Table};
