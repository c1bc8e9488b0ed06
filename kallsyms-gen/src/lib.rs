//! The host side of kallsyms: reads symbols, trains a dictionary, writes the image.
pub mod demangle;
pub mod embed;
pub mod error;
pub mod input;
pub mod object_file;
pub mod order;
pub mod output;
pub mod select;
pub mod sizes;
pub mod symbols;
