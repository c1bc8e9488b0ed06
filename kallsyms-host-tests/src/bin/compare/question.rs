//! What every row is asked.

/// A column of the comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Question {
    /// A name of the table → address.
    NameHit,
    /// A name that differs from one of the table in a character.
    NameMiss,
    /// Address → symbol and offset, no name read.
    Address,
    /// Address → offset, and the name in a buffer.
    AddressName,
    /// Address → `name+0x1c/0x90` in a buffer.
    AddressText,
    /// Every symbol in the order of the table with its name as bytes.
    Walk,
    /// Every symbol whose name begins so.
    Prefix,
    /// Every symbol whose name holds this.
    Infix,
    /// So many names in one call, or one by one where a row has no call for it.
    Batch50,
    /// The same.
    Batch3344,
    /// The same, of all names.
    BatchAll,
}

/// How one is measured: `rounds` times `chunks`, after one of each round that does not count.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plan {
    pub(crate) rounds: usize,
    pub(crate) chunks: usize,
    pub(crate) warm: bool,
}

impl Question {
    pub(crate) const ALL: [Self; 11] = [
        Self::NameHit,
        Self::NameMiss,
        Self::Address,
        Self::AddressName,
        Self::AddressText,
        Self::Walk,
        Self::Prefix,
        Self::Infix,
        Self::Batch50,
        Self::Batch3344,
        Self::BatchAll,
    ];

    /// What is asked about one name or one address.
    pub(crate) const SINGLE: [Self; 4] = [Self::NameHit, Self::NameMiss, Self::Address, Self::AddressName];

    /// What is asked about many names.
    pub(crate) const BATCHES: [Self; 3] = [Self::Batch50, Self::Batch3344, Self::BatchAll];

    /// Names of a batch, where there are so many in all.
    pub(crate) fn names(self, all: usize) -> usize {
        match self {
            Self::Batch50 => 50.min(all),
            Self::Batch3344 => 3_344.min(all),
            _ => all,
        }
    }

    /// In JSON; the unit is part of it.
    pub(crate) fn key(self) -> &'static str {
        match self {
            Self::NameHit => "name_hit_ns",
            Self::NameMiss => "name_miss_ns",
            Self::Address => "addr_ns",
            Self::AddressName => "addr_name_ns",
            Self::AddressText => "addr_text_ns",
            Self::Walk => "walk_ns",
            Self::Prefix => "prefix_ns",
            Self::Infix => "infix_ns",
            Self::Batch50 => "batch_50_us",
            Self::Batch3344 => "batch_3344_ms",
            Self::BatchAll => "batch_all_ms",
        }
    }

    /// Above its column.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::NameHit => "hit",
            Self::NameMiss => "miss",
            Self::Address => "addr",
            Self::AddressName => "+name",
            Self::AddressText => "+text",
            Self::Walk => "walk",
            Self::Prefix => "prefix",
            Self::Infix => "infix",
            Self::Batch50 => "50",
            Self::Batch3344 => "3344",
            Self::BatchAll => "all",
        }
    }

    /// Nanoseconds of its unit.
    pub(crate) fn unit(self) -> f64 {
        match self {
            Self::Batch50 => 1e3,
            Self::Batch3344 | Self::BatchAll => 1e6,
            _ => 1.0,
        }
    }

    pub(crate) fn plan(self, quick: bool) -> Plan {
        let (rounds, chunks, warm) = match (self, quick) {
            (Self::BatchAll, false) => (5, 1, false),
            (Self::BatchAll, true) => (1, 1, false),
            (Self::Batch3344, false) => (15, 2, true),
            (Self::Walk | Self::Prefix | Self::Infix, false) => (12, 2, true),
            (Self::Batch3344 | Self::Walk | Self::Prefix | Self::Infix, true) => (3, 1, true),
            (_, false) => (12, 3, true),
            (_, true) => (3, 1, true),
        };
        Plan { rounds, chunks, warm }
    }
}
