//! Names of a BTF in no order: from its first type to its last.

use super::btf::Btf;
use super::kind::Kind;
use super::strings::Wanted;
use super::types::{Type, Types};

/// The first own type of this name and kind.
pub(super) fn find<'b>(btf: &'b Btf<'b>, name: &[u8], kind: Kind) -> Option<Type<'b>> {
    let name = Wanted::new(name);
    btf.types().find(|found| found.kind() == kind && name.is(found.name_tail()))
}

/// Own types of one name.
#[derive(Debug, Clone)]
pub(super) struct Named<'b, 'n> {
    types: Types<'b>,
    name: Wanted<'n>,
}

impl<'b, 'n> Named<'b, 'n> {
    pub(super) fn new(btf: &'b Btf<'b>, name: &'n [u8]) -> Self {
        Self { types: btf.types(), name: Wanted::new(name) }
    }
}

impl<'b> Iterator for Named<'b, '_> {
    type Item = Type<'b>;

    fn next(&mut self) -> Option<Type<'b>> {
        let name = self.name;
        self.types.find(|found| name.is(found.name_tail()))
    }
}
