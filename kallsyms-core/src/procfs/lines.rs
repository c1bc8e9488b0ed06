//! The lines of a text, whichever file it is of.

use core::fmt;

use super::{Error, Fault};
use crate::num;

/// One of the files: what a line of it says.
///
/// The three that there are: [`Kallsyms`](super::Kallsyms), [`FilterFunctions`](super::FilterFunctions),
/// [`FilterFunctionsAddrs`](super::FilterFunctionsAddrs).
pub trait Format: private::Format {}

pub(super) mod private {
    use super::Flaw;
    use crate::procfs::swar;

    /// How a line is read.
    pub trait Format {
        /// What a line says.
        type Entry<'t>;
        /// What is kept from line to line to read the next one faster; never what decides about it.
        type Memo: Default + Clone + core::fmt::Debug;

        /// The entry of the first line and the text behind its LF, if the line is as nearly all lines are.
        ///
        /// Unless a format says otherwise, these are the sound ones without control characters.
        #[inline]
        fn usual<'t>(text: &'t [u8], number: u64, _: &mut Self::Memo) -> Option<(Self::Entry<'t>, &'t [u8])> {
            let (line, rest) = text.split_at_checked(swar::first_control(text)?)?;
            let [b'\n', rest @ ..] = rest else { return None };
            Some((Self::entry(line, number).ok()?, rest))
        }

        /// The entry of any line; `line` has no LF, `number` counts from 1.
        ///
        /// # Errors
        ///
        /// The first fault of the line and where in it that is.
        fn entry(line: &[u8], number: u64) -> Result<Self::Entry<'_>, Flaw>;

        /// The address of an entry, where the file has them and the kernel may hide them.
        fn address(_: &Self::Entry<'_>) -> Option<u64> {
            None
        }
    }
}

/// A fault and where in its line it is.
#[derive(Debug, Clone, Copy)]
pub struct Flaw {
    pub(super) at: usize,
    pub(super) fault: Fault,
}

impl Flaw {
    /// A fault at the start of what is left of a line.
    pub(super) fn new(line: &[u8], rest: &[u8], fault: Fault) -> Self {
        Self { at: line.len().saturating_sub(rest.len()), fault }
    }
}

/// What is known behind the lines that have been read.
#[derive(Debug, Clone)]
pub(super) struct Progress<M> {
    /// Lines.
    pub(super) lines: u64,
    /// Those of them that could not be read.
    bad: u64,
    /// Bytes in front of the text that is being read.
    pub(super) bytes: u64,
    /// The bits that any address has.
    addresses: u64,
    memo: M,
}

impl<M: Default> Progress<M> {
    pub(super) fn new() -> Self {
        Self { lines: 0, bad: 0, bytes: 0, addresses: 0, memo: M::default() }
    }
}

impl<M> Progress<M> {
    /// Passes a line with a fault; `at` is the place of the line in the text, `flaw.at` the fault's in the
    /// line.
    pub(super) fn bad_line(&mut self, at: usize, flaw: Flaw) -> Error {
        self.lines = self.lines.wrapping_add(1);
        self.bad = self.bad.wrapping_add(1);
        let offset = self.bytes.wrapping_add(num::wide(at)).wrapping_add(num::wide(flaw.at));
        Error { line: self.lines, offset, fault: flaw.fault }
    }

    /// The number of the next line.
    #[inline]
    fn number(&self) -> u64 {
        self.lines.wrapping_add(1)
    }

    /// Passes a line that could be read.
    #[inline]
    fn line(&mut self, address: Option<u64>) {
        self.lines = self.lines.wrapping_add(1);
        // What has no addresses hides none.
        self.addresses |= address.unwrap_or(u64::MAX);
    }

    /// Passes a text.
    pub(super) fn pass(&mut self, bytes: usize) {
        self.bytes = self.bytes.wrapping_add(num::wide(bytes));
    }

    /// That no address was above zero, said once; `self` has passed every text.
    pub(super) fn hidden(&mut self) -> Option<Error> {
        let symbols = self.lines.saturating_sub(self.bad);
        let addresses = core::mem::replace(&mut self.addresses, u64::MAX);
        let fault = Fault::Hidden { symbols };
        (symbols != 0 && addresses == 0).then_some(Error { line: self.lines, offset: self.bytes, fault })
    }
}

/// The entries of a whole text, and what is wrong with the lines that have none.
///
/// A line that cannot be read is an `Err` with its number, and the next line is read as if nothing had been:
/// who goes on reads leniently, who stops there (`?`, `collect::<Result<_, _>>()`) strictly. No line is left
/// out. A last line without LF counts. Where every address is zero the last item is [`Fault::Hidden`].
pub struct Lines<'t, F: Format> {
    rest: &'t [u8],
    /// Bytes of the text, read or not.
    len: usize,
    progress: Progress<F::Memo>,
}

impl<'t, F: Format> Lines<'t, F> {
    pub(super) fn new(text: &'t [u8]) -> Self {
        Self::resume(text, Progress::new())
    }

    /// The lines of a text that comes behind others.
    pub(super) fn resume(text: &'t [u8], progress: Progress<F::Memo>) -> Self {
        Self { rest: text, len: text.len(), progress }
    }

    /// What is known behind these lines.
    pub(super) fn into_progress(mut self) -> Progress<F::Memo> {
        self.progress.pass(self.taken());
        self.progress
    }

    /// Bytes of the text that have been read.
    fn taken(&self) -> usize {
        self.len.saturating_sub(self.rest.len())
    }

    /// The next line, without the last word about addresses.
    // Inlined, and the rest of the work by value, so that a loop over lines keeps its place in registers: 4.2
    // GB/s where a call makes 3.6.
    #[inline(always)]
    pub(super) fn next_line(&mut self) -> Option<Result<F::Entry<'t>, Error>> {
        let number = self.progress.number();
        let Some((entry, rest)) = F::usual(self.rest, number, &mut self.progress.memo) else {
            let line;
            (line, *self) = self.clone().unusual_line();
            return line;
        };
        self.progress.line(F::address(&entry));
        self.rest = rest;
        Some(Ok(entry))
    }

    /// The next line, whatever it is, and the lines behind it.
    #[inline(never)]
    fn unusual_line(mut self) -> (Option<Result<F::Entry<'t>, Error>>, Self) {
        if self.rest.is_empty() {
            return (None, self);
        }
        let at = self.taken();
        let (line, rest) = first_line(self.rest);
        self.rest = rest;
        let line = match F::entry(line, self.progress.number()) {
            Ok(entry) => {
                self.progress.line(F::address(&entry));
                Ok(entry)
            }
            Err(flaw) => Err(self.progress.bad_line(at, flaw)),
        };
        (Some(line), self)
    }
}

/// The first line without its LF, and the text behind it.
pub(super) fn first_line(text: &[u8]) -> (&[u8], &[u8]) {
    let end = text.iter().position(|&byte| byte == b'\n').unwrap_or(text.len());
    let (line, rest) = text.split_at_checked(end).unwrap_or((text, &[]));
    (line, rest.get(1..).unwrap_or_default())
}

impl<'t, F: Format> Iterator for Lines<'t, F> {
    type Item = Result<F::Entry<'t>, Error>;

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        match self.next_line() {
            Some(entry) => Some(entry),
            None => {
                let mut end = self.clone().into_progress();
                let hidden = end.hidden().map(Err);
                self.progress.addresses = u64::MAX;
                hidden
            }
        }
    }
}

impl<F: Format> core::iter::FusedIterator for Lines<'_, F> {}

impl<F: Format> Clone for Lines<'_, F> {
    fn clone(&self) -> Self {
        Self { rest: self.rest, len: self.len, progress: self.progress.clone() }
    }
}

impl<F: Format> fmt::Debug for Lines<'_, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lines").field("left", &self.rest.len()).field("progress", &self.progress).finish()
    }
}
