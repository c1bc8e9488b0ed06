//! Tables that pass every check and mean no good: no question takes more steps than it says.
//!
//! What can be counted from outside is: pieces, symbols, words of a stack. `instructions` counts the rest.

mod btf;
mod frames;
mod globs;
mod images;
mod instructions;
mod linux;
mod tables;
