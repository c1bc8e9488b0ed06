//! Every question in a function of its own, in a crate that is never run: `cargo xtask stack` adds up what the
//! compiler says that each of them, and what it calls, takes of the stack.
#![no_std]

pub mod others;
pub mod questions;

use kallsyms_core::image::Native;
use kallsyms_core::linux::{Indexed, Linux};
use questions::{Ask, Kind};

/// Every question of an image.
pub fn of_an_image() -> impl Iterator<Item = (&'static str, Kind, Ask<Native<'static>>)> {
    questions::all()
}

/// Every question of Linux's tables.
pub fn of_linux() -> impl Iterator<Item = (&'static str, Kind, Ask<Linux<'static>>)> {
    questions::all()
}

/// Every question of Linux's tables with an index of their names.
pub fn of_indexed() -> impl Iterator<Item = (&'static str, Kind, Ask<Indexed<'static>>)> {
    questions::all()
}
