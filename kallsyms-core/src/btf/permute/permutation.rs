//! New numbers for the types of a BTF.

use core::fmt;

use super::super::btf::Btf;
use super::super::strings;
use super::super::type_id::TypeId;
use super::error::PermuteError;
use super::sort::sort;
use crate::num::{index, low32, numbered, wide};

/// A new number for every own type of a BTF: [`Btf::permutation`] sorts them by name, [`Permutation::new`]
/// takes any order, [`Btf::permute`] and [`permute_ext`](Self::permute_ext) follow it.
///
/// Every type gets one, and none is left out. The numbers of a kernel's types are held elsewhere too: by the
/// split BTF of its modules, by `.BTF.ext`, by whoever has asked for one before. Those of a permutation can be
/// looked up in its map; a type that is dropped would leave references to nothing, or to another type. To
/// find out which types nobody needs is to deduplicate them, and another task than to order them.
#[derive(Clone, Copy)]
pub struct Permutation<'r> {
    /// The new number of each own type, behind that of `void` where there is no base.
    id_map: &'r [u32],
    /// Where the record of each type begins among the old ones, in the new order.
    pub(super) starts: &'r [u32],
    pub(super) start_id: u32,
}

/// The parts of the room.
struct Room<'r> {
    id_map: &'r mut [u32],
    /// Of these, those of the own types.
    void: usize,
    starts: &'r mut [u32],
    spare: &'r mut [u32],
}

impl<'r> Room<'r> {
    fn of(btf: &Btf<'_>, words: &'r mut [u32]) -> Result<Self, PermuteError> {
        let too_short = PermuteError::RoomTooShort { len: words.len(), needed: Permutation::words(btf) };
        let types = index(btf.own_len);
        let void = usize::from(btf.base.is_none());
        let (id_map, rest) = words.split_at_mut_checked(types.wrapping_add(void)).ok_or(too_short)?;
        let (starts, rest) = rest.split_at_mut_checked(types).ok_or(too_short)?;
        let spare = rest.get_mut(..types).ok_or(too_short)?;
        if let (1, Some(first)) = (void, id_map.first_mut()) {
            *first = 0;
        }
        Ok(Self { id_map, void, starts, spare })
    }

    fn new_ids(&mut self) -> &mut [u32] {
        self.id_map.get_mut(self.void..).unwrap_or_default()
    }

    fn permutation(self, btf: &Btf<'_>) -> Permutation<'r> {
        Permutation { id_map: self.id_map, starts: self.starts, start_id: btf.start_id }
    }
}

impl Btf<'_> {
    /// The permutation that sorts the own types by the bytes of their names: those without name first, and of
    /// one name in the order of their numbers, as libbpf 1.7 and Linux 7.0 have them.
    ///
    /// `room` has [`Permutation::words`] or more. Steps: `n` log2 `n` compares of names at most, for `n` types
    /// with a name, each of as many bytes as the two have in common, and a few a type.
    ///
    /// # Errors
    ///
    /// [`PermuteError::RoomTooShort`].
    pub fn permutation<'r>(&self, room: &'r mut [u32]) -> Result<Permutation<'r>, PermuteError> {
        let room = Room::of(self, room)?;
        let void = room.void;
        // While they are sorted, the spare part has the offset of each type's name.
        for (place, record) in room.spare.iter_mut().zip(self.own_types()) {
            *place = record.head.name_off.get(self.endian);
        }
        let is_named = |name_off: u32| {
            self.tail(name_off).is_some_and(|tail| tail.first().is_some_and(|&byte| byte != 0))
        };
        let mut places = room.starts.iter_mut();
        for wanted in [false, true] {
            let numbers =
                (0..u32::MAX).zip(room.spare.iter()).filter(|(_, name_off)| is_named(**name_off) == wanted);
            // The numbers come first: a place must not be taken for one that there is not.
            for ((number, _), place) in numbers.zip(&mut places) {
                *place = number;
            }
        }
        let anonymous = index(self.own_len.saturating_sub(self.named_len));
        let named = room.starts.get_mut(anonymous..).unwrap_or_default();
        let spare = room.id_map.get_mut(void..).unwrap_or_default();
        let names = &*room.spare;
        let key = |number: u32| {
            let name_off = names.get(index(number)).copied().unwrap_or_default();
            (name_off, self.tail(name_off).unwrap_or_default())
        };
        sort(named, spare, key, |(first_off, first), (second_off, second)| match first_off == second_off {
            true => core::cmp::Ordering::Equal,
            false => strings::order_of_both(first, second),
        });

        let new_ids = room.id_map.get_mut(void..).unwrap_or_default();
        for (id, number) in (self.start_id..u32::MAX).zip(room.starts.iter()) {
            if let Some(place) = new_ids.get_mut(index(*number)) {
                *place = id;
            }
        }
        for (place, record) in room.spare.iter_mut().zip(self.own_types()) {
            *place = record.offset;
        }
        for place in room.starts.iter_mut() {
            *place = room.spare.get(index(*place)).copied().unwrap_or_default();
        }
        Ok(room.permutation(self))
    }
}

impl<'r> Permutation<'r> {
    /// Words of room that a permutation takes: three a type, and one.
    #[must_use]
    pub fn words(btf: &Btf<'_>) -> usize {
        index(btf.own_len).saturating_mul(3).saturating_add(1)
    }

    /// Any order: `id_map[old]` is the new number of a type, in the form that libbpf's `btf__permute` takes.
    ///
    /// Without base there is one entry for every type with `void`, which stays 0. Of a split BTF there is one
    /// for every own type, the first for [`start_id`](Btf::start_id); the numbers are whole, as everywhere. The
    /// room is that of [`words`](Self::words). Steps: one a type.
    ///
    /// # Errors
    ///
    /// The first of the faults up to [`PermuteError::MappedTwice`].
    pub fn new(btf: &Btf<'_>, id_map: &[u32], room: &'r mut [u32]) -> Result<Self, PermuteError> {
        let mut room = Room::of(btf, room)?;
        let void = room.void;
        if id_map.len() != room.id_map.len() {
            return Err(PermuteError::MapLen { found: id_map.len(), needed: room.id_map.len() });
        }
        if let (1, Some(&found)) = (void, id_map.first())
            && found != 0
        {
            return Err(PermuteError::VoidMoved { found });
        }
        let own = id_map.get(void..).unwrap_or_default();
        room.starts.fill(UNTAKEN);
        for (number, (&found, record)) in numbered(own.iter().zip(btf.own_types())) {
            let index = number.wrapping_add(void);
            let place =
                found.checked_sub(btf.start_id).and_then(|new| room.starts.get_mut(crate::num::index(new)));
            let (start, end) = (btf.start_id(), btf.end_id());
            let place = place.ok_or(PermuteError::OutOfRange { index, found, start, end })?;
            if *place != UNTAKEN {
                return Err(PermuteError::MappedTwice { index, found });
            }
            *place = record.offset;
        }
        for (place, new) in room.new_ids().iter_mut().zip(own) {
            *place = *new;
        }
        Ok(room.permutation(btf))
    }

    /// The new number of a type; one of the base, and `void`, keeps its own. `None` of one that is not there.
    #[must_use]
    #[inline]
    pub fn new_id(&self, old: TypeId) -> Option<TypeId> {
        match old.0.checked_sub(self.start_id) {
            None => Some(old),
            Some(number) => self.new_ids().get(index(number)).map(|&new| TypeId(new)),
        }
    }

    /// The new number of every type, in the form that [`new`](Self::new) takes.
    #[must_use]
    pub const fn id_map(&self) -> &'r [u32] {
        self.id_map
    }

    /// Those of the own types.
    pub(super) fn new_ids(&self) -> &'r [u32] {
        self.id_map.get(self.id_map.len().wrapping_sub(self.starts.len())..).unwrap_or_default()
    }
}

/// No record begins here: it has 12 bytes, and the section that it is in no more than 2^32.
const UNTAKEN: u32 = u32::MAX;

impl fmt::Debug for Permutation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Permutation")
            .field("start_id", &self.start_id)
            .field("types", &low32(wide(self.starts.len())))
            .finish_non_exhaustive()
    }
}
