//! Name → symbols: by the order of names, or by a walk where the kernel has none.

use core::cmp::Ordering;

use super::format::NameOrder;
use super::kallsyms::Linux;
use super::name_ranks::{NameRank, NameRanks};
use super::order;
use super::records::RecordOffset;
use crate::llvm::cut_len;
use crate::name::Name;
use crate::table::SymbolIndex;

/// The symbols of one name, in address order.
///
/// Steps: a bisection over the names for the first, and one compare for each further; without the order of
/// names one compare a symbol of the table. Where names were sorted without `.llvm.…`, equal names stand
/// among others that differ behind it, and each of those takes a compare too.
#[derive(Debug, Clone)]
pub struct Named<'t> {
    linux: &'t Linux<'t>,
    at: At,
}

#[derive(Debug, Clone, Copy)]
enum At {
    End,
    /// This symbol; behind it those of the same name.
    Found(Match, Next),
    /// Behind a symbol, whose name is wanted.
    Behind(RecordOffset, Next),
}

/// A symbol that has the name.
#[derive(Debug, Clone, Copy)]
struct Match {
    symbol: SymbolIndex,
    trail: RecordOffset,
}

/// Where to look for the next one.
#[derive(Debug, Clone, Copy)]
enum Next {
    /// From this rank on, while names are equal.
    Rank(NameRank),
    /// At every symbol behind this one.
    Symbol(SymbolIndex, RecordOffset),
}

impl<'t> Named<'t> {
    pub(super) fn new(linux: &'t Linux<'t>, name: &[u8]) -> Self {
        let found = match &linux.ranks {
            _ if name.is_empty() => None,
            Some(ranks) => first_ranked(linux, ranks, name),
            None => first_walked(linux, name),
        };
        Self { linux, at: found.map_or(At::End, |(first, next)| At::Found(first, next)) }
    }

    /// The next symbol of the same name as the one at `name`, and where to go on behind it.
    fn further(&self, name: RecordOffset, next: Next) -> Option<(Match, Next)> {
        match next {
            Next::Rank(rank) => self.next_ranked(name, rank),
            Next::Symbol(before, at) => self.next_walked(name, Match { symbol: before, trail: at }),
        }
    }

    #[inline(never)]
    fn next_walked(&self, name: RecordOffset, mut found: Match) -> Option<(Match, Next)> {
        loop {
            found.symbol = behind(found.symbol, self.linux.count)?;
            found.trail = self.linux.records.after(found.trail)?;
            if self.linux.same_name(name, found.trail) {
                return Some((found, Next::Symbol(found.symbol, found.trail)));
            }
        }
    }

    #[inline(never)]
    fn next_ranked(&self, name: RecordOffset, mut rank: NameRank) -> Option<(Match, Next)> {
        let ranks = self.linux.ranks.as_ref()?;
        loop {
            let found = ranked(self.linux, ranks, rank)?;
            rank = rank.behind();
            if self.linux.same_name(name, found.trail) {
                return Some((found, Next::Rank(rank)));
            }
            // Names that differ in the suffix alone stand between equal ones.
            if ranks.order == NameOrder::Whole || !self.linux.same_cut(name, found.trail) {
                return None;
            }
        }
    }
}

impl Iterator for Named<'_> {
    type Item = SymbolIndex;

    fn next(&mut self) -> Option<SymbolIndex> {
        let (found, next) = match core::mem::replace(&mut self.at, At::End) {
            At::End => return None,
            At::Found(first, next) => (first, next),
            At::Behind(name, next) => self.further(name, next)?,
        };
        self.at = At::Behind(found.trail, next);
        Some(found.symbol)
    }
}

/// The first symbol of this name in the order of names.
fn first_ranked(linux: &Linux<'_>, ranks: &NameRanks<'_>, name: &[u8]) -> Option<(Match, Next)> {
    match ranks.order {
        NameOrder::Whole => first_ranked_whole(linux, ranks, name),
        NameOrder::WithoutLlvm => first_ranked_cut(linux, ranks, name),
    }
}

#[inline(never)]
fn first_ranked_whole(linux: &Linux<'_>, ranks: &NameRanks<'_>, name: &[u8]) -> Option<(Match, Next)> {
    bisect(linux, ranks, |here| linux.compare(here, name))
}

/// The same where names were sorted up to `.llvm.`.
#[inline(never)]
fn first_ranked_cut(linux: &Linux<'_>, ranks: &NameRanks<'_>, name: &[u8]) -> Option<(Match, Next)> {
    let order = |at| compare_cut(linux, at, name);
    let (mut found, mut next) = bisect(linux, ranks, order)?;
    // Equal by the order, but not by the suffix.
    while linux.name(found.trail)? != *name {
        let Next::Rank(rank) = next else { return None };
        found = ranked(linux, ranks, rank)?;
        next = Next::Rank(rank.behind());
        if order(found.trail) != Ordering::Equal {
            return None;
        }
    }
    Some((found, next))
}

/// The lowest rank that is equal by the order, which is the last one that was found equal.
#[inline(always)]
fn bisect(
    linux: &Linux<'_>,
    ranks: &NameRanks<'_>,
    compare: impl Fn(RecordOffset) -> Ordering,
) -> Option<(Match, Next)> {
    let (mut low, mut high) = (0, linux.count);
    let mut equal = None;
    while low < high {
        let rank =
            if linux.records.are_indexed() { low.midpoint(high) } else { ranks.near_marker(low, high) };
        let here = ranked(linux, ranks, NameRank(rank))?;
        match compare(here.trail) {
            Ordering::Less => low = rank.saturating_add(1),
            Ordering::Greater => high = rank,
            Ordering::Equal => {
                equal = Some((here, Next::Rank(NameRank(rank).behind())));
                (low, high) = (ranks.start_of_run(low, rank), rank);
            }
        }
    }
    equal
}

#[inline(never)]
fn first_walked(linux: &Linux<'_>, name: &[u8]) -> Option<(Match, Next)> {
    let (symbol, trail) =
        linux.walk().find(|&(_, trail)| linux.name(trail).is_some_and(|here| here == *name))?;
    Some((Match { symbol, trail }, Next::Symbol(symbol, trail)))
}

/// The symbol whose name has this rank.
#[inline(always)]
fn ranked(linux: &Linux<'_>, ranks: &NameRanks<'_>, rank: NameRank) -> Option<Match> {
    let symbol = ranks.symbol(rank)?;
    Some(Match { symbol, trail: linux.records.offset(symbol.0)? })
}

/// A name of the table beside another, each up to its `.llvm.`.
#[inline(never)]
fn compare_cut(linux: &Linux<'_>, at: RecordOffset, name: &[u8]) -> Ordering {
    // A table that has been checked names every symbol.
    let Some(here) = linux.name(at) else { return Ordering::Greater };
    let cut = name.get(..cut_len(name.iter().copied())).unwrap_or_default();
    here.compare_first(cut_len_of(&here), cut)
}

/// Bytes that the order without `.llvm.` compares of a name.
#[inline(never)]
fn cut_len_of(name: &Name<'_, Linux<'_>>) -> usize {
    cut_len(name.bytes())
}

impl<'a> Linux<'a> {
    pub(super) fn name(&self, at: RecordOffset) -> Option<Name<'_, Self>> {
        self.spelled(at).map(Name::new)
    }

    /// The name of a record beside another one.
    #[inline(always)]
    pub(super) fn compare(&self, at: RecordOffset, name: &[u8]) -> Ordering {
        self.records
            .at(at)
            .map_or(Ordering::Greater, |(record, _)| order::compare(&self.tokens, record, name))
    }

    #[inline(never)]
    pub(super) fn same_name(&self, one: RecordOffset, other: RecordOffset) -> bool {
        one == other || self.name(one).zip(self.name(other)).is_some_and(|(one, other)| one == other)
    }

    /// Whether names are equal by the order without `.llvm.`.
    #[inline(never)]
    fn same_cut(&self, one: RecordOffset, other: RecordOffset) -> bool {
        let names = self.name(one).zip(self.name(other));
        names.is_some_and(|(one, other)| {
            let len = cut_len_of(&one);
            len == cut_len_of(&other) && same_first(&one, &other, len)
        })
    }
}

/// Whether two names begin with the same `len` bytes, which both have.
#[inline(never)]
fn same_first(one: &Name<'_, Linux<'_>>, other: &Name<'_, Linux<'_>>, mut len: usize) -> bool {
    let (mut bytes, mut same) = (one.bytes(), true);
    other.all(|piece| {
        let piece = piece.get(..len).unwrap_or(piece);
        len = len.wrapping_sub(piece.len());
        same = piece.iter().all(|&byte| bytes.next() == Some(byte));
        same && len > 0
    });
    same
}

fn behind(SymbolIndex(symbol): SymbolIndex, count: u32) -> Option<SymbolIndex> {
    symbol.checked_add(1).filter(|&next| next < count).map(SymbolIndex)
}
