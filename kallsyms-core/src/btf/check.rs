//! The second check: references, and components of tags.

use super::btf::Btf;
use super::error::Error;
use super::format::{MAX_DEPTH, RawType};
use super::kind::Kind;
use super::type_id::TypeId;
use super::types::{Shape, Type};

/// Bytes of a record's head.
const HEAD: usize = size_of::<RawType>();
/// Bytes behind the head, where an array has its element and its index, and the elements of the others begin.
const WORD: usize = size_of::<u32>();

impl Btf<'_> {
    /// Checks what [`parse`](Self::parse) does not: that every reference leads to a type of a kind that can stand
    /// there, that typedefs, modifiers and arrays lead somewhere, and that tags name a component that there is.
    ///
    /// Members and elements are values; parameters, results, and what is behind pointers, typedefs and modifiers may
    /// be `void` or a function's parameters too; functions have parameters, sections variables (and functions, in the
    /// `.ksyms` of a BPF program), and tags are on structs, unions, functions, variables and typedefs. No other question
    /// needs it: what does not lead anywhere is answered with `None`. Steps: one a reference, each as many as
    /// [`type_by_id`](Self::type_by_id) takes: without offsets kept they grow with the square of the types.
    ///
    /// # Errors
    ///
    /// The first of the faults behind [`Error::BaseTooDeep`].
    pub fn check_references(&self) -> Result<(), Error> {
        self.types().try_for_each(|found| Check(found).all())
    }
}

/// Where the type is that a record's head refers to.
const REFERENCE: usize = HEAD - WORD;

/// What has a name in C that is not a type: nothing but tags and sections refers to it.
const fn is_named_thing(kind: Kind) -> bool {
    matches!(kind, Kind::Func | Kind::Var | Kind::DataSec | Kind::DeclTag)
}

/// What can be behind a pointer, typedef or modifier, or be a parameter or result: `void` and functions too.
const fn is_behind_name(kind: Kind) -> bool {
    !is_named_thing(kind)
}

/// What a member or an element of an array can be.
const fn is_value(kind: Kind) -> bool {
    !is_named_thing(kind) && !matches!(kind, Kind::Void | Kind::FuncProto)
}

/// The check of one type.
struct Check<'b>(Type<'b>);

impl<'b> Check<'b> {
    fn all(&self) -> Result<(), Error> {
        match self.0.shape() {
            Shape::Void | Shape::Int(_) | Shape::Enum(_) | Shape::Forward { .. } | Shape::Float { .. } => {
                Ok(())
            }
            // What is behind the head of a later kind is not known.
            Shape::Other(_) => Ok(()),
            Shape::Pointer(target) => self.is(target, REFERENCE, is_behind_name).map(drop),
            Shape::Typedef(target)
            | Shape::Volatile(target)
            | Shape::Const(target)
            | Shape::Restrict(target)
            | Shape::TypeTag(target) => {
                self.is(target, REFERENCE, is_behind_name)?;
                self.leads_somewhere()
            }
            Shape::Var { type_id, .. } => self.is(type_id, REFERENCE, is_behind_name).map(drop),
            Shape::Array(array) => {
                self.is(array.element, HEAD, is_value)?;
                self.is(array.index, HEAD.wrapping_add(WORD), is_value)?;
                self.leads_somewhere()
            }
            Shape::Struct(members) | Shape::Union(members) => {
                let offsets = offsets(HEAD.wrapping_add(WORD), WORD.wrapping_mul(3));
                offsets
                    .zip(members.type_ids())
                    .try_for_each(|(at, member)| self.is(member, at, is_value).map(drop))
            }
            Shape::FuncProto { result, params } => {
                self.is(result, REFERENCE, is_behind_name)?;
                let offsets = offsets(HEAD.wrapping_add(WORD), WORD.wrapping_mul(2));
                offsets
                    .zip(params.type_ids())
                    .try_for_each(|(at, param)| self.is(param, at, is_behind_name).map(drop))
            }
            Shape::Func { proto, .. } => self.is(proto, REFERENCE, |kind| kind == Kind::FuncProto).map(drop),
            Shape::DataSec(variables) => {
                // Functions too, in the `.ksyms` of a BPF program.
                let fits = |kind| matches!(kind, Kind::Var | Kind::Func);
                let offsets = offsets(HEAD, WORD.wrapping_mul(3));
                offsets
                    .zip(variables)
                    .try_for_each(|(at, variable)| self.is(variable.type_id, at, fits).map(drop))
            }
            Shape::DeclTag { target, component } => self.component(target, component),
        }
    }

    /// The type of a reference that stands so many bytes behind the start of the record, if its kind fits.
    fn is(&self, target: TypeId, at: usize, fits: impl FnOnce(Kind) -> bool) -> Result<Type<'b>, Error> {
        let missing = Error::NoSuchType { id: self.0.id(), offset: self.offset(at), found: target };
        let found = self.0.btf().type_by_id(target).ok_or(missing)?;
        if fits(found.kind()) {
            return Ok(found);
        }
        Err(Error::WrongKind { id: self.0.id(), offset: self.offset(at), target, found: found.kind() })
    }

    fn component(&self, target: TypeId, component: i32) -> Result<(), Error> {
        let fits = |kind| matches!(kind, Kind::Struct | Kind::Union | Kind::Func | Kind::Var | Kind::Typedef);
        let target = self.is(target, REFERENCE, fits)?;
        let count = match target.shape() {
            Shape::Struct(_) | Shape::Union(_) => target.vlen(),
            Shape::Func { proto, .. } => self.0.btf().type_by_id(proto).map_or(0, |proto| proto.vlen()),
            _ => 0,
        };
        if component == -1 || u32::try_from(component).is_ok_and(|component| component < count) {
            return Ok(());
        }
        Err(Error::Component { id: self.0.id(), offset: self.offset(HEAD), found: component, count })
    }

    fn leads_somewhere(&self) -> Result<(), Error> {
        let mut at = self.0;
        for _ in 0..MAX_DEPTH {
            let next = match at.shape() {
                Shape::Typedef(target)
                | Shape::Volatile(target)
                | Shape::Const(target)
                | Shape::Restrict(target)
                | Shape::TypeTag(target) => target,
                Shape::Array(array) => array.element,
                _ => return Ok(()),
            };
            match self.0.btf().type_by_id(next) {
                Some(next) => at = next,
                // The fault of that type.
                None => return Ok(()),
            }
        }
        Err(Error::TooDeep { id: self.0.id(), offset: self.offset(0) })
    }

    fn offset(&self, at: usize) -> usize {
        self.0.btf().records_at.wrapping_add(crate::num::index(self.0.offset())).wrapping_add(at)
    }
}

/// Where numbers stand that are so many bytes apart.
fn offsets(first: usize, apart: usize) -> impl Iterator<Item = usize> {
    (0..usize::MAX).map(move |number| first.wrapping_add(number.wrapping_mul(apart)))
}
