//! Name → member, through what has no name.

use super::format::MAX_DEPTH;
use super::lists::{Member, Members, Place};
use super::strings::{self, Wanted};
use super::type_id::TypeId;
use super::types::{Shape, Type};
use crate::num::index;

/// Members that are looked at, at most: a hostile struct may hold itself without a name, in many places.
const MOST_MEMBERS: u32 = 0x1_0000;

/// A struct or union whose members are being looked at.
#[derive(Clone, Copy, Default)]
struct Open {
    id: u32,
    /// The next of its members.
    next: u32,
    /// Bits in front of it.
    before: u32,
}

impl<'b> Type<'b> {
    /// Bytes that a value of this type takes. Steps: those of [`Btf::size_of`](super::Btf::size_of).
    #[must_use]
    pub fn size(&self) -> Option<u64> {
        self.btf().size_of(self.id())
    }

    /// The member of this name of a struct or union, or of the structs and unions without name inside it, as C
    /// finds it; its offset counts from the start of this type.
    ///
    /// Behind a typedef or modifier there is none: [`Btf::resolve`](super::Btf::resolve) leads to the struct.
    /// Steps: a compare a member, and for one without name as many as [`resolve`](super::Btf::resolve) takes,
    /// for up to 65,536 members and 32 structs inside of each other; `None` where there would be more.
    #[must_use]
    pub fn member<N: AsRef<[u8]> + ?Sized>(&self, name: &N) -> Option<Member<'b>> {
        member(*self, name.as_ref())
    }
}

fn member<'b>(of: Type<'b>, name: &[u8]) -> Option<Member<'b>> {
    let btf = of.btf();
    let wanted = Wanted::new(name);
    let mut open = [Open::default(); index(MAX_DEPTH)];
    let mut depth = 0;
    let mut top = Open { id: of.id().0, ..Open::default() };
    let mut members = members(of)?;
    for _ in 0..MOST_MEMBERS {
        let Some((place, name_off)) = members.next_place() else {
            // On with the one around it, behind the one that is done.
            depth = usize::checked_sub(depth, 1)?;
            top = *open.get(depth)?;
            members = self::members(btf.type_by_id(TypeId(top.id))?)?;
            if let Some(done) = top.next.checked_sub(1) {
                members.nth(index(done));
            }
            continue;
        };
        top.next = top.next.wrapping_add(1);
        let Place { type_id, bit_offset, bit_size } = place;
        let bit_offset = top.before.saturating_add(bit_offset);
        // Names are compared where they are: many may be the ends of one that is long.
        let tail = btf.tail(name_off).unwrap_or_default();
        if tail.first().is_some_and(|&first| first != 0) {
            if wanted.is(tail) {
                return Some(Member { name: strings::string(tail), type_id, bit_offset, bit_size });
            }
            continue;
        }
        let inside = btf.resolve(type_id);
        if let Some((inside, its)) = inside.and_then(|inside| Some((inside, self::members(inside)?))) {
            *open.get_mut(depth)? = top;
            depth = depth.wrapping_add(1);
            (top, members) = (Open { id: inside.id().0, next: 0, before: bit_offset }, its);
        }
    }
    None
}

fn members<'b>(of: Type<'b>) -> Option<Members<'b>> {
    match of.shape() {
        Shape::Struct(members) | Shape::Union(members) => Some(members),
        _ => None,
    }
}
