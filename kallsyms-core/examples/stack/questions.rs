//! One function a question, each a root that the stack is measured from.

use core::fmt::{self, Write};

use kallsyms_core::Table;
use kallsyms_core::glob::Glob;
use kallsyms_core::query::Way;
use kallsyms_core::table::{Layout, SymbolIndex};

/// What is asked for; the values are of the table that is asked.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'q> {
    /// A name.
    pub name: &'q [u8],
    /// An address.
    pub address: u64,
    /// A symbol.
    pub symbol: SymbolIndex,
    /// A pattern.
    pub pattern: &'q [u8],
    /// A batch.
    pub names: &'q [&'q [u8]],
}

/// Where answers go: memory of the caller, which no question counts.
#[derive(Debug)]
pub struct Answer<'b> {
    /// A text, or a copy of a name.
    pub text: &'b mut [u8],
    /// Bytes of it that are written.
    pub len: usize,
    /// A number.
    pub number: u64,
    /// Addresses of a batch.
    pub slots: &'b mut [Option<u64>],
}

impl Answer<'_> {
    #[inline]
    pub(crate) fn put(&mut self, number: Option<u64>) {
        self.number = self.number.wrapping_add(number.unwrap_or(1));
    }
}

impl Write for Answer<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let room = self.text.get_mut(self.len..).unwrap_or_default();
        room.iter_mut().zip(text.bytes()).for_each(|(to, from)| *to = from);
        self.len = self.len.saturating_add(text.len()).min(self.text.len());
        Ok(())
    }
}

/// A question of a table.
pub type Ask<L> = fn(&Table<L>, &Asked<'_>, &mut Answer<'_>);

/// How much stack a question may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// One name or address, its answer written out.
    Lookup,
    /// Many names at once.
    Batch,
    /// Every symbol, or a pattern.
    Walk,
}

impl Kind {
    /// Its name.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Self::Lookup => "lookup",
            Self::Batch => "batch",
            Self::Walk => "walk",
        }
    }
}

/// Defines the functions, and the list of them.
macro_rules! questions {
    ($($kind:ident $function:ident($table:ident, $asked:ident, $answer:ident) $body:block)*) => {
        /// Every question, by the name of its function.
        pub fn all<L: Layout>() -> impl Iterator<Item = (&'static str, Kind, Ask<L>)> {
            [$((stringify!($function), Kind::$kind, $function::<L> as Ask<L>)),*].into_iter()
        }
        $(
            #[inline(never)]
            fn $function<L: Layout>($table: &Table<L>, $asked: &Asked<'_>, $answer: &mut Answer<'_>) $body
        )*
    };
}

questions! {
    Lookup lookup_name(table, asked, answer) {
        answer.put(table.lookup_name(asked.name).map(|symbol| symbol.address()));
    }
    Lookup lookup_all(table, asked, answer) {
        table.lookup_all(asked.name).for_each(|symbol| answer.put(Some(symbol.address())));
    }
    Walk lookup_name_ignoring_llvm(table, asked, answer) {
        answer.put(table.lookup_name_ignoring_llvm(asked.name).map(|symbol| symbol.address()));
    }
    Walk lookup_all_ignoring_llvm(table, asked, answer) {
        table.lookup_all_ignoring_llvm(asked.name).for_each(|symbol| answer.put(Some(symbol.address())));
    }
    Lookup lookup(table, asked, answer) {
        answer.put(table.lookup(asked.address).and_then(|found| found.size()));
    }
    Lookup lookup_return_address(table, asked, answer) {
        answer.put(table.lookup_return_address(asked.address).map(|found| found.offset()));
    }
    Lookup describe(table, asked, answer) {
        let _ = write!(answer, "{}", table.describe(asked.address));
    }
    Lookup describe_return_address(table, asked, answer) {
        let _ = write!(answer, "{}", table.describe_return_address(asked.address));
    }
    Lookup describe_without_offset(table, asked, answer) {
        let _ = write!(answer, "{}", table.describe(asked.address).without_offset());
    }
    Lookup describe_with_build_id(table, asked, answer) {
        let _ = write!(answer, "{}", table.describe(asked.address).with_build_id(asked.name));
    }
    Lookup location(table, asked, answer) {
        if let Some(location) = table.lookup(asked.address) {
            let _ = write!(answer, "{location}");
        }
    }
    Lookup location_debug(table, asked, answer) {
        if let Some(location) = table.lookup(asked.address) {
            let _ = write!(answer, "{location:?}");
        }
    }
    Lookup listing(table, asked, answer) {
        if let Some(symbol) = table.symbol(asked.symbol) {
            let _ = write!(answer, "{}", symbol.listing());
        }
    }
    Lookup symbol_debug(table, asked, answer) {
        if let Some(symbol) = table.symbol(asked.symbol) {
            let _ = write!(answer, "{symbol:?}");
        }
    }
    Lookup facts(table, asked, answer) {
        if let Some(symbol) = table.symbol(asked.symbol) {
            answer.put(symbol.size());
            answer.put(Some(symbol.address() ^ u64::from(symbol.kind()) ^ u64::from(symbol.is_absolute())));
            answer.put(symbol.module().map(|module| module.len() as u64));
        }
    }
    Lookup name(table, asked, answer) {
        if let Some(symbol) = table.symbol(asked.symbol) {
            let _ = write!(answer, "{}", symbol.name());
        }
    }
    Lookup name_debug(table, asked, answer) {
        if let Some(symbol) = table.symbol(asked.symbol) {
            let _ = write!(answer, "{:?}", symbol.name());
        }
    }
    Lookup name_copy(table, asked, answer) {
        if let Some(symbol) = table.symbol(asked.symbol) {
            answer.len = symbol.name().copy_to(answer.text).map_or(0, |copy| copy.len());
        }
    }
    Lookup name_compare(table, asked, answer) {
        if let Some(symbol) = table.symbol(asked.symbol) {
            let name = symbol.name();
            answer.put(Some(name.compare(asked.name) as u64));
            answer.put(Some(u64::from(name == *asked.name) ^ u64::from(name.starts_with(asked.name))));
        }
    }
    Lookup name_measure(table, asked, answer) {
        if let Some(symbol) = table.symbol(asked.symbol) {
            let name = symbol.name();
            answer.put(Some((name.len() ^ name.stem_len()) as u64 ^ u64::from(name.is_empty())));
        }
    }
    Lookup name_bytes(table, asked, answer) {
        if let Some(symbol) = table.symbol(asked.symbol) {
            symbol.name().bytes().for_each(|byte| answer.put(Some(u64::from(byte))));
        }
    }
    Lookup same_name(table, asked, answer) {
        if let (Some(symbol), Some(other)) = (table.symbol(asked.symbol), table.lookup_name(asked.name)) {
            answer.put(Some(u64::from(symbol.name() == other.name())));
        }
    }
    Walk iter(table, _asked, answer) {
        table.iter().for_each(|symbol| answer.put(Some(symbol.address() ^ symbol.name().len() as u64)));
    }
    Walk starting_with(table, asked, answer) {
        table.starting_with(asked.name).for_each(|symbol| answer.put(Some(symbol.address())));
    }
    Walk matching_kernel(table, asked, answer) {
        table.matching(Glob::kernel(asked.pattern)).for_each(|symbol| answer.put(Some(symbol.address())));
    }
    Walk matching_libbpf(table, asked, answer) {
        table.matching(Glob::libbpf(asked.pattern)).for_each(|symbol| answer.put(Some(symbol.address())));
    }
    Batch resolve_by_lookups(table, asked, answer) {
        answer.slots.fill(None);
        let found = table.resolve_by(Way::Lookups, asked.names, answer.slots, |symbol| !symbol.is_absolute());
        answer.put(Some(found as u64));
    }
    Batch resolve_by_pass(table, asked, answer) {
        answer.slots.fill(None);
        let found = table.resolve_by(Way::Pass, asked.names, answer.slots, |symbol| !symbol.is_absolute());
        answer.put(Some(found as u64));
    }
    Batch resolve(table, asked, answer) {
        let found = table.resolve(asked.names, answer.slots);
        answer.put(Some(found as u64));
    }
}
