//! Linux's own tables on the host: owned, as a folder of files, and written from symbols.

mod address_form;
pub mod folder;
mod markers;
mod meta;
mod numbers;
mod tables;
#[allow(clippy::indexing_slicing, reason = "indexes what it made itself")]
mod tokens;
#[allow(clippy::indexing_slicing, reason = "indexes what it made itself")]
pub mod write;

pub use address_form::AddressForm;
pub use tables::{Facts, Places, Tables};
pub use write::write;
