//! Elements: what has a type and a name.

use super::frame::{Body, Frame};
use crate::btf::btf::Btf;
use crate::btf::lists::Member;
use crate::btf::type_id::TypeId;
use crate::btf::types::Shape;
use crate::num::index;

/// A member, parameter or variable.
#[derive(Clone, Copy)]
pub(super) struct Element<'b> {
    pub(super) type_id: TypeId,
    /// Empty where it has none.
    pub(super) name: &'b [u8],
    /// Of a bit field.
    pub(super) bit_size: u8,
    pub(super) bit_offset: u32,
    /// The `...` behind the parameters.
    pub(super) is_rest: bool,
}

impl<'b> Element<'b> {
    /// The one that a frame is at.
    #[inline(never)]
    pub(super) fn of(btf: &'b Btf<'b>, frame: &Frame) -> Option<Self> {
        let holder = btf.type_by_id(frame.of)?;
        let at = index(frame.index);
        match (frame.body, holder.shape()) {
            (Body::One, _) if at > 0 => None,
            (Body::One, Shape::Typedef(target) | Shape::Func { proto: target, .. }) => {
                Some(Self::new(target, holder.name()))
            }
            (Body::One, Shape::Var { type_id, .. }) => Some(Self::new(type_id, holder.name())),
            (Body::One, _) => Some(Self::new(holder.id(), b"")),
            (_, Shape::Struct(mut members) | Shape::Union(mut members)) => {
                let Member { name, type_id, bit_offset, bit_size } = members.nth(at)?;
                Some(Self { bit_size, bit_offset, ..Self::new(type_id, name) })
            }
            (_, Shape::FuncProto { mut params, .. }) => {
                let param = params.nth(at)?;
                let is_rest = param.type_id == TypeId::VOID && params.len() == 0;
                Some(Self { is_rest, ..Self::new(param.type_id, param.name) })
            }
            (_, Shape::DataSec(mut variables)) => {
                let variable = variables.nth(at)?;
                let declared = btf.type_by_id(variable.type_id);
                match declared.map(|declared| (declared.shape(), declared.name())) {
                    // Functions too, in the `.ksyms` of a BPF program.
                    Some((Shape::Var { type_id, .. } | Shape::Func { proto: type_id, .. }, name)) => {
                        Some(Self::new(type_id, name))
                    }
                    _ => Some(Self::new(variable.type_id, b"")),
                }
            }
            _ => None,
        }
    }

    const fn new(type_id: TypeId, name: &'b [u8]) -> Self {
        Self { type_id, name, bit_size: 0, bit_offset: 0, is_rest: false }
    }
}
