//! Many names → addresses.

use super::Symbol;
use super::chains::{Chains, hasher};
use crate::num::{count, numbered};
use crate::table::{GROUP, Layout, SymbolIndex, Table};

/// How [`Table::resolve_by`] finds the names of a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Way {
    /// By name, a few at a time.
    Lookups,
    /// By one pass over the table, with the names hashed into the slots.
    Pass,
}

/// Fills a group with the next names whose slots are empty; how many names and slots it reaches over.
#[inline(never)]
fn next_group<'n, N: AsRef<[u8]>>(
    group: &mut [&'n [u8]; GROUP],
    names: &'n [N],
    out: &[Option<u64>],
) -> usize {
    let mut missing = numbered(names.iter().zip(out)).filter(|(_, (_, slot))| slot.is_none());
    let mut passed = 0;
    for (place, (at, (name, _))) in group.iter_mut().zip(&mut missing) {
        (*place, passed) = (name.as_ref(), at.wrapping_add(1));
    }
    // Behind the last of them there is nothing to do.
    if missing.next().is_none() { names.len().min(out.len()) } else { passed }
}

impl<L: Layout> Table<L> {
    /// The addresses of many names: of each the first symbol in address order.
    ///
    /// Slot `i` takes the address of name `i`, or `None`, which is how to tell what was not found. Names come
    /// in any order, and as often as one likes. Returns how many slots hold an address. Where there are more
    /// names than slots the last ones are left out; further slots become `None`.
    ///
    /// Steps: of the two [`Way`]s the one that is sooner for so many names and this kind of table. The slots
    /// are the only memory, beside 448 bytes of the stack.
    pub fn resolve<N: AsRef<[u8]>>(&self, names: &[N], out: &mut [Option<u64>]) -> usize {
        self.resolve_with(names, out, |_| true)
    }

    /// The addresses of many names: of each the first symbol that is `acceptable`, traceable for one.
    ///
    /// As [`resolve`](Self::resolve); where the first symbol of a name is not acceptable, the later ones of
    /// that name are asked about in address order. Steps: as [`resolve_missing`](Self::resolve_missing).
    pub fn resolve_with<'t, N: AsRef<[u8]>>(
        &'t self,
        names: &[N],
        out: &mut [Option<u64>],
        acceptable: impl FnMut(Symbol<'t, L>) -> bool,
    ) -> usize {
        out.fill(None);
        self.resolve_missing(names, out, acceptable)
    }

    /// Goes on where another table left slots without an address, as a module's table after the kernel's.
    ///
    /// As [`resolve_with`](Self::resolve_with), but slots that hold an address are left as they are. Steps:
    /// lookups for what is missing, and one for each symbol that is not acceptable; the quicker way only if
    /// all is missing.
    pub fn resolve_missing<'t, N: AsRef<[u8]>>(
        &'t self,
        names: &[N],
        out: &mut [Option<u64>],
        acceptable: impl FnMut(Symbol<'t, L>) -> bool,
    ) -> usize {
        let way = if self.layout.pass_pays(names.len().min(out.len())) { Way::Pass } else { Way::Lookups };
        self.resolve_by(way, names, out, acceptable)
    }

    /// As [`resolve_missing`](Self::resolve_missing), by a way that the caller chooses, to compare the two.
    ///
    /// A pass takes every slot as its memory: where one holds an address already, where names and symbols are
    /// too many to be numbered in 64 bits (2^20 of each are not), and where names were made to have one hash,
    /// lookups take its place. A pass asks whether a symbol is acceptable once, lookups once for each time
    /// that its name is asked for. Steps: of lookups those of [`lookup_all`](Self::lookup_all) a name, up to
    /// its first acceptable symbol; of a pass a hash a name, then a hash and at most 64 compares a symbol.
    pub fn resolve_by<'t, N: AsRef<[u8]>>(
        &'t self,
        way: Way,
        names: &[N],
        out: &mut [Option<u64>],
        mut acceptable: impl FnMut(Symbol<'t, L>) -> bool,
    ) -> usize {
        let fresh = way == Way::Pass && out.iter().all(Option::is_none);
        if !(fresh && self.resolve_by_pass(names, out, &mut acceptable)) {
            self.resolve_by_lookups(names, out, acceptable);
        }
        count(out.iter().filter(|slot| slot.is_some()))
    }

    #[inline(never)]
    fn resolve_by_lookups<'t, N: AsRef<[u8]>>(
        &'t self,
        names: &[N],
        out: &mut [Option<u64>],
        mut acceptable: impl FnMut(Symbol<'t, L>) -> bool,
    ) {
        let (mut names, mut out) = (names, out);
        while !names.is_empty() && !out.is_empty() {
            let mut group: [&[u8]; GROUP] = [&[]; GROUP];
            let passed = next_group(&mut group, names, out);
            let firsts = self.layout.first_of_each(&group);
            let (group_out, behind) = out.split_at_mut_checked(passed).unwrap_or_default();
            let missing = group_out.iter_mut().filter(|slot| slot.is_none());
            for ((name, slot), &first) in group.iter().zip(missing).zip(&firsts) {
                let Some(first) = first.and_then(|first| self.symbol(first)) else { continue };
                *slot =
                    if acceptable(first) { Some(first.address()) } else { self.later(name, &mut acceptable) };
            }
            (names, out) = (names.get(passed..).unwrap_or_default(), behind);
        }
    }

    /// The address of the first acceptable symbol of a name behind its first.
    #[cold]
    #[inline(never)]
    fn later<'t>(&'t self, name: &[u8], acceptable: &mut impl FnMut(Symbol<'t, L>) -> bool) -> Option<u64> {
        self.lookup_all(name).skip(1).find(|&next| acceptable(next)).map(|symbol| symbol.address())
    }

    /// Whether the slots could take the names.
    #[inline(never)]
    fn resolve_by_pass<'t, N: AsRef<[u8]>>(
        &'t self,
        names: &[N],
        out: &mut [Option<u64>],
        mut acceptable: impl FnMut(Symbol<'t, L>) -> bool,
    ) -> bool {
        let Some(mut chains) = Chains::new(names, out, self.len()) else { return false };
        for symbol in self {
            if chains.is_complete() {
                break;
            }
            let name = symbol.name();
            let mut hash = hasher();
            name.all(|piece| {
                hash.write(piece);
                true
            });
            chains.offer(hash.finish(), symbol.index().0, |wanted| name == *wanted && acceptable(symbol));
        }
        chains.finish(|symbol| self.symbol(SymbolIndex(symbol)).map(|symbol| symbol.address()));
        true
    }
}
