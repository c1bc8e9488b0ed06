//! The targets, and what each may take.

/// A fuzz target.
#[derive(Debug)]
pub(crate) struct Target {
    /// Its name.
    pub(crate) name: &'static str,
    /// Longest input: seeds fit, and an input takes less than a millisecond or a few.
    pub(crate) max_len: u32,
}

pub(crate) const TARGETS: &[Target] = &[
    Target { name: "image", max_len: 6_144 },
    Target { name: "linux", max_len: 12_288 },
    Target { name: "extract", max_len: 32_768 },
    Target { name: "procfs", max_len: 1_536 },
    Target { name: "btf", max_len: 4_096 },
    Target { name: "glob", max_len: 256 },
    Target { name: "frames", max_len: 2_048 },
    Target { name: "generator", max_len: 4_096 },
];

/// A target by its name.
pub(crate) fn find(name: &str) -> Result<&'static Target, String> {
    TARGETS.iter().find(|target| target.name == name).ok_or_else(|| {
        let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
        format!("the targets are {}", names.join(", "))
    })
}
