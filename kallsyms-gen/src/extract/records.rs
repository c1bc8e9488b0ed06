//! The records of the names, walked as a whole.

use kallsyms_core::linux::Lengths;

use super::bytes::Bytes;
use super::leads::Leads;
use super::tokens::MOST_PADDING;

/// Most bytes of a name and its type: `KSYM_NAME_LEN` counts the NUL.
const LONGEST: usize = 512;

/// Most bytes of all names and of the places where they end, a few times those of the largest kernels: a
/// record of two bytes may spell 512.
const MOST_SPELLED: usize = 256 << 20;

/// What each token adds to a name.
#[derive(Debug)]
pub(super) struct Spelling {
    lens: [u16; 256],
    types: [bool; 256],
}

impl Spelling {
    pub(super) fn new(tokens: &[&[u8]]) -> Self {
        let mut spelling = Self { lens: [0; 256], types: [false; 256] };
        for ((token, len), kind) in tokens.iter().zip(&mut spelling.lens).zip(&mut spelling.types) {
            *len = u16::try_from(token.len()).unwrap_or(u16::MAX);
            *kind = token.first().is_some_and(|&first| first.is_ascii_alphabetic() || first == b'?');
        }
        spelling
    }

    /// Bytes of the type and the name, if tokens spell these.
    fn len(&self, tokens: &[u8]) -> Option<usize> {
        let lens = || tokens.iter().filter_map(|&token| self.lens.get(usize::from(token)).copied());
        let typed = tokens.first().and_then(|&token| self.types.get(usize::from(token)).copied())?;
        let len = lens().map(usize::from).sum();
        (typed && lens().all(|len| len > 0) && (2..=LONGEST).contains(&len)).then_some(len)
    }
}

/// Names, and what is to lead to them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Records<'a> {
    pub(super) numbers: Bytes<'a>,
    pub(super) start: usize,
    pub(super) num_syms: u32,
    pub(super) leads: Leads,
}

impl Records<'_> {
    /// Where the records end, and how their lengths are stored, if they fit in just one way.
    pub(super) fn walk(&self, spelling: &Spelling) -> Option<(usize, Option<Lengths>)> {
        let byte = self.walk_as(spelling, Lengths::Byte);
        let two = self.walk_as(spelling, Lengths::ByteOrTwo);
        match (byte, two) {
            (Some((end, false)), Some(_)) => Some((end, None)),
            // Both fit a record with a high length, and differ.
            (Some(_), Some(_)) | (None, None) => None,
            (Some((end, _)), None) => Some((end, Some(Lengths::Byte))),
            (None, Some((end, _))) => Some((end, Some(Lengths::ByteOrTwo))),
        }
    }

    /// The end, and whether a length has its highest bit set.
    fn walk_as(&self, spelling: &Spelling, lengths: Lengths) -> Option<(usize, bool)> {
        let bytes = self.numbers.bytes.get(..self.leads.at)?;
        let (mut at, mut high, mut room) = (self.start, false, MOST_SPELLED);
        for symbol in 0..self.num_syms {
            if !self.leads_to(symbol as usize, at) {
                return None;
            }
            let mut len = usize::from(*bytes.get(at)?);
            at += 1;
            if len >= 0x80 {
                high = true;
                if lengths == Lengths::ByteOrTwo {
                    len = len & 0x7f | usize::from(*bytes.get(at)?) << 7;
                    at += 1;
                }
            }
            let end = at.checked_add(len)?;
            room = room.checked_sub(spelling.len(bytes.get(at..end)?)? + size_of::<usize>())?;
            at = end;
        }
        let padded = self.leads.at - at < MOST_PADDING && self.numbers.is_padding(at, self.leads.at);
        padded.then_some((at, high))
    }

    /// Whether the entry of a symbol leads here, if it has one.
    fn leads_to(&self, symbol: usize, at: usize) -> bool {
        let stride = self.leads.form.stride();
        !symbol.is_multiple_of(stride)
            || self.leads.get(&self.numbers, symbol / stride) == u64::try_from(at - self.start).ok()
    }
}

/// Every name, without its type, one after the other.
#[derive(Debug)]
pub(super) struct Spelled {
    text: Vec<u8>,
    ends: Vec<usize>,
}

impl Spelled {
    /// Expands records that were walked before.
    pub(super) fn new(records: &[u8], lengths: Lengths, tokens: &[&[u8]]) -> Self {
        let mut spelled = Self { text: Vec::new(), ends: Vec::new() };
        let mut rest = records;
        while let [first, after @ ..] = rest {
            let (len, after) = match after {
                [second, after @ ..] if *first >= 0x80 && lengths == Lengths::ByteOrTwo => {
                    (usize::from(first & 0x7f) | usize::from(*second) << 7, after)
                }
                _ => (usize::from(*first), after),
            };
            let (record, next) = after.split_at(len.min(after.len()));
            let pieces = record.iter().filter_map(|&token| tokens.get(usize::from(token)).copied());
            // The type is the first character, not the first token.
            let pieces = pieces
                .enumerate()
                .map(|(place, piece)| piece.get(usize::from(place == 0)..).unwrap_or_default());
            pieces.for_each(|piece| spelled.text.extend_from_slice(piece));
            spelled.ends.push(spelled.text.len());
            rest = next;
        }
        spelled
    }

    /// The name of a symbol.
    pub(super) fn name(&self, symbol: usize) -> Option<&[u8]> {
        let start = match symbol.checked_sub(1) {
            Some(before) => *self.ends.get(before)?,
            None => 0,
        };
        self.text.get(start..*self.ends.get(symbol)?)
    }

    /// The first symbol of a name.
    pub(super) fn find(&self, name: &[u8]) -> Option<usize> {
        (0..self.ends.len()).find(|&symbol| self.name(symbol) == Some(name))
    }
}
