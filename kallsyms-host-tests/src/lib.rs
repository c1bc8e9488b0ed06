//! What the tests share: the oracle, symbols to test with, and images that are wrong in one place.

pub mod asked;
pub mod btf;
pub mod callgrind;
pub mod counting_alloc;
pub mod data;
pub mod elf;
pub mod fake_kernel;
pub mod fixtures;
pub mod image_builder;
pub mod linux_symbols;
pub mod machine;
pub mod oracle;
pub mod peers;
pub mod properties;
pub mod random;
pub mod reference;
pub mod skip;
pub mod stack;
pub mod symbols;
pub mod synthetic;
pub mod tools;
