//! Instructions of an answer, counted by Callgrind in a second process.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::hint::black_box;
use std::path::Path;

use kallsyms_gen::symbols::Symbols;
use kallsyms_host_tests::callgrind;

use crate::peer::{Peer, Text};
use crate::queries::{CHUNK, Queries};
use crate::question::Question;
use crate::rows::{self, Kept};

/// What is counted, and its name in JSON.
const COUNTED: [(Question, &str); 4] = [
    (Question::NameHit, "hit_instructions"),
    (Question::NameMiss, "miss_instructions"),
    (Question::Address, "addr_instructions"),
    (Question::AddressName, "addr_name_instructions"),
];

/// Questions of each kind.
fn asked(quick: bool) -> usize {
    if quick { CHUNK / 4 } else { CHUNK }
}

/// The row that every other one is put beside: the loop around the answers is none of their work.
const LOOP: &str = "loop";

/// Instructions an answer, by row and question.
#[derive(Debug, Default)]
pub(crate) struct Instructions(BTreeMap<String, f64>);

impl Instructions {
    /// Runs this program again under Callgrind, on the tables that it has built.
    pub(crate) fn of_rows(tables: &Path, quick: bool) -> Result<Self, String> {
        let arguments = std::env::args_os().skip(1);
        let arguments = arguments.chain([OsStr::new("--tables").into(), tables.into()]);
        let counts = callgrind::run(arguments)?;
        let each = |(name, count): (&String, &u64)| {
            let (key, question) = name.split_once(' ')?;
            let around = counts.get(&named(LOOP, question))?;
            let own = count.saturating_sub(*around) as f64 / asked(quick) as f64;
            (key != LOOP).then(|| (name.clone(), own))
        };
        Ok(Self(counts.iter().filter_map(each).collect()))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Those of a row, each by its name in JSON; `None` for what it cannot do.
    pub(crate) fn of(&self, row: &str) -> impl Iterator<Item = (&'static str, Option<f64>)> {
        COUNTED.into_iter().map(move |(_, key)| (key, self.0.get(&named(row, key)).copied()))
    }
}

impl<const N: usize> From<[(String, f64); N]> for Instructions {
    fn from(counts: [(String, f64); N]) -> Self {
        Self(counts.into())
    }
}

fn named(row: &str, key: &str) -> String {
    format!("{row} {key}")
}

/// What the process under Callgrind does.
pub(crate) fn count(symbols: &Symbols, queries: &Queries, tables: &Path, quick: bool) -> Result<(), String> {
    let (rows, _) = rows::build(symbols, &Kept::From(tables.into()))?;
    let asked = asked(quick);
    let rows = rows.iter().map(|row| (row.key, row.peer.as_ref()));
    let mut out = Text::new();
    for (row, peer) in rows.chain([(LOOP, &Loop as &dyn Peer)]) {
        for (question, key) in COUNTED.into_iter().filter(|(question, _)| peer.can(*question)) {
            let name = named(row, key);
            match question {
                Question::NameHit => {
                    callgrind::count(&name, || peer.by_names(black_box(&queries.hits[..asked])));
                }
                Question::NameMiss => {
                    callgrind::count(&name, || peer.by_names(black_box(&queries.misses[..asked])));
                }
                Question::Address => {
                    callgrind::count(&name, || peer.offsets(black_box(&queries.addresses[..asked])));
                }
                _ => {
                    callgrind::count(&name, || peer.names(black_box(&queries.addresses[..asked]), &mut out));
                }
            }
        }
    }
    Ok(())
}

/// Answers nothing.
struct Loop;

impl Peer for Loop {
    fn can(&self, _: Question) -> bool {
        true
    }

    fn by_name(&self, name: &str) -> Option<u64> {
        black_box(name);
        None
    }

    fn offset(&self, address: u64) -> Option<u64> {
        black_box(address);
        None
    }

    fn name(&self, address: u64, out: &mut Text) -> Option<u64> {
        black_box((address, out));
        None
    }
}
