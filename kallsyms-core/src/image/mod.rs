//! Our own image.

pub mod hash;
pub mod layout;
