//! The tables that Linux embeds, from 4.6 to 7.x, read in place: the queries of [`Table`](crate::Table)
//! answer as the kernel's C code does, without its name buffer.
//!
//! [`Tables`] is what the bytes do not say themselves; [`Kallsyms::new`] checks them once, and after that
//! nothing can go out of bounds. Sources: `kernel/kallsyms.c` and `scripts/kallsyms.c` of Linux.

mod addresses;
mod bisect;
mod bounds;
mod error;
mod format;
mod indexed;
mod kallsyms;
mod name_index;
mod name_ranks;
mod named;
mod numbers;
mod order;
mod records;
mod region;
mod skip;
mod tokens;

pub use crate::endian::Endian;
pub use bounds::{Bounds, Span};
pub use error::{Error, Part};
pub use format::{Encoding, Lengths, NameOrder, Places, Tables, Width};
pub use indexed::{Indexed, NamedByHash};
pub use kallsyms::{Kallsyms, Linux};
pub use name_index::IndexError;
pub use named::Named;
pub use region::Region;
pub use tokens::Expansion;
