//! What others do, for comparison: their algorithms, written anew, and their programs.

pub mod bpftool;
pub mod ftrace_pass;
