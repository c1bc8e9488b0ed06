//! The host side of kallsyms: reads symbols, trains a dictionary, writes the image.
pub mod compress;
pub mod symbols;
