//! What others do, for comparison: their algorithms, written anew; their programs; libbpf itself.

pub mod bpftool;
pub mod ftrace_pass;
#[cfg(feature = "libbpf")]
pub mod libbpf;
