//! Where records begin, so that a type is found by its number.

use crate::num::index;

/// Offset of every `1 << shift`-th record.
#[derive(Clone, Copy, Default)]
pub(super) struct Offsets<'a> {
    pub(super) every: &'a [u32],
    pub(super) shift: u32,
}

impl<'a> Offsets<'a> {
    /// The offset of a record, if it is kept.
    #[inline(always)]
    pub(super) fn of(&self, number: u32) -> Option<u32> {
        if self.shift == 0 { self.every.get(index(number)).copied() } else { None }
    }

    /// The last record up to this one whose offset is kept: its number and offset.
    #[inline(always)]
    pub(super) fn before(&self, number: u32) -> (u32, u32) {
        match self.every.get(index(number.wrapping_shr(self.shift))) {
            Some(&offset) => (number.wrapping_shr(self.shift).wrapping_shl(self.shift), offset),
            None => (0, 0),
        }
    }
}

/// Offsets that are being kept, in room that may be too little for all.
pub(super) struct Keeper<'a> {
    room: &'a mut [u32],
    shift: u32,
    kept: usize,
}

impl<'a> Keeper<'a> {
    pub(super) const fn new(room: &'a mut [u32]) -> Self {
        Self { room, shift: 0, kept: 0 }
    }

    /// Takes the offset of the next record, in order of their numbers. Steps: one, and one for every second
    /// that is kept where there is no more room.
    #[inline(always)]
    pub(super) fn keep(&mut self, number: u32, offset: u32) {
        if number & !u32::MAX.wrapping_shl(self.shift) == 0 {
            match self.room.get_mut(self.kept) {
                Some(place) => {
                    *place = offset;
                    self.kept = self.kept.wrapping_add(1);
                }
                None => self.keep_fewer(number, offset),
            }
        }
    }

    #[cold]
    fn keep_fewer(&mut self, number: u32, offset: u32) {
        if self.room.is_empty() || self.shift >= 31 {
            return;
        }
        let fewer = self.kept.div_ceil(2);
        for place in 0..fewer {
            let offset = self.room.get(place.wrapping_mul(2)).copied();
            if let (Some(place), Some(offset)) = (self.room.get_mut(place), offset) {
                *place = offset;
            }
        }
        self.kept = fewer;
        self.shift = self.shift.wrapping_add(1);
        if number & !u32::MAX.wrapping_shl(self.shift) != 0 {
            return;
        }
        match self.room.get_mut(fewer) {
            Some(place) => {
                *place = offset;
                self.kept = fewer.wrapping_add(1);
            }
            // Room for one: that of the first record, from which all others are stepped to.
            None => self.shift = 31,
        }
    }

    pub(super) fn finish(self) -> Offsets<'a> {
        Offsets { every: self.room.get(..self.kept).unwrap_or_default(), shift: self.shift }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_as_there_is_room_for() {
        for count in 0..70_u32 {
            for len in 0..80 {
                let mut room = [u32::MAX; 80];
                let mut keeper = Keeper::new(&mut room[..len]);
                (0..count).for_each(|number| keeper.keep(number, number * 12));
                let offsets = keeper.finish();
                let every = offsets.every.iter().enumerate();
                for (place, &offset) in every {
                    assert_eq!(offset, (u32::try_from(place).unwrap() * 12) << offsets.shift);
                }
                match len {
                    0 => assert_eq!(offsets.every.len(), 0),
                    1 => assert_eq!(offsets.every.len(), usize::from(count > 0)),
                    _ => {
                        let kept = index(count).div_ceil(1 << offsets.shift);
                        assert_eq!(offsets.every.len(), kept, "{count} in {len}");
                        assert!(offsets.shift == 0 || index(count).div_ceil(1 << (offsets.shift - 1)) > len);
                    }
                }
                for number in 0..count {
                    let (before, offset) = offsets.before(number);
                    assert!(before <= number && offset == before * 12);
                    assert_eq!(offsets.of(number), (index(count) <= len).then_some(number * 12));
                }
            }
        }
    }
}
