//! What holds whatever the input is: asked by the tests of made-up damage and by the fuzz targets.
//!
//! Each of these panics where it does not hold.

pub mod btf;
pub mod extract;
pub mod frames;
pub mod generator;
pub mod glob;
pub mod image;
pub mod input;
pub mod linux;
pub mod procfs;
pub mod table;
