//! The kernels that are checked.

use std::fmt;

/// A kernel by the package that stands for its newest version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Kernel {
    /// The release of Debian.
    pub(super) suite: &'static str,
    /// Debian's name of the architecture.
    pub(super) architecture: &'static str,
    /// What follows `linux-image-` in the name of the package.
    pub(super) flavour: &'static str,
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} ({})", self.suite, self.architecture, self.flavour)
    }
}

const fn kernel(suite: &'static str, architecture: &'static str, flavour: &'static str) -> Kernel {
    Kernel { suite, architecture, flavour }
}

/// 5.10 is in bullseye, 6.1 in bookworm, 6.12 in trixie, 7.x in sid.
pub(super) const KERNELS: &[Kernel] = &[
    kernel("trixie", "amd64", "cloud-amd64"),
    kernel("bookworm", "arm64", "cloud-arm64"),
    kernel("sid", "armhf", "armmp"),
    kernel("bookworm", "s390x", "s390x"),
    kernel("sid", "arm64", "arm64"),
    kernel("sid", "amd64", "amd64"),
    kernel("sid", "riscv64", "riscv64"),
    kernel("sid", "s390x", "s390x"),
    kernel("trixie", "s390x", "s390x"),
    kernel("trixie", "arm64", "cloud-arm64"),
    kernel("trixie", "armhf", "armmp"),
    kernel("trixie", "riscv64", "riscv64"),
    kernel("bookworm", "amd64", "cloud-amd64"),
    kernel("bookworm", "armhf", "armmp"),
    kernel("bullseye", "amd64", "cloud-amd64"),
    kernel("bullseye", "arm64", "cloud-arm64"),
    kernel("bullseye", "armhf", "armmp"),
];
