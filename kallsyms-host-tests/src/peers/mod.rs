//! What others do, for comparison: their algorithms, written anew.

pub mod ftrace_pass;
