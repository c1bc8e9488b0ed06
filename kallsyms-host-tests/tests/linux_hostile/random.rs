//! Numbers that look random, the same in every run.

#[derive(Debug, Clone, Copy)]
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn number(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        ((self.number() >> 16) % end as u64) as usize
    }

    pub(crate) fn one_in(&mut self, count: u64) -> bool {
        self.number().is_multiple_of(count)
    }
}
