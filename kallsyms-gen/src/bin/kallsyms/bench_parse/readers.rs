//! The readers that are compared, on one interface.

use std::fs::File;
use std::io::{self, Read};
use std::ops::ControlFlow::{Break, Continue};
use std::path::Path;

use kallsyms_core::glob::Glob;
use kallsyms_core::procfs::{self, CARRY, Entry, Error, Kallsyms, Stream};

use super::perf_loop::{self, Chunks, Whole};

/// Bytes that are read of a file at a time, by every reader.
pub(super) const CHUNK: usize = 64 * 1024;

/// What takes the symbols.
pub(super) trait Sink {
    fn take(&mut self, address: u64, kind: u8, name: &[u8], module: Option<&[u8]>);
}

/// What is asked of a text.
#[derive(Clone, Copy)]
pub(super) struct Questions<'q> {
    pub(super) path: &'q Path,
    pub(super) text: &'q [u8],
    pub(super) name: &'q [u8],
    pub(super) pattern: Glob<'q>,
}

/// A way to answer one of the questions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reader {
    PerfWhole,
    OursWhole,
    PerfChunks,
    OursChunks,
    PerfName,
    OursName,
    PerfPattern,
    OursPattern,
}

impl Reader {
    /// Gives every symbol that the question asks for to the sink.
    pub(super) fn read(self, of: &Questions<'_>, sink: &mut impl Sink) -> Result<(), Fault> {
        match self {
            Self::PerfWhole => perf_whole(of.text, sink),
            Self::OursWhole => found(procfs::kallsyms(of.text), sink)?,
            Self::PerfChunks => perf_chunks(of.path, sink)?,
            Self::OursChunks => ours_chunks(of.path, sink)?,
            Self::PerfName => perf_name(of.text, of.name, sink),
            Self::OursName => found(procfs::named(of.text, of.name), sink)?,
            Self::PerfPattern => perf_pattern(of.text, of.pattern, sink),
            Self::OursPattern => found(procfs::matching(of.text, of.pattern), sink)?,
        }
        Ok(())
    }
}

/// Why a reader did not come to the end.
#[derive(Debug, thiserror::Error)]
pub(super) enum Fault {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("{0}")]
    Text(#[from] Error),
}

#[inline(never)]
fn perf_whole(text: &[u8], sink: &mut impl Sink) {
    perf_loop::parse(Whole(text), &mut |address, kind, name| sink.take(address, kind, name, None));
}

#[inline(never)]
fn perf_chunks(path: &Path, sink: &mut impl Sink) -> io::Result<()> {
    let chunks = Chunks::new(File::open(path)?, CHUNK);
    perf_loop::parse(chunks, &mut |address, kind, name| sink.take(address, kind, name, None)).result
}

#[inline(never)]
fn ours_chunks(path: &Path, sink: &mut impl Sink) -> Result<(), Fault> {
    let (mut file, mut chunk, mut carry) = (File::open(path)?, vec![0; CHUNK], [0; CARRY]);
    let mut take = procfs::strict::<Kallsyms, ()>(|entry| {
        sink.take(entry.addr, entry.kind, entry.name, entry.module);
        Continue(())
    });
    let mut stream = Stream::<Kallsyms>::new(&mut carry);
    loop {
        let len = file.read(&mut chunk)?;
        let flow = match len {
            0 => return strictly(stream.finish(take)),
            _ => stream.feed(&chunk[..len], &mut take),
        };
        stream = match flow {
            Continue(stream) => stream,
            Break(broken_off) => return strictly(Break(broken_off)),
        };
    }
}

fn strictly(flow: std::ops::ControlFlow<Result<(), Error>>) -> Result<(), Fault> {
    match flow {
        Break(Err(error)) => Err(error.into()),
        Break(Ok(())) | Continue(()) => Ok(()),
    }
}

#[inline(never)]
fn perf_name(text: &[u8], wanted: &[u8], sink: &mut impl Sink) {
    perf_loop::parse(Whole(text), &mut |address, kind, line| {
        if line.strip_prefix(wanted).is_some_and(|rest| matches!(rest, [] | [b'\t', ..])) {
            sink.take(address, kind, line, None);
        }
    });
}

#[inline(never)]
fn perf_pattern(text: &[u8], pattern: Glob<'_>, sink: &mut impl Sink) {
    perf_loop::parse(Whole(text), &mut |address, kind, line| {
        if pattern.matches([without_module(line)]) {
            sink.take(address, kind, line, None);
        }
    });
}

/// The name that perf's loop leaves a module in.
fn without_module(line: &[u8]) -> &[u8] {
    let tab = line.ends_with(b"]").then(|| line.iter().rposition(|&byte| byte == b'\t')).flatten();
    &line[..tab.unwrap_or(line.len())]
}

#[inline(never)]
fn found<'t>(
    entries: impl Iterator<Item = Result<Entry<'t>, Error>>,
    sink: &mut impl Sink,
) -> Result<(), Error> {
    for entry in entries {
        let Entry { addr, kind, name, module } = entry?;
        sink.take(addr, kind, name, module);
    }
    Ok(())
}
