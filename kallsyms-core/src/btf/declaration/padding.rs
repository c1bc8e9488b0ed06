//! Bit fields without name, which stand for the bytes between two members.

/// Bits between two members, or behind the last.
#[derive(Clone, Copy)]
pub(super) struct Gap {
    /// Where the one before ends.
    pub(super) from: u64,
    /// Where the next begins.
    pub(super) to: u64,
    /// To how many bytes the compiler aligns the next by itself.
    pub(super) align: u64,
    /// Both are bit fields.
    pub(super) in_bit_field: bool,
}

/// Lines `long: 64;`, of a type of this name.
pub(super) struct Padding {
    pub(super) name: &'static str,
    /// Bits of the first: up to where a value of that type may begin. 0: the compiler finds out.
    pub(super) first: Option<u64>,
    /// How many whole ones follow, and their bits.
    pub(super) whole: u64,
    pub(super) bits: u64,
    /// The last: its type's name and its bits.
    pub(super) last: Option<(&'static str, u64)>,
}

impl Gap {
    /// What fills it, where `long` has so many bytes.
    pub(super) fn padding(self, long: u8) -> Option<Padding> {
        let Self { from, to, align, in_bit_field } = self;
        if from >= to {
            return None;
        }
        let long = if long == 4 { 32 } else { 64 };
        let types = [("long", long), ("int", 32), ("short", 16), ("char", 8)];
        let aligned = |bits| from.checked_next_multiple_of(bits).filter(|&start| start <= to);
        let fitting = types.into_iter().find_map(|(name, bits)| Some((name, bits, aligned(bits)?)));
        let (name, bits, start) = fitting.unwrap_or(("char", 8, from));

        let left = to.saturating_sub(start);
        let skipped = start.saturating_sub(from);
        let by_itself = from.checked_next_multiple_of(align.saturating_mul(8)).unwrap_or(from);
        let is_needed = in_bit_field || if left == 0 { by_itself != start } else { left <= skipped };
        let first = (skipped > 0 && is_needed).then_some(if in_bit_field { skipped } else { 0 });

        let rest = left.checked_rem(bits).unwrap_or(0);
        let smallest = types.into_iter().rev().find(|&(_, bits)| bits >= rest);
        let last = smallest.filter(|_| rest > 0).map(|(name, _)| (name, rest));
        Some(Padding { name, first, whole: left.checked_div(bits).unwrap_or(0), bits, last })
    }
}

impl Padding {
    /// How many lines they are.
    pub(super) fn len(&self) -> u64 {
        self.whole.saturating_add(2)
    }
}
