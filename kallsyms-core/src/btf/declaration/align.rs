//! To how many bytes types are aligned, and which structs are packed.

use super::frame::{Body, Frame};
use super::writer::Writer;
use crate::btf::btf::Btf;
use crate::btf::format::MAX_DEPTH;
use crate::btf::kind::Kind;
use crate::btf::lists::Members;
use crate::btf::type_id::TypeId;
use crate::btf::types::Type;
use crate::num::index;

/// How a type is aligned where nothing more is known.
const ANY: Body = Body::Members(1);

/// What has no members, and its alignment, or what has.
enum Found {
    Plain(Body),
    Record(TypeId),
}

impl<'b> Writer<'_, '_, 'b> {
    /// The alignment of a type.
    ///
    /// The structs inside one another are frames on top of those that are being written. Every member that is
    /// looked at costs a step; without one left, or without room for a frame, nothing more is known.
    #[inline(never)]
    pub(super) fn alignment(&mut self, id: TypeId) -> Body {
        let below = self.frames.len();
        let mut answer = None;
        let mut next = Some(id);
        loop {
            if let Some(id) = next.take() {
                answer = match plain(self.btf, id) {
                    Found::Plain(body) => Some(body),
                    Found::Record(id) if self.frames.push(Frame::new(id, ANY)) => None,
                    Found::Record(_) => Some(ANY),
                };
            }
            if self.frames.len() <= below {
                return answer.unwrap_or(ANY);
            }
            let Some(mut top) = self.frames.top() else { return ANY };
            match members(self.btf, &mut top, answer.take(), &mut self.steps) {
                Ok(whole) => {
                    self.frames.pop();
                    answer = Some(whole);
                }
                Err(inner) => {
                    self.frames.replace(top);
                    next = Some(inner);
                }
            }
        }
    }
}

/// Goes on through the members of a struct, with the alignment of the first if it is known, up to the end or
/// to a member that has members itself.
fn members(btf: &Btf<'_>, of: &mut Frame, first: Option<Body>, steps: &mut u32) -> Result<Body, TypeId> {
    let Some(record) = btf.type_by_id(of.of) else { return Ok(ANY) };
    let all = Members::new(&record);
    // Of a union nobody says that it is.
    let packed = if record.kind() == Kind::Struct { Body::Packed } else { ANY };
    let mut first = first;
    while let Some(member) = all.place(index(of.index)) {
        let Some(left) = steps.checked_sub(1) else { return Ok(ANY) };
        *steps = left;
        let align = match first.take() {
            Some(known) => known.align(),
            None => match plain(btf, member.type_id) {
                Found::Plain(body) => body.align(),
                Found::Record(inner) => return Err(inner),
            },
        };
        if member.bit_size == 0 && !is_multiple(member.bit_offset, u32::from(align).wrapping_mul(8)) {
            return Ok(packed);
        }
        of.index = of.index.saturating_add(1);
        of.body = Body::Members(align.max(of.body.align()));
    }
    let ends_well = is_multiple(record.size_or_type(), of.body.align().into());
    Ok(if ends_well { of.body } else { packed })
}

fn is_multiple(number: u32, of: u32) -> bool {
    number.checked_rem(of).is_none_or(|rest| rest == 0)
}

/// Through typedefs, modifiers and arrays.
fn plain(btf: &Btf<'_>, id: TypeId) -> Found {
    let mut id = id;
    for _ in 0..MAX_DEPTH {
        let Some(found) = btf.type_by_id(id) else { break };
        id = match found.kind() {
            Kind::Pointer => return Found::Plain(Body::Members(btf.pointer_size())),
            Kind::Int | Kind::Enum | Kind::Enum64 | Kind::Float => {
                return Found::Plain(Body::Members(number(&found, btf.pointer_size())));
            }
            Kind::Struct | Kind::Union => return Found::Record(id),
            Kind::Array => TypeId(found.word()),
            Kind::Typedef | Kind::Volatile | Kind::Const | Kind::Restrict | Kind::TypeTag => {
                TypeId(found.size_or_type())
            }
            _ => break,
        };
    }
    Found::Plain(ANY)
}

/// A number is aligned to its bytes, but to no more than those of a pointer.
fn number(of: &Type<'_>, pointer: u8) -> u8 {
    match of.size_or_type() {
        0 | 1 => 1,
        2 | 3 => 2,
        4..8 => 4,
        _ => pointer,
    }
}
