//! Text forms: each streams into a formatter, none has a buffer.

mod described;
mod listing;
mod location;
mod name;
#[cfg(feature = "defmt")]
mod structured;
mod symbol;

pub use described::Described;
pub use listing::Listing;
