//! A text that comes in chunks.

use core::fmt;
use core::ops::ControlFlow;

use super::lines::{Flaw, Format, Lines, Progress};
use super::{Error, Fault};

/// A reader of chunks of any size, cut anywhere.
///
/// Lines are read where they lie in the chunk; only one that lies across chunks is copied to the carry
/// buffer, so that the buffer bounds the lines which may do so: [`CARRY`] bytes hold every line that a kernel
/// prints. A longer one is [`Fault::LineTooLong`], and the next line is intact.
///
/// A call takes the stream and gives it back, unless the callback broke off: what is left of that chunk is
/// then not read, and nothing can go on as if it had been.
pub struct Stream<'b, F: Format> {
    carry: &'b mut [u8],
    /// Bytes in the carry buffer: the start of the next line.
    held: usize,
    /// Whether the chunk begins within a line that was too long.
    dropping: bool,
    progress: Progress<F::Memo>,
}

/// Bytes that hold every line of a kernel: names of up to 511 bytes and modules of up to 55, with room to
/// spare.
pub const CARRY: usize = 1024;

impl<'b, F: Format> Stream<'b, F> {
    /// A reader before its first chunk.
    pub fn new(carry: &'b mut [u8]) -> Self {
        Self { carry, held: 0, dropping: false, progress: Progress::new() }
    }

    /// Reads the lines that end in this chunk.
    ///
    /// `f` gets every entry and every error, as [`Lines`] gives them, and may break off with a value, which
    /// comes back. Steps: as [`Lines`], one a byte of a line that is cut in two. Stack: 300 bytes and what
    /// `f` takes.
    pub fn feed<B>(
        mut self,
        chunk: &[u8],
        mut f: impl FnMut(Result<F::Entry<'_>, Error>) -> ControlFlow<B>,
    ) -> ControlFlow<B, Self> {
        let mut chunk = chunk;
        if self.held != 0 || self.dropping {
            let end = chunk.iter().position(|&byte| byte == b'\n');
            let (head, rest) = chunk.split_at_checked(end.unwrap_or(chunk.len())).unwrap_or((chunk, &[]));
            self.hold(head, &mut f)?;
            if end.is_none() {
                return ControlFlow::Continue(self);
            }
            self.end_of_line(1, &mut f)?;
            chunk = rest.get(1..).unwrap_or_default();
        }
        let whole = chunk.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last.wrapping_add(1));
        let (lines, tail) = chunk.split_at_checked(whole).unwrap_or((chunk, &[]));
        self.read(lines, &mut f)?;
        self.hold(tail, &mut f)?;
        ControlFlow::Continue(self)
    }

    /// Reads what the last chunk left over, a last line without LF; then says whether addresses are hidden.
    /// Steps: one a byte of it.
    pub fn finish<B>(
        mut self,
        mut f: impl FnMut(Result<F::Entry<'_>, Error>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.end_of_line(0, &mut f)?;
        match self.progress.hidden() {
            Some(error) => f(Err(error)),
            None => ControlFlow::Continue(()),
        }
    }

    fn read<B>(
        &mut self,
        text: &[u8],
        f: &mut impl FnMut(Result<F::Entry<'_>, Error>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let progress = core::mem::replace(&mut self.progress, Progress::new());
        let mut lines = Lines::<F>::resume(text, progress);
        while let Some(line) = lines.next_line() {
            f(line)?;
        }
        self.progress = lines.into_progress();
        ControlFlow::Continue(())
    }

    /// Keeps the start or the middle of a line.
    fn hold<B>(
        &mut self,
        bytes: &[u8],
        f: &mut impl FnMut(Result<F::Entry<'_>, Error>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        if self.dropping {
            self.progress.pass(bytes.len());
            return ControlFlow::Continue(());
        }
        let end = self.held.saturating_add(bytes.len());
        if let Some(room) = self.carry.get_mut(self.held..end) {
            room.iter_mut().zip(bytes).for_each(|(room, &byte)| *room = byte);
            self.held = end;
            return ControlFlow::Continue(());
        }
        let capacity = self.carry.len();
        let error = self.progress.bad_line(0, Flaw { at: capacity, fault: Fault::LineTooLong { capacity } });
        self.progress.pass(end);
        (self.held, self.dropping) = (0, true);
        f(Err(error))
    }

    /// Reads the line that is held; `end` is the length of its LF.
    fn end_of_line<B>(
        &mut self,
        end: usize,
        f: &mut impl FnMut(Result<F::Entry<'_>, Error>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let progress = core::mem::replace(&mut self.progress, Progress::new());
        let line = self.carry.get(..self.held).unwrap_or_default();
        let mut lines = Lines::<F>::resume(line, progress);
        let line = lines.next_line();
        let flow = line.map_or(ControlFlow::Continue(()), f);
        self.progress = lines.into_progress();
        self.progress.pass(end);
        (self.held, self.dropping) = (0, false);
        flow
    }
}

/// A callback of [`Stream::feed`] that breaks off at the first error: strict reading.
///
/// Without it the callback gets the errors and decides: lenient reading.
pub fn strict<F: Format, B>(
    mut f: impl FnMut(F::Entry<'_>) -> ControlFlow<B>,
) -> impl FnMut(Result<F::Entry<'_>, Error>) -> ControlFlow<Result<B, Error>> {
    move |line| match line {
        Ok(entry) => f(entry).map_break(Ok),
        Err(error) => ControlFlow::Break(Err(error)),
    }
}

impl<F: Format> fmt::Debug for Stream<'_, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut stream = f.debug_struct("Stream");
        stream.field("held", &self.held).field("carry", &self.carry.len()).field("progress", &self.progress);
        stream.finish()
    }
}
