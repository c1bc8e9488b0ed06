//! The token table, which no other data of a kernel looks like: where the search begins.

use std::ops::Range;

use kallsyms_core::linux::Endian;

use super::bytes::Bytes;

const TOKENS: usize = 256;
/// Bytes of the index.
pub(super) const INDEX_LEN: usize = TOKENS * 2;
/// Labels are aligned to a pointer at most, so that there is less than this between a table and the next.
pub(super) const MOST_PADDING: usize = 8;
/// More tables of one image are not looked at.
const MOST_TABLES: usize = 16;
/// No token is longer: it is a part of a name.
const LONGEST_TOKEN: usize = 512;

/// `kallsyms_token_table` and, behind it, `kallsyms_token_index`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Tokens {
    pub(super) endian: Endian,
    pub(super) table: Range<usize>,
    pub(super) index: usize,
}

impl Tokens {
    /// Where the index ends.
    pub(super) fn end(&self) -> usize {
        self.index + INDEX_LEN
    }

    /// The tokens, without their NUL.
    pub(super) fn strings<'a>(&self, bytes: &'a [u8]) -> Vec<&'a [u8]> {
        let table = bytes.get(self.table.clone()).unwrap_or_default();
        table.split(|&byte| byte == 0).take(TOKENS).collect()
    }
}

/// Every token table, in the order of the bytes.
pub(super) fn find(bytes: &[u8], endian: Option<Endian>) -> Vec<Tokens> {
    let orders =
        [Endian::Little, Endian::Big].into_iter().filter(|&order| endian.is_none_or(|known| known == order));
    let orders: Vec<Endian> = orders.collect();
    let places = bytes.as_chunks::<4>().0.iter().enumerate().filter_map(|(word, start)| match *start {
        // The first token is at 0, the second soon after.
        [0, 0, low, high] if (low == 0) != (high == 0) => Some(word * 4),
        [0, 0, 0, 0] => None,
        [0, 0, _, _] => Some(word * 4),
        _ => None,
    });
    let found = places.flat_map(|at| orders.iter().filter_map(move |&endian| at_index(bytes, endian, at)));
    found.take(MOST_TABLES).collect()
}

/// The table whose index begins here.
fn at_index(bytes: &[u8], endian: Endian, at: usize) -> Option<Tokens> {
    let numbers = Bytes { bytes, endian };
    let mut starts = [0; TOKENS];
    let mut previous = None;
    for (token, start) in starts.iter_mut().enumerate() {
        *start = usize::from(numbers.u16(at + 2 * token)?);
        let follows = match previous {
            None => *start == 0,
            Some(previous) => *start > previous && *start - previous <= LONGEST_TOKEN + 1,
        };
        if !follows {
            return None;
        }
        previous = Some(*start);
    }
    let last = previous?;
    // The last token is as long as the place of the table makes it.
    let nearest = at.checked_sub(last + 1)? & !3;
    let farthest = at.saturating_sub(last + LONGEST_TOKEN + 1 + MOST_PADDING);
    (farthest.next_multiple_of(4)..=nearest).rev().step_by(4).find_map(|table| {
        let end = table_end(bytes, table, &starts)?;
        let padded = end <= at && at - end < MOST_PADDING && numbers.is_padding(end, at);
        padded.then_some(Tokens { endian, table: table..end, index: at })
    })
}

/// The end of the table that begins here, if the NULs are just where the index says.
fn table_end(bytes: &[u8], table: usize, starts: &[usize; TOKENS]) -> Option<usize> {
    let at = |start: usize| bytes.get(table + start).copied();
    if !starts.iter().skip(1).all(|&start| at(start - 1) == Some(0)) {
        return None;
    }
    let last = starts[TOKENS - 1];
    let text = bytes.get(table + last..)?.iter().take(LONGEST_TOKEN + 1).position(|&byte| byte == 0)?;
    let end = table + last + text + 1;
    let mut lengths =
        starts.iter().zip(starts.iter().skip(1)).map(|(start, next)| next - start - 1).chain([text]);
    let tokens = bytes.get(table..end)?.split(|&byte| byte == 0).take(TOKENS);
    // A name has no blanks and no control characters.
    let spelt = tokens.filter(|token| token.iter().all(|&byte| byte > b' ' && byte != 0x7f));
    let whole = spelt.zip(&mut lengths).filter(|(token, length)| token.len() == *length).count();
    (whole == TOKENS).then_some(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(endian: Endian) -> Vec<u8> {
        let mut bytes = vec![0xee; 40];
        let (mut table, mut index) = (Vec::new(), Vec::new());
        for token in 0..256_u16 {
            let start = table.len() as u16;
            index.extend(if endian == Endian::Big { start.to_be_bytes() } else { start.to_le_bytes() });
            // Half of the slots are unused.
            table.extend(if token % 2 == 0 { format!("t{token}\0") } else { "\0".into() }.bytes());
        }
        table.resize(table.len().next_multiple_of(8), 0);
        bytes.extend(table);
        bytes.extend(index);
        bytes.extend([0xee; 9]);
        bytes
    }

    #[test]
    fn tables_of_both_orders_are_found() {
        for endian in [Endian::Little, Endian::Big] {
            let bytes = table(endian);
            let found = find(&bytes, None);
            assert_eq!(found.len(), 1);
            assert_eq!(
                (found[0].endian, found[0].table.start, found[0].end()),
                (endian, 40, bytes.len() - 9)
            );
            let strings = found[0].strings(&bytes);
            assert_eq!(
                (strings.len(), strings[0], strings[1], strings[254]),
                (256, &b"t0"[..], &b""[..], &b"t254"[..])
            );
            let other = if endian == Endian::Big { Endian::Little } else { Endian::Big };
            assert_eq!(find(&bytes, Some(other)), []);
        }
    }

    #[test]
    fn a_table_that_its_index_does_not_fit_is_none() {
        let good = table(Endian::Little);
        let at = find(&good, None)[0].clone();
        for place in [at.table.start + 1, at.table.start + 3, at.index + 100, at.index + 511] {
            let mut bad = good.clone();
            bad[place] = if bad[place] == 0 { b'x' } else { 0 };
            assert_eq!(find(&bad, None), [], "{place}");
        }
        let mut blank = good.clone();
        blank[at.table.start] = b' ';
        assert_eq!(find(&blank, None), []);
        for len in 0..good.len() - 9 {
            assert_eq!(find(&good[..len], None), []);
        }
    }
}
