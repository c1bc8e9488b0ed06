//! Which names are stored, and as what: prefix references, duplicates, codes.

use std::collections::{BTreeMap, HashMap};

use kallsyms_core::image::layout::{BLOCK_SYMBOLS, MAX_PREFIX};

use crate::compress::Encoded;
use crate::symbols::Symbol;

/// A prefix on fewer names than this is not worth its place in the header.
const MIN_REFERENCES: usize = 8;

/// The names of a table, compressed.
#[derive(Debug)]
pub(super) struct Names {
    /// The prefix that a reference drops; empty if there is none.
    pub(super) prefix: Vec<u8>,
    /// The dictionary, and the codes of every name that is not a reference.
    pub(super) encoded: Encoded,
    /// For every symbol its place in `encoded`; `None` for a reference.
    pub(super) places: Vec<Option<usize>>,
    /// For every symbol the next one of the same name.
    pub(super) links: Vec<Option<u32>>,
    /// The first symbol of every name, in table order.
    pub(super) firsts: Vec<u32>,
}

impl Names {
    pub(super) fn compress(symbols: &[Symbol], code: impl FnOnce(&[&[u8]]) -> Encoded) -> Self {
        let prefix = best_prefix(symbols);
        let references = references(symbols, &prefix);
        let spellings: Vec<Vec<u8>> = symbols
            .iter()
            .zip(&references)
            .filter(|(_, refers)| !**refers)
            .map(|(symbol, _)| [&[symbol.kind], symbol.name.as_slice()].concat())
            .collect();
        let spellings: Vec<&[u8]> = spellings.iter().map(Vec::as_slice).collect();
        let mut stored = 0..;
        let places = references.iter().map(|refers| if *refers { None } else { stored.next() }).collect();
        let (links, firsts) = duplicates(symbols);
        Self { prefix, encoded: code(&spellings), places, links, firsts }
    }

    /// The codes of a symbol, none for a reference.
    pub(super) fn codes(&self, symbol: usize) -> &[u16] {
        self.places[symbol].map_or(&[], |place| self.encoded.name(place))
    }
}

/// The prefix that most names carry over the next one: `__pfx_` in a Linux table.
fn best_prefix(symbols: &[Symbol]) -> Vec<u8> {
    let mut counts = BTreeMap::<&[u8], usize>::new();
    for pair in symbols.windows(2) {
        if let Some(prefix) = prefix_over(&pair[0], &pair[1]) {
            *counts.entry(prefix).or_default() += 1;
        }
    }
    let best =
        counts.into_iter().max_by_key(|(prefix, count)| (count * prefix.len(), std::cmp::Reverse(*prefix)));
    best.filter(|(_, count)| *count >= MIN_REFERENCES).map(|(prefix, _)| prefix.to_vec()).unwrap_or_default()
}

/// What the first name has before the second one, if that is all in which the two differ.
fn prefix_over<'a>(first: &'a Symbol, second: &Symbol) -> Option<&'a [u8]> {
    let prefix = first.name.strip_suffix(second.name.as_slice())?;
    let usable = first.kind == second.kind && (1..=MAX_PREFIX).contains(&prefix.len());
    usable.then_some(prefix)
}

/// Which symbols are stored as the name before them without the prefix: never the first of a block, never two
/// running.
fn references(symbols: &[Symbol], prefix: &[u8]) -> Vec<bool> {
    let mut references = vec![false; symbols.len()];
    if prefix.is_empty() {
        return references;
    }
    for at in 1..symbols.len() {
        let first_of_block = at % BLOCK_SYMBOLS as usize == 0;
        references[at] = !first_of_block
            && !references[at - 1]
            && prefix_over(&symbols[at - 1], &symbols[at]) == Some(prefix);
    }
    references
}

/// The next symbol of the same name, for every symbol; and the first symbol of every name.
fn duplicates(symbols: &[Symbol]) -> (Vec<Option<u32>>, Vec<u32>) {
    let mut links = vec![None; symbols.len()];
    let mut firsts = Vec::new();
    let mut latest = HashMap::<&[u8], u32>::with_capacity(symbols.len());
    for (at, symbol) in (0u32..).zip(symbols) {
        match latest.insert(&symbol.name, at) {
            Some(before) => links[before as usize] = Some(at),
            None => firsts.push(at),
        }
    }
    (links, firsts)
}
