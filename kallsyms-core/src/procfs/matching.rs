//! The symbols of some names, without reading the other lines.

use core::fmt;

use super::kallsyms::{Entry, HighHalf, Kallsyms};
use super::lines::{Flaw, Lines, first_line, private::Format};
use super::needle::Needle;
use super::{Error, Fault};
use crate::glob::Glob;
use crate::num;

/// The symbols of a text whose names are wanted, in the order of the text.
///
/// The longest literal of the pattern is looked for in the whole text, and only lines that have it are read:
/// a bad line that has it is an error, another one is passed over like every line that is not wanted. A
/// literal of one byte or none is on too many lines to look for: every line is read. Where every address of
/// the text is zero, [`Fault::Hidden`] comes before the first symbol.
#[derive(Clone)]
pub struct Matching<'t, 'p> {
    text: &'t [u8],
    wanted: Wanted<'p>,
    /// What to look for; without it every line is read.
    needle: Option<Needle<'p>>,
    /// Where to go on: at the start of a line, or within one that is not wanted so far.
    next: usize,
    /// Lines that end before a place, as far as they have been counted.
    counted: (u64, usize),
    high_half: HighHalf,
    zeros: Zeros<'t>,
}

#[derive(Debug, Clone, Copy)]
enum Wanted<'p> {
    Name(&'p [u8]),
    Glob(Glob<'p>),
}

/// What an address of zero means.
#[derive(Debug, Clone, Copy)]
enum Zeros<'t> {
    /// Not known: none has been met.
    Unmet,
    /// All are zero, as has been said; this symbol comes next.
    Hidden(Entry<'t>),
    /// No more than that, or it has been said.
    Settled,
}

impl<'t, 'p> Matching<'t, 'p> {
    pub(super) fn of_name(text: &'t [u8], name: &'p [u8]) -> Self {
        Self::new(text, Wanted::Name(name), name)
    }

    pub(super) fn of_glob(text: &'t [u8], glob: Glob<'p>) -> Self {
        Self::new(text, Wanted::Glob(glob), glob.longest_literal())
    }

    fn new(text: &'t [u8], wanted: Wanted<'p>, literal: &'p [u8]) -> Self {
        let (needle, high_half) = (Needle::new(literal), HighHalf::default());
        Self { text, wanted, needle, next: 0, counted: (0, 0), high_half, zeros: Zeros::Unmet }
    }

    /// Where the next line begins that may be wanted.
    fn next_line(&mut self) -> Option<usize> {
        let Some(needle) = &self.needle else {
            return Some(self.next).filter(|&next| next < self.text.len());
        };
        loop {
            let rest = self.text.get(self.next..)?;
            let at = self.next.checked_add(needle.find(rest)?)?;
            let (before, found) = self.text.split_at_checked(at)?;
            if self.may_be_wanted(before, found) {
                return Some(
                    before.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end.wrapping_add(1)),
                );
            }
            self.next = at.checked_add(1)?;
        }
    }

    /// Whether a name stands whole where it was found.
    fn may_be_wanted(&self, before: &[u8], found: &[u8]) -> bool {
        match self.wanted {
            Wanted::Glob(_) => true,
            Wanted::Name(name) => {
                before.ends_with(b" ") && found.get(name.len()).is_none_or(|&behind| behind < b' ')
            }
        }
    }

    /// Reads the line at a place.
    fn read(&mut self, start: usize) -> Result<Entry<'t>, Error> {
        let text = self.text.get(start..).unwrap_or_default();
        let (entry, rest) = match Kallsyms::usual(text, 0, &mut self.high_half) {
            Some((entry, rest)) => (Ok(entry), rest),
            None => {
                let (line, rest) = first_line(text);
                (Kallsyms::entry(line, 0), rest)
            }
        };
        self.next = self.text.len().saturating_sub(rest.len());
        entry.map_err(|flaw| self.error(start, flaw))
    }

    /// The error of the line at a place. Steps: the bytes since the last error.
    fn error(&mut self, start: usize, flaw: Flaw) -> Error {
        let (lines, counted) = self.counted;
        let since = self.text.get(counted..start).unwrap_or_default();
        let lines = since.iter().fold(lines, |lines, &byte| lines.wrapping_add(u64::from(byte == b'\n')));
        self.counted = (lines, start);
        let offset = num::wide(start).wrapping_add(num::wide(flaw.at));
        Error { line: lines.wrapping_add(1), offset, fault: flaw.fault }
    }

    fn is_wanted(&self, entry: &Entry<'_>) -> bool {
        match self.wanted {
            Wanted::Name(name) => entry.name == name,
            Wanted::Glob(glob) => glob.matches([entry.name]),
        }
    }
}

/// That every address of a text is zero, if that is so. Steps: one a line up to the first that is not.
fn hidden(text: &[u8]) -> Option<Error> {
    let shown = |entry: &Result<Entry<'_>, Error>| match entry {
        Ok(entry) => entry.addr != 0,
        Err(error) => matches!(error.fault, Fault::Hidden { .. }),
    };
    Lines::<Kallsyms>::new(text).find(shown)?.err()
}

impl<'t> Iterator for Matching<'t, '_> {
    type Item = Result<Entry<'t>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Zeros::Hidden(entry) = self.zeros {
            self.zeros = Zeros::Settled;
            return Some(Ok(entry));
        }
        loop {
            let start = self.next_line()?;
            let entry = match self.read(start) {
                Ok(entry) if self.is_wanted(&entry) => entry,
                Ok(_) => continue,
                Err(error) => return Some(Err(error)),
            };
            if entry.addr == 0 && matches!(self.zeros, Zeros::Unmet) {
                self.zeros = Zeros::Settled;
                if let Some(error) = hidden(self.text) {
                    self.zeros = Zeros::Hidden(entry);
                    return Some(Err(error));
                }
            }
            return Some(Ok(entry));
        }
    }
}

impl core::iter::FusedIterator for Matching<'_, '_> {}

impl fmt::Debug for Matching<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Matching").field("wanted", &self.wanted).field("next", &self.next).finish()
    }
}
