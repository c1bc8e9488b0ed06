//! The questions about symbols.

use std::fmt::{self, Write};
use std::hint::black_box;

use kallsyms_core::Table;
use kallsyms_core::glob::Glob;
use kallsyms_core::table::Layout;
use kallsyms_host_tests::asked::{Asked, ONE_BY_ONE};
use kallsyms_host_tests::callgrind;

use crate::each::each;
use crate::label::label;

/// A question to a table.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Question {
    Hit,
    Miss,
    Address,
    AddressName,
    Text,
    Name,
    Walk,
    Prefix,
    Infix,
    Batch,
}

impl Question {
    pub(crate) const ALL: [Self; 10] = [
        Self::Hit,
        Self::Miss,
        Self::Address,
        Self::AddressName,
        Self::Text,
        Self::Name,
        Self::Walk,
        Self::Prefix,
        Self::Infix,
        Self::Batch,
    ];

    fn text(self) -> &'static str {
        match self {
            Self::Hit => "hit",
            Self::Miss => "miss",
            Self::Address => "address",
            Self::AddressName => "address and name",
            Self::Text => "address as text",
            Self::Name => "name",
            Self::Walk => "walk with names, a symbol",
            Self::Prefix => "prefix, a symbol of the table",
            Self::Infix => "infix, a symbol of the table",
            Self::Batch => "batch of 3,344, a name",
        }
    }

    /// Asks a table and counts.
    pub(crate) fn count<L: Layout>(self, table: &Table<L>, name: &str, asked: &Asked) {
        let symbols = table.iter().count();
        let label = |answers| label(name, self.text(), answers);
        let one = label(ONE_BY_ONE);
        let all = label(symbols);
        let mut out = Text::new();
        match self {
            Self::Hit => each(&one, &asked.hits, |name| table.lookup_name(name).map(|found| found.address())),
            Self::Miss => {
                each(&one, &asked.misses, |name| table.lookup_name(name).map(|found| found.address()));
            }
            Self::Address => {
                each(&one, &asked.addresses, |at| table.lookup(*at).map(|found| found.offset()));
            }
            Self::AddressName => each(&one, &asked.addresses, |at| {
                let found = table.lookup(*at)?;
                out.clear();
                found.symbol().name().fragments().for_each(|piece| out.push(piece));
                Some(found.offset())
            }),
            Self::Text => each(&one, &asked.addresses, |at| {
                out.clear();
                let _ = write!(out, "{}", table.describe(*at));
                out.len
            }),
            Self::Name => {
                let found = asked.addresses.iter().filter_map(|at| Some(table.lookup(*at)?.symbol().index()));
                let indices: Vec<_> = found.collect();
                each(&label(indices.len()), &indices, |index| {
                    let name = table.symbol(*index)?.name();
                    Some(name.fragments().map(<[u8]>::len).sum::<usize>())
                });
            }
            Self::Walk => callgrind::count(&all, || {
                let name_len = |name: kallsyms_core::Name<'_, L>| name.fragments().map(<[u8]>::len).sum();
                table.iter().map(|symbol| name_len(symbol.name())).fold(0, usize::wrapping_add)
            }),
            Self::Prefix => callgrind::count(&all, || {
                table
                    .starting_with(black_box(asked.prefix))
                    .fold(0, |sum: u64, symbol| sum ^ symbol.address())
            }),
            Self::Infix => callgrind::count(&all, || {
                let glob = Glob::kernel(black_box("*lock*"));
                table.matching(glob).fold(0, |sum: u64, symbol| sum ^ symbol.address())
            }),
            Self::Batch => {
                let mut slots = vec![None; asked.batch.len()];
                callgrind::count(&label(slots.len()), || table.resolve(&asked.batch, &mut slots));
            }
        }
    }
}

/// Room for a name and an offset.
struct Text {
    bytes: [u8; 1024],
    len: usize,
}

impl Text {
    fn new() -> Self {
        Self { bytes: [0; 1024], len: 0 }
    }

    fn clear(&mut self) {
        self.len = 0;
    }

    fn push(&mut self, piece: &[u8]) {
        self.bytes[self.len..self.len + piece.len()].copy_from_slice(piece);
        self.len += piece.len();
    }
}

impl Write for Text {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.push(text.as_bytes());
        Ok(())
    }
}
