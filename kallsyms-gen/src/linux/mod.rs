//! Linux's own tables on the host: owned, and as a folder of files.

pub mod folder;
mod markers;
mod meta;
mod tables;

pub use tables::{Facts, Places, Tables};
