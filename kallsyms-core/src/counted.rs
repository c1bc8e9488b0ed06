//! A table for tests that counts what is asked of it.

use core::cell::Cell;

use crate::table::{Extent, GROUP, Holder, Layout, Spelling, SymbolIndex, Table, Trail};

/// Names by their index; symbol `i` is at address `16 × i`.
#[derive(Debug)]
pub(crate) struct Counted<'n> {
    names: &'n [&'n str],
    /// Whether a batch is to take a pass.
    pub(crate) pass: bool,
    /// Pieces of one byte that were read.
    pub(crate) pieces: Cell<u32>,
    /// Steps of walks.
    pub(crate) steps: Cell<u32>,
    /// Lookups by name.
    pub(crate) lookups: Cell<u32>,
}

pub(crate) fn table<'n>(names: &'n [&'n str]) -> Table<Counted<'n>> {
    Table::over(Counted {
        names,
        pass: false,
        pieces: Cell::default(),
        steps: Cell::default(),
        lookups: Cell::default(),
    })
}

fn count(counter: &Cell<u32>) {
    counter.set(counter.get() + 1);
}

/// The bytes of `T` and a name, one by one.
#[derive(Debug, Clone, Default)]
pub(crate) struct Pieces<'t> {
    kind_left: bool,
    name: &'t [u8],
    counter: Option<&'t Cell<u32>>,
}

impl<'t> Iterator for Pieces<'t> {
    type Item = &'t [u8];

    fn next(&mut self) -> Option<&'t [u8]> {
        if core::mem::take(&mut self.kind_left) {
            return Some(b"T");
        }
        let (piece, rest) = self.name.split_at_checked(1)?;
        self.name = rest;
        count(self.counter?);
        Some(piece)
    }
}

impl<'t> crate::table::Pieces<'t> for Pieces<'t> {
    type Iter = Self;

    fn iter(&self) -> Self {
        self.clone()
    }

    fn take_to(&mut self, skip: &mut usize, buffer: &mut [u8]) -> usize {
        crate::pieces::take(self, skip, buffer)
    }
}

impl Layout for Counted<'_> {
    type Stream<'t>
        = Pieces<'t>
    where
        Self: 't;
    type Named<'t>
        = core::option::IntoIter<SymbolIndex>
    where
        Self: 't;

    fn symbol_count(&self) -> u32 {
        self.names.len() as u32
    }

    fn address_digits(&self) -> usize {
        16
    }

    fn address(&self, index: SymbolIndex) -> Option<u64> {
        Some(u64::from(index.0) * 16)
    }

    fn trail(&self, index: SymbolIndex) -> Option<Trail> {
        Trail::to(index.0)
    }

    fn trail_behind(&self, trail: Trail) -> Option<Trail> {
        count(&self.steps);
        Trail::to(trail.offset() + 1)
    }

    fn spelling(&self, index: SymbolIndex, _: Trail) -> Option<Spelling<Pieces<'_>>> {
        let name = self.names[index.0 as usize].as_bytes();
        Some(Spelling { stream: Pieces { kind_left: true, name, counter: Some(&self.pieces) }, skip: 1 })
    }

    fn holder(&self, _: u64) -> Option<Holder> {
        None
    }

    fn extent(&self, _: SymbolIndex) -> Option<Extent> {
        None
    }

    fn enclosing(&self, _: SymbolIndex) -> Option<SymbolIndex> {
        None
    }

    fn named<'t>(&'t self, name: &[u8]) -> Self::Named<'t> {
        count(&self.lookups);
        let found = self.names.iter().position(|other| other.as_bytes() == name);
        found.map(|index| SymbolIndex(index as u32)).into_iter()
    }

    fn first_of_each(&self, names: &[&[u8]; GROUP]) -> [Option<SymbolIndex>; GROUP] {
        names.map(|name| if name.is_empty() { None } else { self.named(name).next() })
    }

    fn pass_pays(&self, _: usize) -> bool {
        self.pass
    }

    fn may_hold(&self, _: u64) -> bool {
        true
    }

    fn name_bits(&self, _: SymbolIndex, _: Trail) -> Option<u64> {
        None
    }

    fn dictionary_len(&self) -> usize {
        0
    }

    fn module(&self, _: SymbolIndex) -> Option<&[u8]> {
        None
    }
}

#[test]
fn a_compare_stops_at_the_first_difference() {
    let table = table(&["tcp_sendmsg"]);
    let pieces = |ask: &dyn Fn(crate::name::Name<'_, Counted<'_>>)| {
        table.layout.pieces.set(0);
        ask(table.iter().next().expect("one").name());
        table.layout.pieces.get()
    };
    assert_eq!(pieces(&|name| assert!(name == "tcp_sendmsg")), 11);
    assert_eq!(pieces(&|name| assert!(name != "tcx_sendmsg")), 3);
    assert_eq!(pieces(&|name| assert!(name != "tcp_")), 5);
    assert_eq!(pieces(&|name| assert!(name.compare(b"tda") == core::cmp::Ordering::Less)), 2);
    assert_eq!(pieces(&|name| assert!(!name.starts_with(b"udp"))), 1);
    assert_eq!(pieces(&|name| assert!(name.starts_with(b"tcp"))), 3);
    assert_eq!(pieces(&|name| assert!(!crate::glob::Glob::kernel("tcx_*").matches(name.fragments()))), 3);
}

#[test]
fn a_prefix_or_pattern_reads_each_name_as_far_as_it_fits() {
    let table = table(&["abcdef", "abxdef", "zbcdef"]);
    assert_eq!(table.starting_with("abc").count(), 1);
    assert_eq!(table.layout.pieces.replace(0), 3 + 3 + 1);
    assert_eq!(table.matching(crate::glob::Glob::kernel("abc*")).count(), 1);
    assert_eq!(table.layout.pieces.get(), 3 + 3 + 1);
}

#[test]
fn a_pattern_without_wildcards_is_a_lookup() {
    let table = table(&["a", "b", "c", "d"]);
    assert_eq!(table.matching(crate::glob::Glob::kernel("c")).count(), 1);
    assert_eq!((table.layout.lookups.get(), table.layout.steps.get()), (1, 0));
    assert_eq!(table.matching(crate::glob::Glob::kernel("?")).count(), 4);
    assert_eq!((table.layout.lookups.get(), table.layout.steps.get()), (1, 4));
}

#[test]
fn a_batch_goes_the_way_that_the_layout_says() {
    let names = ["b", "a", "b"];
    let mut table = table(&["a", "b", "c", "d", "e", "f"]);
    let mut out = [None; 3];
    assert_eq!(table.resolve(&names, &mut out), 3);
    assert_eq!((table.layout.lookups.get(), table.layout.steps.get()), (3, 0));
    table.layout.pass = true;
    assert_eq!(table.resolve(&names, &mut out), 3);
    // Both are found among the first two symbols; the walk is one ahead.
    assert_eq!((table.layout.lookups.get(), table.layout.steps.get()), (3, 3));
    assert_eq!(out, [Some(16), Some(0), Some(16)]);
}
