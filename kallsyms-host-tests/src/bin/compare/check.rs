//! Every answer of a row beside the plain one, before anything is timed.

use std::fmt::Debug;

use kallsyms_gen::symbols::Symbol;

use crate::answers::{Answers, Held};
use crate::peer::Text;
use crate::queries::Queries;
use crate::question::Question;
use crate::rows::Row;

/// The queries with their plain answers, which are looked for once and not for every row.
pub(crate) struct Check<'a> {
    queries: &'a Queries,
    symbols: &'a [Symbol],
    hits: Vec<Option<u64>>,
    misses: Vec<Option<u64>>,
    unique: Vec<Option<u64>>,
    addresses: Vec<Held<'a>>,
    /// Of each pattern, of all symbols and of the first of each name.
    matching: [[Vec<u64>; 2]; 2],
}

impl<'a> Check<'a> {
    pub(crate) fn new(answers: &Answers<'a>, queries: &'a Queries) -> Self {
        let of = |names: &[&str]| names.iter().map(|name| answers.by_name(name)).collect();
        let [prefix, infix] = &queries.patterns;
        let infix = infix.text.trim_matches('*');
        Self {
            queries,
            symbols: &answers.symbols.list,
            hits: of(&queries.hits),
            misses: of(&queries.misses),
            unique: of(&queries.unique),
            addresses: queries.addresses.iter().map(|address| answers.by_address(*address)).collect(),
            matching: [
                [false, true].map(|first| answers.matching(first, |name| name.starts_with(&prefix.prefix))),
                [false, true].map(|first| answers.matching(first, |name| name.contains(infix))),
            ],
        }
    }

    /// All that a row can do.
    pub(crate) fn row(&self, row: &Row<'_>) -> Result<(), String> {
        Question::ALL.into_iter().filter(|question| row.peer.can(*question)).try_for_each(|question| {
            match question {
                Question::NameHit => names(row, &self.queries.hits, &self.hits),
                Question::NameMiss => names(row, &self.queries.misses, &self.misses),
                Question::Address | Question::AddressName | Question::AddressText => {
                    self.addresses(row, question)
                }
                Question::Walk => walk(row, self.symbols),
                Question::Prefix => self.matching(row, 0),
                Question::Infix => self.matching(row, 1),
                Question::Batch50 | Question::Batch3344 | Question::BatchAll => self.batch(row, question),
            }
            .map_err(|fault| format!("{}: {}: {fault}", row.key, question.key()))
        })
    }

    fn addresses(&self, row: &Row<'_>, question: Question) -> Result<(), String> {
        let mut out = Text::new();
        self.queries.addresses.iter().zip(&self.addresses).try_for_each(|(&address, held)| {
            if question == Question::Address {
                return same(&address, row.peer.offset(address), Some(held.offset));
            }
            let holders = if row.peer.any_alias() { held.holders } else { &held.holders[..1] };
            let mut names = holders.iter().map(|symbol| symbol.name.as_slice());
            let is_right = if question == Question::AddressName {
                same(&address, row.peer.name(address, &mut out), Some(held.offset))?;
                names.any(|name| name == out.as_bytes())
            } else {
                row.peer.text(address, &mut out);
                let numbers = format!("+{:#x}/{:#x}", held.offset, held.size);
                names.any(|name| out.as_bytes().strip_prefix(name) == Some(numbers.as_bytes()))
            };
            let wrong = || format!("{address:#x}: {}", out.as_bytes().escape_ascii());
            is_right.then_some(()).ok_or_else(wrong)
        })
    }

    fn matching(&self, row: &Row<'_>, number: usize) -> Result<(), String> {
        let pattern = &self.queries.patterns[number];
        let mut expected = self.matching[number][usize::from(row.peer.keeps_first_only())].clone();
        let mut found = Vec::new();
        row.peer.matching(pattern, &mut |address| found.push(address));
        // Some go by name.
        found.sort_unstable();
        expected.sort_unstable();
        same(&pattern.text, found, expected)
    }

    fn batch(&self, row: &Row<'_>, question: Question) -> Result<(), String> {
        let names = &self.queries.unique[..question.names(self.unique.len())];
        let mut out = vec![None; names.len()];
        row.peer.resolve(names, &mut out);
        let pairs = names.iter().zip(out).zip(&self.unique);
        pairs.into_iter().try_for_each(|((name, found), expected)| same(name, found, *expected))
    }
}

fn names(row: &Row<'_>, names: &[&str], expected: &[Option<u64>]) -> Result<(), String> {
    names.iter().zip(expected).try_for_each(|(name, expected)| same(name, row.peer.by_name(name), *expected))
}

fn walk(row: &Row<'_>, list: &[Symbol]) -> Result<(), String> {
    let mut rest = list.iter();
    let mut fault = None;
    row.peer.walk(&mut |name, address| {
        let right = rest.next().is_some_and(|symbol| symbol.name == name && symbol.address == address);
        if !right && fault.is_none() {
            fault = Some(format!("{address:#x} {}", name.escape_ascii()));
        }
    });
    match (fault, rest.len()) {
        (Some(fault), _) => Err(fault),
        (None, 0) => {
            let bytes = |symbol: &Symbol| symbol.address.wrapping_add(symbol.name.len() as u64);
            let sum = list.iter().map(bytes).fold(0, u64::wrapping_add);
            same(&"the sum of a walk", row.peer.sum_of_walk(), sum)
        }
        (None, missing) => Err(format!("{missing} symbols are missing")),
    }
}

fn same<T: PartialEq + Debug>(asked: &impl Debug, found: T, expected: T) -> Result<(), String> {
    if found == expected { Ok(()) } else { Err(format!("{asked:?}: {found:x?}, not {expected:x?}")) }
}
