//! The addresses that the kernel's own lookup answers for.

use core::fmt;

/// Addresses from `start` up to, not including, `end`; empty where the end is not above.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Span {
    /// The first address.
    pub start: u64,
    /// The first address behind.
    pub end: u64,
}

impl Span {
    /// Whether an address lies in it.
    #[must_use]
    pub const fn contains(&self, address: u64) -> bool {
        self.start <= address && address < self.end
    }
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}..{:#x}", self.start, self.end)
    }
}

/// The gate of `is_ksym_addr`: where an address may have a symbol, and where the last symbol ends.
///
/// Source: `include/asm-generic/sections.h`, `kernel/kallsyms.c`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Bounds {
    /// From `_stext` to `_end`; without `KALLSYMS_ALL` to `_etext`.
    pub kernel: Span,
    /// From `__init_begin` to `__init_end`; without `KALLSYMS_ALL` the init text.
    pub init: Span,
    /// From `_sinittext` to `_einittext`.
    pub init_text: Span,
}

impl Bounds {
    /// The bounds by the addresses of the symbols that set them; `None` without `_stext` and an end.
    ///
    /// A table without `_end` is one without `KALLSYMS_ALL`: it holds text alone. Steps: up to seven
    /// questions.
    pub fn find(mut address_of: impl FnMut(&'static str) -> Option<u64>) -> Option<Self> {
        let start = address_of("_stext")?;
        let mut span = |start, end| match (address_of(start), address_of(end)) {
            (Some(start), Some(end)) => Span { start, end },
            _ => Span::default(),
        };
        let init_text = span("_sinittext", "_einittext");
        let init = span("__init_begin", "__init_end");
        if let Some(end) = address_of("_end") {
            return Some(Self { kernel: Span { start, end }, init, init_text });
        }
        let end = address_of("_etext")?;
        Some(Self { kernel: Span { start, end }, init: init_text, init_text })
    }

    /// Whether an address may have a symbol.
    #[must_use]
    pub const fn contain(&self, address: u64) -> bool {
        self.kernel.contains(address) || self.init.contains(address)
    }

    /// Where the last symbol ends, if it holds this address.
    #[must_use]
    pub const fn end_behind(&self, address: u64) -> u64 {
        if self.init_text.contains(address) { self.init_text.end } else { self.kernel.end }
    }
}
