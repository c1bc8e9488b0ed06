//! The crate `ksym`. Its own generator is a program that cannot be called, so its table is written here in the
//! way of version 0.6.0: the best prefixes of some lengths, of which a name begins with one at most.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::fmt::Write;

use kallsyms_gen::symbols::Symbols;
use ksym::{KSYM_NAME_LEN, KallsymsMapped, TOKEN_MARKER};
use zerocopy::IntoBytes;

use super::name_of;
use crate::peer::{Peer, Text};
use crate::question::Question;

const PREFIX_LENGTHS: [usize; 26] = [
    10, 24, 31, 40, 56, 60, 70, 80, 90, 100, 150, 200, 250, 300, 400, 500, 600, 700, 800, 900, 1000, 1200,
    1400, 1600, 1800, 2000,
];
/// One less than there: the reader takes the second byte of number 0x1ff for the marker behind a number of one
/// byte, so that it does not find the names that begin with that token.
const MOST_TOKENS: usize = 511;

pub(super) struct KsymPeer {
    table: KallsymsMapped<'static>,
    parts: Vec<(&'static str, usize)>,
}

impl KsymPeer {
    pub(super) fn new(symbols: &Symbols) -> Self {
        let tokens = tokens(symbols);
        let ids: HashMap<&str, usize> = tokens.iter().enumerate().map(|(id, token)| (*token, id)).collect();
        let (mut names, mut offsets) = (Vec::new(), Vec::new());
        for symbol in &symbols.list {
            offsets.push(names.len() as u32);
            push_record(&mut names, symbol.kind, name_of(symbol), &ids);
        }
        let mut seqs: Vec<u32> = (0..).take(symbols.list.len()).collect();
        seqs.sort_by_key(|index| &symbols.list[*index as usize].name);
        let index: Vec<u32> = tokens
            .iter()
            .scan(0, |end, token| {
                let place = *end;
                *end += token.len() as u32;
                Some(place)
            })
            .collect();
        let addresses: Vec<u64> = symbols.list.iter().map(|symbol| symbol.address).collect();

        let mut blob = vec![0; 8];
        blob.extend((symbols.list.len() as u64).to_le_bytes());
        blob.extend(addresses.as_bytes());
        blob.extend(offsets.as_bytes());
        blob.extend(seqs.as_bytes());
        for bytes in [names.as_slice(), tokens.concat().as_bytes()] {
            push_len(&mut blob, bytes.len());
            blob.extend(bytes);
        }
        push_len(&mut blob, index.len());
        blob.extend(index.as_bytes());
        let total = blob.len();
        blob[..8].copy_from_slice(&(total as u64).to_le_bytes());

        let first = addresses.first().copied().unwrap_or(0);
        let table = KallsymsMapped::from_blob(aligned(&blob), first, u64::MAX).expect("its own format");
        let parts = vec![
            ("addresses", 8 * addresses.len()),
            ("offsets", 4 * offsets.len()),
            ("seqs_of_names", 4 * seqs.len()),
            ("names", names.len()),
            ("rest", total - 16 * addresses.len() - names.len()),
        ];
        Self { table, parts }
    }

    pub(super) fn parts(&self) -> Vec<(&'static str, usize)> {
        self.parts.clone()
    }
}

/// The prefixes that save most, none the beginning of one chosen before.
fn tokens(symbols: &Symbols) -> Vec<&str> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for name in symbols.list.iter().map(name_of) {
        if name.len() < PREFIX_LENGTHS[0] {
            *counts.entry(name).or_default() += 1;
        }
        for prefix in PREFIX_LENGTHS.iter().map_while(|len| name.get(..*len)) {
            *counts.entry(prefix).or_default() += 1;
        }
    }
    let mut candidates: Vec<(&str, usize)> = counts.into_iter().collect();
    // There equal ones come in the order of a hash map: here by name, for the same table in every run.
    candidates.sort_unstable_by_key(|(token, count)| (Reverse(count * token.len()), *token));
    let mut tokens: Vec<&str> = Vec::new();
    for (token, _) in candidates {
        if tokens.len() == MOST_TOKENS {
            break;
        }
        if !tokens.iter().any(|chosen| chosen.starts_with(token)) {
            tokens.push(token);
        }
    }
    tokens
}

/// Type, length in two bytes, a token between markers, the rest of the name.
fn push_record(names: &mut Vec<u8>, kind: u8, name: &str, ids: &HashMap<&str, usize>) {
    let longest = PREFIX_LENGTHS.iter().rev().find_map(|len| {
        let id = *ids.get(name.get(..*len)?)?;
        Some((id as u16, *len))
    });
    let mut record = Vec::new();
    let mut rest = name;
    if let Some((id, len)) = longest {
        record.push(TOKEN_MARKER);
        match u8::try_from(id) {
            Ok(id) => record.push(id),
            Err(_) => record.extend(id.to_be_bytes()),
        }
        record.push(TOKEN_MARKER);
        rest = &name[len..];
    }
    record.extend(rest.as_bytes());
    names.push(kind);
    names.extend((record.len() as u16).to_le_bytes());
    names.extend(record);
}

/// A length, where one may stand.
fn push_len(blob: &mut Vec<u8>, len: usize) {
    blob.resize(blob.len().next_multiple_of(8), 0);
    blob.extend((len as u64).to_le_bytes());
}

/// The reader casts its pointer to one to numbers of 8 bytes.
fn aligned(blob: &[u8]) -> &'static [u8] {
    let words = vec![0u64; blob.len().div_ceil(8)].leak();
    let bytes = words.as_mut_bytes();
    bytes[..blob.len()].copy_from_slice(blob);
    &bytes[..blob.len()]
}

impl Peer for KsymPeer {
    fn can(&self, question: Question) -> bool {
        // It has no walk but one into a string, and none without reading the name.
        !matches!(question, Question::Walk | Question::Prefix | Question::Infix | Question::Address)
    }

    /// It goes back to the first of several only where an address is their very start.
    fn any_alias(&self) -> bool {
        true
    }

    fn by_name(&self, name: &str) -> Option<u64> {
        self.table.lookup_name(name)
    }

    fn name(&self, address: u64, out: &mut Text) -> Option<u64> {
        let mut buffer = [0; KSYM_NAME_LEN];
        let (name, _, offset, _) = self.table.lookup_address(address, &mut buffer)?;
        out.clear();
        out.push(name.as_bytes());
        Some(offset)
    }

    fn text(&self, address: u64, out: &mut Text) {
        let mut buffer = [0; KSYM_NAME_LEN];
        let Some((name, size, offset, _)) = self.table.lookup_address(address, &mut buffer) else { return };
        out.clear();
        out.push(name.as_bytes());
        let _ = write!(out, "+{offset:#x}/{size:#x}");
    }
}
