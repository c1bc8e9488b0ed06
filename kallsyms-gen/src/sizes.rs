//! Where each ELF symbol ends, and which one answers past that end.
//!
//! A sized symbol keeps its size, cut at the end of its section. An unsized one ends at the next different
//! address, at the end of its section or where the symbol around it ends, whichever is first; at a section's
//! end it has size 0. An absolute symbol ends nobody and encloses nobody.
//!
//! [`Symbol::parent`] chains lead from the first symbol of an address through ever later ends to every symbol
//! that can answer there: later aliases first, then symbols that start earlier.

use crate::symbols::{Candidate, Symbol};

/// Settles sizes and parents of symbols in table order; linear.
#[must_use]
pub fn settle(candidates: Vec<Candidate>) -> Vec<Symbol> {
    let next = next_addresses(&candidates);
    let mut symbols = Vec::with_capacity(candidates.len());
    let mut open = Open::default();
    let mut rest = candidates.into_iter().zip(next).peekable();
    while let Some((candidate, _)) = rest.peek() {
        let address = candidate.address;
        let first = symbols.len();
        open.close_before(address);
        let mut inner = None;
        let mut absolute = Vec::new();
        while let Some((candidate, next)) = rest.next_if(|(candidate, _)| candidate.address == address) {
            let enclosing = inner.or_else(|| open.innermost());
            let size = size(&candidate, next, enclosing);
            if candidate.room.is_some() && candidate.size != 0 {
                inner.get_or_insert(last_of(address, size));
            }
            absolute.push(candidate.room.is_none());
            symbols.push(Symbol {
                address,
                kind: candidate.kind,
                name: candidate.name,
                size: Some(size),
                parent: None,
                module: None,
            });
        }
        open.enter(&mut symbols, first, &absolute);
    }
    symbols
}

/// For each symbol the next higher address of one that is not absolute.
fn next_addresses(candidates: &[Candidate]) -> Vec<Option<u64>> {
    let mut next = vec![None; candidates.len()];
    let (mut current, mut higher) = (None, None);
    for (candidate, next) in candidates.iter().zip(&mut next).rev() {
        if current.is_some_and(|current| current > candidate.address) {
            higher = current;
        }
        *next = higher;
        if candidate.room.is_some() {
            current = Some(candidate.address);
        }
    }
    next
}

fn size(candidate: &Candidate, next: Option<u64>, enclosing_last: Option<u64>) -> u64 {
    match candidate.room {
        // Nothing bounds a constant but the end of the address space.
        None => candidate.size.min((u64::MAX - candidate.address).saturating_add(1)),
        Some(room) if candidate.size != 0 => candidate.size.min(room),
        Some(room) => {
            let to_next = next.map_or(u64::MAX, |next| next - candidate.address);
            let to_end = enclosing_last.map_or(u64::MAX, |last| (last - candidate.address).saturating_add(1));
            room.min(to_next).min(to_end)
        }
    }
}

/// Last address (inclusive) that a symbol answers for: its own start at least.
fn last_of(address: u64, size: u64) -> u64 {
    address.saturating_add(size.max(1) - 1)
}

/// The symbols that later ones may stand in: table index and last address, the ends falling.
#[derive(Default)]
struct Open(Vec<(u32, u64)>);

impl Open {
    /// Forgets the symbols that ended before `address`.
    fn close_before(&mut self, address: u64) {
        self.close(|last| last < address);
    }

    fn close(&mut self, ended: impl Fn(u64) -> bool) {
        while self.0.pop_if(|&mut (_, last)| ended(last)).is_some() {}
    }

    fn innermost(&self) -> Option<u64> {
        self.0.last().map(|&(_, last)| last)
    }

    /// Chains the symbols of one address, from index `first` on, and opens those that answer.
    fn enter(&mut self, symbols: &mut [Symbol], first: usize, absolute: &[bool]) {
        let group = &mut symbols[first..];
        let last = |symbol: &Symbol| last_of(symbol.address, symbol.size.unwrap_or(0));
        // The aliases that answer: the first one, and each that ends later than all before it.
        let mut answering: Vec<(usize, u64)> = Vec::new();
        for (place, symbol) in group.iter().enumerate().filter(|&(place, _)| !absolute[place]) {
            if answering.last().is_none_or(|&(_, end)| last(symbol) > end) {
                answering.push((place, last(symbol)));
            }
        }
        // An absolute symbol in front answers only where its own bytes are.
        if absolute[0] {
            let end = last(&group[0]);
            let later =
                answering.iter().find(|&&(_, later)| later > end).map(|&(place, _)| index(first + place));
            group[0].parent = later.or_else(|| self.ending_after(end));
        }
        for pair in answering.windows(2) {
            group[pair[0].0].parent = Some(index(first + pair[1].0));
        }
        let Some(&(place, end)) = answering.last() else { return };
        self.close(|last| last <= end);
        group[place].parent = self.0.last().map(|&(parent, _)| parent);
        self.0.extend(answering.iter().rev().map(|&(place, last)| (index(first + place), last)));
    }

    /// The innermost open symbol that ends later than `end`.
    fn ending_after(&self, end: u64) -> Option<u32> {
        self.0.iter().rev().find(|&&(_, last)| last > end).map(|&(symbol, _)| symbol)
    }
}

fn index(place: usize) -> u32 {
    u32::try_from(place).expect("the input readers count symbols in 32 bits")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::order;
    use proptest::prelude::*;

    fn candidate(address: u64, size: u64, room: Option<u64>) -> Candidate {
        let kind = if room.is_some() { b't' } else { b'a' };
        Candidate { address, kind, name: b"f".into(), size, room }
    }

    fn settled(candidates: &[(u64, u64, Option<u64>)]) -> Vec<(u64, Option<u32>)> {
        let candidates =
            candidates.iter().map(|&(address, size, room)| candidate(address, size, room)).collect();
        settle(candidates).into_iter().map(|symbol| (symbol.size.expect("a size"), symbol.parent)).collect()
    }

    /// Field report 5: no symbol claims the gap after it.
    #[test]
    fn sized_symbols_keep_their_size_and_gaps_stay() {
        let input = [(0x100, 0x10, Some(0x100)), (0x140, 0x20, Some(0xc0))];
        assert_eq!(settled(&input), [(0x10, None), (0x20, None)]);
    }

    #[test]
    fn unsized_symbols_end_at_the_next_address_or_the_sections_end() {
        let input =
            [(0x100, 0, Some(0x80)), (0x100, 0, Some(0x80)), (0x120, 0, Some(0x60)), (0x400, 0, Some(9))];
        assert_eq!(settled(&input), [(0x20, None), (0x20, None), (0x60, None), (9, None)]);
    }

    /// Field report 6: an end marker claims nothing, and no sum wraps.
    #[test]
    fn markers_at_a_sections_end_have_no_size() {
        let input = [(0x100, 0, Some(0)), (u64::MAX - 1, u64::MAX, Some(2)), (u64::MAX, 0, Some(1))];
        assert_eq!(settled(&input), [(0, None), (2, None), (1, None)]);
        assert_eq!(settled(&[(u64::MAX, u64::MAX, None)]), [(1, None)]);
    }

    #[test]
    fn a_size_past_the_section_is_cut() {
        assert_eq!(settled(&[(0x100, 0x1000, Some(0x40))]), [(0x40, None)]);
    }

    /// Past an inner symbol's end the enclosing one answers.
    #[test]
    fn enclosing_symbols_are_parents() {
        let input = [
            (0x100, 0x100, Some(0x400)),
            (0x110, 0x10, Some(0x3f0)),
            (0x118, 0, Some(0x3e8)),
            (0x140, 0, Some(0x3c0)),
            (0x1f0, 0x10, Some(0x310)),
            (0x200, 0, Some(0x300)),
        ];
        let expected =
            [(0x100, None), (0x10, Some(0)), (8, Some(0)), (0xb0, Some(0)), (0x10, None), (0x300, None)];
        assert_eq!(settled(&input), expected);
    }

    #[test]
    fn a_longer_alias_answers_before_the_enclosing_symbol() {
        let input = [
            (0x100, 0x100, Some(0x400)),
            (0x110, 8, Some(0x3f0)),
            (0x110, 4, Some(0x3f0)),
            (0x110, 0x20, Some(0x3f0)),
            (0x110, 0, Some(0x3f0)),
        ];
        let expected = [(0x100, None), (8, Some(3)), (4, None), (0x20, Some(0)), (8, None)];
        assert_eq!(settled(&input), expected);
    }

    #[test]
    fn absolute_symbols_end_and_enclose_nothing() {
        let input = [
            (0x100, 0, Some(0x400)),
            (0x110, 0x80, None),
            (0x120, 0, None),
            (0x120, 0, Some(0x3e0)),
            (0x130, 0, Some(0x3d0)),
        ];
        let expected = [(0x20, None), (0x80, None), (0, Some(3)), (0x10, None), (0x3d0, None)];
        assert_eq!(settled(&input), expected);
    }

    /// The answer by definition: the latest start, of its aliases the first, among the symbols that hold the
    /// address.
    fn stab(symbols: &[Symbol], absolute: &[bool], pc: u64) -> Option<usize> {
        let group = symbols.iter().map(|symbol| symbol.address).filter(|&address| address <= pc).max()?;
        let first = symbols.iter().position(|symbol| symbol.address == group);
        let holds = |place: usize| {
            let symbol = &symbols[place];
            symbol.address <= pc && pc - symbol.address < symbol.size.unwrap_or(0).max(1)
        };
        let mut holding: Vec<usize> = (0..symbols.len())
            .filter(|&place| holds(place) && (!absolute[place] || Some(place) == first))
            .collect();
        holding.sort_by_key(|&place| (std::cmp::Reverse(symbols[place].address), place));
        holding.first().copied()
    }

    /// The answer as the reader finds it: the first alias at or below, then along the parents.
    fn chain(symbols: &[Symbol], pc: u64) -> Option<usize> {
        let group = symbols.iter().map(|symbol| symbol.address).filter(|&address| address <= pc).max()?;
        let mut place = symbols.iter().position(|symbol| symbol.address == group)?;
        let mut last = last_of(symbols[place].address, symbols[place].size.unwrap_or(0));
        while last < pc {
            place = symbols[place].parent? as usize;
            let further = last_of(symbols[place].address, symbols[place].size.unwrap_or(0));
            assert!(further > last && symbols[place].address <= pc, "ends rise along the chain");
            last = further;
        }
        Some(place)
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]
        #[test]
        fn chains_find_what_a_naive_search_finds(
            input in proptest::collection::vec((0u64..48, 0u64..24, 0u8..8), 1..24),
            base in prop_oneof![Just(0u64), Just(0xffff_ffff_8000_0000), Just(u64::MAX - 47)],
        ) {
            let mut candidates: Vec<Candidate> = input
                .iter()
                .map(|&(start, size, sort)| {
                    let size = if sort < 3 { 0 } else { size };
                    candidate(base + start, size, (sort != 7).then_some(48 - start))
                })
                .collect();
            order::sort(&mut candidates);
            let absolute: Vec<bool> = candidates.iter().map(|candidate| candidate.room.is_none()).collect();
            let symbols = settle(candidates);
            for pc in (0..64).filter_map(|step: u64| base.checked_add(step)) {
                prop_assert_eq!(chain(&symbols, pc), stab(&symbols, &absolute, pc), "pc {:#x}", pc);
            }
        }
    }
}
