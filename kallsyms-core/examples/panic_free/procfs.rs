//! The text that Linux exports.

use core::fmt::{Debug, Write};
use core::ops::ControlFlow;

use kallsyms_core::glob::Glob;
use kallsyms_core::procfs::{
    self, Entry, FilterFunctions, FilterFunctionsAddrs, Format, Kallsyms, Lines, Stream,
};

pub(crate) fn whole(text: &[u8], name: &str, sink: &mut dyn Write) -> core::fmt::Result {
    lines(procfs::kallsyms(text), sink)?;
    lines(procfs::available_filter_functions(text), sink)?;
    lines(procfs::available_filter_functions_addrs(text), sink)?;
    let functions = procfs::available_filter_functions(text).flatten();
    let placeholders = crate::tally(functions.filter(|function| function.is_placeholder()));
    let (named, matching) = (procfs::named(text, name), procfs::matching(text, Glob::kernel(name)));
    write!(sink, "{placeholders} {:?} {named:?} {}", procfs::find(text, name), crate::tally(named.clone()))?;
    write!(sink, "{matching:?} {:?}", matching.clone().last())
}

fn lines<F>(lines: Lines<'_, F>, sink: &mut dyn Write) -> core::fmt::Result
where
    F: Format,
    for<'t> F::Entry<'t>: Debug,
{
    write!(sink, "{lines:?}")?;
    for line in lines.clone() {
        match line {
            Ok(entry) => write!(sink, "{entry:?}")?,
            Err(error) => write!(sink, "{error} {error:?} {} {:?}", error.fault, error.fault)?,
        }
    }
    Ok(())
}

/// What a stream tells of itself.
pub(crate) fn about(carry: &mut [u8], sink: &mut dyn Write) -> core::fmt::Result {
    write!(sink, "{:?}", Stream::<Kallsyms>::new(carry))
}

pub(crate) fn chunked(chunks: &[&[u8]], carry: &mut [u8], name: &[u8]) -> ControlFlow<Option<u64>> {
    let look_at = |entry: Entry<'_>| match entry.name == name {
        true => ControlFlow::Break(entry.addr),
        false => ControlFlow::Continue(()),
    };
    let mut strict = procfs::strict::<Kallsyms, _>(look_at);
    let mut stream = Stream::<Kallsyms>::new(&mut *carry);
    for chunk in chunks {
        stream = stream.feed(chunk, &mut strict).map_break(Result::ok)?;
    }
    stream.finish(strict).map_break(Result::ok)?;
    functions::<FilterFunctions>(chunks, carry)?;
    functions::<FilterFunctionsAddrs>(chunks, carry)
}

fn functions<F: Format>(chunks: &[&[u8]], carry: &mut [u8]) -> ControlFlow<Option<u64>> {
    let mut first_fault = |line: Result<F::Entry<'_>, procfs::Error>| match line {
        Ok(_) => ControlFlow::Continue(()),
        Err(error) => ControlFlow::Break(Some(error.line)),
    };
    let mut stream = Stream::<F>::new(carry);
    for chunk in chunks {
        stream = stream.feed(chunk, &mut first_fault)?;
    }
    stream.finish(first_fault)
}
