//! Name → types: the questions, once for every order that names can be in.

use core::fmt;

use super::btf::Btf;
use super::hash_index::{GROUP, HashIndex};
use super::kind::Kind;
use super::layer::{Layer, Own};
use super::linear;
use super::sorted::SortedBtf;
use super::type_id::TypeId;
use super::types::{Shape, Type};
use crate::num::count;

/// The tag that Linux puts on every function that a BPF program may call.
const KFUNC: &str = "bpf_kfunc";

/// Finds types by name, exactly as libbpf does: the base first, and of types of one name and kind the one with
/// the lowest number.
///
/// A [`Btf`] is searched from its first type to its last, a [`SortedBtf`] by bisection, a [`HashIndex`] by
/// hash; a base as it was when the split was made. `Steps:` below counts those of one BTF of the chain:
/// types, log2(types), or one and one for each type whose name was made to have the same hash. Each compares
/// at most as many bytes as the name has that is asked for. What has no name is in no order: it is searched
/// for from the first type on.
pub trait Find: Sealed {
    /// The number of the first type of this name and kind.
    ///
    /// `void`, and any name of [`Kind::Void`], is type 0; [`Kind::Other`] of the number of a known kind is that
    /// kind. Steps: see above.
    #[must_use]
    fn find_id<N: AsRef<[u8]> + ?Sized>(&self, name: &N, kind: Kind) -> Option<TypeId> {
        find_id_in_chain(self.layer(), name.as_ref(), kind)
    }

    /// The first type of this name and kind. Steps: as [`find_id`](Self::find_id), and for a [`HashIndex`]
    /// those of [`Btf::type_by_id`].
    #[must_use]
    fn find<N: AsRef<[u8]> + ?Sized>(&self, name: &N, kind: Kind) -> Option<Type<'_>> {
        find_in_chain(self.layer(), name.as_ref(), kind)
    }

    /// As [`find`](Self::find), but not among the types of the base. Steps: as there.
    #[must_use]
    fn find_own<N: AsRef<[u8]> + ?Sized>(&self, name: &N, kind: Kind) -> Option<Type<'_>> {
        find_in(self.layer(), name.as_ref(), kind)
    }

    /// Every type of this name, in the order of their numbers. Steps: as [`find`](Self::find), then one a
    /// type.
    fn find_all<'t, 'n, N: AsRef<[u8]> + ?Sized>(&'t self, name: &'n N) -> Named<'t, 'n> {
        Named::new(self.layer(), name.as_ref())
    }

    /// The numbers of many types: slot `i` takes that of name and kind `i`, or `None`.
    ///
    /// Returns how many were found. Where there are more names than slots the last ones are left out; further
    /// slots become `None`. Steps: those of [`find_id`](Self::find_id) each; a [`HashIndex`] looks for eight
    /// at a time, so that they wait for memory together.
    fn find_many<N: AsRef<[u8]>>(&self, names: &[(N, Kind)], out: &mut [Option<TypeId>]) -> usize {
        out.fill(None);
        let top = self.layer();
        let indexed = (0..=top.btf().depth).all(|level| matches!(layer_at(top, level), Layer::Indexed(_)));
        let (mut all_names, mut all_slots) = (names, &mut *out);
        while !all_names.is_empty() && !all_slots.is_empty() {
            let (names, names_behind) = all_names.split_at_checked(GROUP).unwrap_or((all_names, &[]));
            let (slots, behind) = all_slots.split_at_mut(all_slots.len().min(GROUP));
            if indexed && names.iter().all(|(name, kind)| is_usual(name.as_ref(), *kind)) {
                find_group(top, names, slots);
            } else {
                for (slot, (name, kind)) in slots.iter_mut().zip(names) {
                    *slot = find_id_in_chain(top, name.as_ref(), *kind);
                }
            }
            (all_names, all_slots) = (names_behind, behind);
        }
        count(out.iter().filter(|slot| slot.is_some()))
    }

    /// Every tag of this text on a declaration, in the order of their numbers; [`Shape::DeclTag`] has what is
    /// tagged. Steps: as [`find_all`](Self::find_all).
    fn decl_tags<'t, 'n, N: AsRef<[u8]> + ?Sized>(&'t self, tag: &'n N) -> DeclTags<'t, 'n> {
        DeclTags(self.find_all(tag))
    }

    /// Every function that Linux lets BPF programs call: those with the tag `bpf_kfunc`, in the order of the
    /// tags' numbers. Steps: as [`decl_tags`](Self::decl_tags), and those of [`Btf::type_by_id`] each.
    fn kfuncs(&self) -> Kfuncs<'_> {
        Kfuncs { tags: self.decl_tags(KFUNC), btf: self.layer().btf() }
    }
}

/// What only this crate implements.
pub trait Sealed {
    /// The BTF, and how it is searched.
    fn layer(&self) -> Layer<'_>;
}

impl Sealed for Btf<'_> {
    #[inline(always)]
    fn layer(&self) -> Layer<'_> {
        Layer::Linear(self)
    }
}

impl Sealed for SortedBtf<'_> {
    #[inline(always)]
    fn layer(&self) -> Layer<'_> {
        Layer::Sorted(self)
    }
}

impl Sealed for HashIndex<'_> {
    #[inline(always)]
    fn layer(&self) -> Layer<'_> {
        Layer::Indexed(self)
    }
}

impl Sealed for Layer<'_> {
    #[inline(always)]
    fn layer(&self) -> Layer<'_> {
        *self
    }
}

impl Find for Btf<'_> {}
impl Find for Layer<'_> {}
impl Find for SortedBtf<'_> {}
impl Find for HashIndex<'_> {}

/// The base of a chain that has `level` bases below it, or the top itself.
fn layer_at(top: Layer<'_>, level: u32) -> Layer<'_> {
    let mut layer = top;
    while layer.btf().depth > level
        && let Some(base) = layer.btf().base
    {
        layer = base;
    }
    layer
}

/// What the lowest base that has an answer answers.
#[inline(always)]
fn in_chain<'b, T>(top: Layer<'b>, ask: impl Fn(Layer<'b>) -> Option<T>) -> Option<T> {
    (0..=top.btf().depth).find_map(|level| ask(layer_at(top, level)))
}

// One copy of each in a kernel, whatever its names are.

fn find_in_chain<'b>(top: Layer<'b>, name: &[u8], kind: Kind) -> Option<Type<'b>> {
    in_chain(top, |layer| find_in(layer, name, kind))
}

fn find_id_in_chain(top: Layer<'_>, name: &[u8], kind: Kind) -> Option<TypeId> {
    in_chain(top, |layer| find_id_in(layer, name, kind))
}

/// The first own type of a name and kind.
fn find_in<'b>(layer: Layer<'b>, name: &[u8], kind: Kind) -> Option<Type<'b>> {
    match is_usual(name, kind) {
        true => layer.find_own(name, kind),
        false => unusual(layer, name, kind),
    }
}

/// Its number.
#[inline(always)]
fn find_id_in(layer: Layer<'_>, name: &[u8], kind: Kind) -> Option<TypeId> {
    match is_usual(name, kind) {
        true => layer.find_own_id(name, kind),
        false => unusual(layer, name, kind).map(|found| found.id()),
    }
}

/// The numbers of up to [`GROUP`] types that have names, in a chain of indices.
#[inline(never)]
fn find_group<N: AsRef<[u8]>>(top: Layer<'_>, names: &[(N, Kind)], out: &mut [Option<TypeId>]) {
    let mut group = [(&[][..], Kind::Void); GROUP];
    for (place, (name, kind)) in group.iter_mut().zip(names) {
        *place = (name.as_ref(), *kind);
    }
    for level in 0..=top.btf().depth {
        if let Layer::Indexed(index) = layer_at(top, level) {
            index.find_group(group.get(..names.len()).unwrap_or_default(), out);
        }
    }
}

/// Whether it is what an order of names has: neither `void` nor without a name, and the kind by its own name.
#[inline(always)]
fn is_usual(name: &[u8], kind: Kind) -> bool {
    !matches!(kind, Kind::Void | Kind::Other(..=19 | 128..)) && name != b"void" && !name.is_empty()
}

#[cold]
fn unusual<'b>(layer: Layer<'b>, name: &[u8], kind: Kind) -> Option<Type<'b>> {
    match Kind::from_number(kind.number()) {
        Kind::Void => Some(Type::void(layer.btf())),
        _ if name == b"void" => Some(Type::void(layer.btf())),
        // More than a record has room for.
        Kind::Other(128..) => None,
        kind if name.is_empty() => linear::find(layer.btf(), name, kind),
        kind => layer.find_own(name, kind),
    }
}

/// Types of one name: [`Find::find_all`].
#[derive(Clone)]
pub struct Named<'b, 'n> {
    top: Layer<'b>,
    name: &'n [u8],
    /// Bases below the one that is being searched.
    level: u32,
    own: Option<Own<'b, 'n>>,
}

impl<'b, 'n> Named<'b, 'n> {
    fn new(top: Layer<'b>, name: &'n [u8]) -> Self {
        let mut named = Self { top, name, level: 0, own: None };
        named.own = Some(named.at_level());
        named
    }

    fn at_level(&self) -> Own<'b, 'n> {
        layer_at(self.top, self.level).all_own(self.name)
    }
}

impl<'b> Iterator for Named<'b, '_> {
    type Item = Type<'b>;

    fn next(&mut self) -> Option<Type<'b>> {
        loop {
            if let Some(found) = self.own.as_mut()?.next() {
                return Some(found);
            }
            self.own = None;
            if self.level < self.top.btf().depth {
                self.level = self.level.saturating_add(1);
                self.own = Some(self.at_level());
            }
        }
    }
}

impl fmt::Debug for Named<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Named").field("name", &self.name).finish_non_exhaustive()
    }
}

/// Tags of one text: [`Find::decl_tags`].
#[derive(Debug, Clone)]
pub struct DeclTags<'b, 'n>(Named<'b, 'n>);

impl<'b> Iterator for DeclTags<'b, '_> {
    type Item = Type<'b>;

    fn next(&mut self) -> Option<Type<'b>> {
        self.0.find(|found| found.kind() == Kind::DeclTag)
    }
}

/// Functions that BPF programs may call: [`Find::kfuncs`].
#[derive(Debug, Clone)]
pub struct Kfuncs<'b> {
    tags: DeclTags<'b, 'static>,
    btf: &'b Btf<'b>,
}

impl<'b> Iterator for Kfuncs<'b> {
    type Item = Type<'b>;

    fn next(&mut self) -> Option<Type<'b>> {
        let btf = self.btf;
        self.tags.find_map(|tag| match tag.shape() {
            Shape::DeclTag { target, component: -1 } => {
                btf.type_by_id(target).filter(|target| target.kind() == Kind::Func)
            }
            _ => None,
        })
    }
}
