//! The queries, for whatever layout they are compiled for.

use core::fmt::{Debug, Write};

use kallsyms_core::backtrace::{Backtrace, Frames, StackMemory, TrapFrame};
use kallsyms_core::glob::Glob;
use kallsyms_core::query::Way;
use kallsyms_core::table::Layout;
use kallsyms_core::{Location, Symbol, SymbolIndex, Table};

/// Every query.
pub(crate) fn all<L: Layout + Copy>(
    table: &Table<L>,
    question: &[u8],
    text_question: &str,
    number: u64,
    memory: &dyn StackMemory,
    sink: &mut dyn Write,
) -> core::fmt::Result {
    let small = u32::try_from(number).unwrap_or(0);
    write!(sink, "{:?} {:?}", by_name(table, question), by_address(table, number))?;
    write!(sink, "{:?}", symbols(table, small))?;
    if let Some(symbol) = table.symbol(SymbolIndex(small)) {
        write!(sink, "{}", names(&symbol, text_question, question))?;
    }
    iterators(table, question, 3, sink)?;
    text(table, number, sink)?;
    described(table, number, sink)?;
    patterns(table, question, sink)?;
    batch(table, &[question, text_question.as_bytes()], sink)?;
    tested(table, sink)?;
    write!(sink, "{}", globs(table, question, text_question))?;
    let trap = TrapFrame { pc: number, stack_pointer: number, frame_pointer: number };
    walk(table, memory, trap, sink)
}

/// Patterns, and names without what LTO adds.
fn patterns<L: Layout>(table: &Table<L>, question: &[u8], sink: &mut dyn Write) -> core::fmt::Result {
    copied(&table.matching(Glob::kernel(question)), sink)?;
    copied(&table.matching(Glob::libbpf(question)), sink)?;
    copied(&table.lookup_all_ignoring_llvm(question), sink)?;
    write!(sink, "{:?}", table.lookup_name_ignoring_llvm(question))
}

/// Batches.
fn batch<L: Layout>(table: &Table<L>, names: &[&[u8]], sink: &mut dyn Write) -> core::fmt::Result {
    let mut out = [None; 4];
    let found = table.resolve(names, &mut out);
    let traceable = table.resolve_with(names, &mut out, |symbol| symbol.kind() == b't');
    let more = table.resolve_missing(names, &mut out, |symbol| !symbol.is_absolute());
    let pass = table.resolve_by(Way::Pass, names, &mut [None; 2], |_| true);
    write!(sink, "{found} {traceable} {more} {pass} {out:?}")
}

/// The self-test.
fn tested<L: Layout>(table: &Table<L>, sink: &mut dyn Write) -> core::fmt::Result {
    let mut ticks = 0;
    let clock = || {
        ticks = u64::wrapping_add(ticks, 1);
        ticks
    };
    match table.self_test(&mut [0; 64], clock) {
        Ok(report) => write!(sink, "{report:?} {} {}", report.ratio(), report.lookup.mean()),
        Err(fault) => write!(sink, "{fault} {fault:?}"),
    }
}

/// Queries by name.
pub(crate) fn by_name<L: Layout>(table: &Table<L>, name: &[u8]) -> Option<u64> {
    let all = table.lookup_all(name).filter_map(|symbol| symbol.size()).fold(0, u64::wrapping_add);
    let prefix = table.starting_with(name).map(|symbol| symbol.name().len()).max()?;
    table.lookup_name(name).map(|symbol| symbol.address().wrapping_add(all).wrapping_add(prefix as u64))
}

/// A copy by `Clone`.
fn copy<T: Clone>(value: &T) -> T {
    value.clone()
}

/// Queries by address.
pub(crate) fn by_address<L: Layout + Copy>(table: &Table<L>, pc: u64) -> Option<u64> {
    let exact = table.with_slide(pc).lookup(pc)?.offset();
    let returned = table.lookup_return_address(pc)?;
    let same = table.lookup(pc) == Some(copy(&returned)) && copy(&returned.symbol()) == returned.symbol();
    Some(
        exact.wrapping_add(returned.size()?).wrapping_add(returned.symbol().link_address()) ^ u64::from(same),
    )
}

/// What a symbol tells.
pub(crate) fn symbols<L: Layout>(table: &Table<L>, n: u32) -> Option<u64> {
    let first = table.symbol(SymbolIndex(n))?;
    let copy = first.name().to_owned_name::<64>().ok()?;
    let same =
        table.iter().filter(|symbol| symbol.name() == first.name() || symbol.name().starts_with(&copy));
    let same = same.fold(0, |sum: u64, symbol| sum.wrapping_add(symbol.address()));
    let of = same.wrapping_add(u64::from(first.kind())).wrapping_add(first.module()?.len() as u64);
    let absolute = first.is_absolute() && Some(first) == table.symbol(first.index());
    Some(of ^ u64::from(absolute))
}

/// A name in its other forms.
#[must_use]
pub(crate) fn names<L: Layout>(symbol: &Symbol<'_, L>, text: &str, bytes: &[u8]) -> usize {
    let name = symbol.name();
    let same = [name == *text, name == *bytes, name == text, name.clone() == name, name.is_empty()];
    let mut pieces = name.fragments();
    let mut longest = 0;
    pieces.clone().for_each(|piece| longest = piece.len().max(longest));
    let is_text = pieces.all(<[u8]>::is_ascii);
    crate::tally(pieces) ^ longest ^ usize::from(same.contains(&is_text))
}

/// Patterns, on any text and on the names of a table.
#[must_use]
pub(crate) fn globs<L: Layout>(table: &Table<L>, pattern: &[u8], text: &str) -> usize {
    [Glob::kernel(pattern), Glob::libbpf(text)].into_iter().fold(0, |sum: usize, glob| {
        let of_names = crate::tally(table.iter().filter(|symbol| glob.matches(symbol.name().fragments())));
        let of_text =
            usize::from(glob.matches(text.as_bytes().as_chunks::<7>().0.iter().map(<[u8; 7]>::as_slice)));
        let literals = glob.literal().unwrap_or_default().len() ^ glob.literal_prefix().len();
        sum.wrapping_add(of_names ^ of_text ^ literals ^ glob.longest_literal().len() ^ glob.pattern().len())
    })
}

/// Iterators beside their steps: a place further on, what is left, a copy.
pub(crate) fn iterators<L: Layout>(
    table: &Table<L>,
    name: &[u8],
    n: usize,
    sink: &mut dyn Write,
) -> core::fmt::Result {
    let mut all = table.into_iter();
    write!(sink, "{:?} {:?} {}", all.nth(n), all.size_hint(), all.len())?;
    copied(&all, sink)?;
    copied(&table.starting_with(name), sink)?;
    copied(&table.lookup_all(name), sink)?;
    match table.lookup_name(name) {
        Some(symbol) => {
            let (name, other) = (symbol.name(), name);
            copied(&name.fragments(), sink)?;
            write!(sink, "{} {:?} {:?}", name.stem_len(), name.compare(other), name.bytes().max())
        }
        None => Ok(()),
    }
}

fn copied<I: Iterator + Clone + Debug>(items: &I, sink: &mut dyn Write) -> core::fmt::Result {
    let copy = items.clone();
    write!(sink, "{items:?} {:?} {}", copy.size_hint(), crate::tally(copy))
}

/// Text forms.
pub(crate) fn text<L: Layout>(table: &Table<L>, pc: u64, sink: &mut dyn Write) -> core::fmt::Result {
    write!(sink, "{} {}", table.describe(pc), table.describe_return_address(pc))?;
    for symbol in table {
        write!(sink, "{symbol} {symbol:?} {} {:?}", symbol.listing(), symbol.listing())?;
        write!(sink, "{} {:?} {:?}", symbol.name(), symbol.name(), symbol.index())?;
        if let Err(error) = symbol.name().to_owned_name::<8>() {
            write!(sink, "{error} {error:?}")?;
        }
        match symbol.name().copy_to(&mut [0; 24]) {
            Ok(copy) => write!(sink, "{copy:?}")?,
            Err(error) => write!(sink, "{error}")?,
        }
    }
    write!(sink, "{:?} {:#?}", table.lookup(pc), table)
}

/// An address and its location.
pub(crate) fn described<L: Layout>(table: &Table<L>, pc: u64, sink: &mut dyn Write) -> core::fmt::Result {
    let described = table.describe(pc);
    write!(sink, "{described:?} {:#x}", described.address())?;
    if let Some(location) = described.location() {
        location_text(location, sink)?;
    }
    write!(sink, "{}", described.with_build_id(&[1; 20]).without_offset())
}

fn location_text<L: Layout>(location: &Location<'_, L>, sink: &mut dyn Write) -> core::fmt::Result {
    write!(sink, "{location} {location:#} {location:?} {:?}", location.symbol())
}

/// The frame walker.
pub(crate) fn walk<L: Layout>(
    table: &Table<L>,
    memory: &dyn StackMemory,
    trap: TrapFrame,
    sink: &mut dyn Write,
) -> core::fmt::Result {
    let trace = Backtrace::<32>::capture(Frames::from_trap(memory, trap));
    for frame in Frames::new(memory, trap.pc, trap.frame_pointer).chain(trace.frames().iter().copied()) {
        write!(sink, "{frame:?} {}", table.describe_frame(&frame))?;
    }
    match trace.end() {
        Some(end) => write!(sink, "{end} {end:?}"),
        None => write!(sink, "{}", trace.truncated()),
    }
}
