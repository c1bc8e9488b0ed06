//! Names of a BTF in no order: from its first type to its last.

use core::cmp::Ordering;

use super::btf::Btf;
use super::kind::Kind;
use super::strings;
use super::types::{Type, Types};

/// The first own type of this name and kind.
pub(super) fn find<'b>(btf: &'b Btf<'b>, name: &[u8], kind: Kind) -> Option<Type<'b>> {
    btf.types().find(|found| found.kind() == kind && is_named(found, name))
}

/// Own types of one name.
#[derive(Debug, Clone)]
pub(super) struct Named<'b, 'n> {
    types: Types<'b>,
    name: &'n [u8],
}

impl<'b, 'n> Named<'b, 'n> {
    pub(super) fn new(btf: &'b Btf<'b>, name: &'n [u8]) -> Self {
        Self { types: btf.types(), name }
    }
}

impl<'b> Iterator for Named<'b, '_> {
    type Item = Type<'b>;

    fn next(&mut self) -> Option<Type<'b>> {
        let name = self.name;
        self.types.find(|found| is_named(found, name))
    }
}

/// Whether a type has this name.
#[inline(always)]
pub(super) fn is_named(found: &Type<'_>, name: &[u8]) -> bool {
    strings::order(found.name_tail(), name) == Ordering::Equal
}
