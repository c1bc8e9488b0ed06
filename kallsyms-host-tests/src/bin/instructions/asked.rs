//! What is asked: the same in every run.

use std::collections::HashSet;
use std::hint::black_box;

use kallsyms_gen::symbols::Symbols;
use kallsyms_host_tests::callgrind;
use kallsyms_host_tests::random::Random;

use crate::label::{LOOP, ONE_BY_ONE};

/// Names of a batch, as many as in `cargo compare`.
pub(crate) const BATCH: usize = 3_344;

/// Questions about one set of symbols.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    pub(crate) hits: Vec<String>,
    /// Each differs from a name in a character.
    pub(crate) misses: Vec<String>,
    /// Within symbols that another one ends.
    pub(crate) addresses: Vec<u64>,
    /// Names, each once.
    pub(crate) batch: Vec<String>,
    pub(crate) prefix: String,
}

impl Asked {
    pub(crate) fn of(symbols: &Symbols) -> Self {
        let mut random = Random::new(0x9e37_79b9_7f4a_7c15);
        let list = &symbols.list;
        let name = |at: usize| str::from_utf8(&list[at].name).expect("letters");
        let known: HashSet<&str> = (0..list.len()).map(name).collect();
        let hits: Vec<String> = (0..ONE_BY_ONE).map(|_| name(random.below(list.len())).to_owned()).collect();
        let misses = hits.iter().map(|name| random.misspelt(name, &known)).collect();
        let mut batch: Vec<String> = known.iter().map(|name| (*name).to_owned()).collect();
        batch.sort_unstable();
        random.shuffle(&mut batch);
        batch.truncate(BATCH);
        let text = list.partition_point(|symbol| symbol.address == 0 || symbol.kind == b'A');
        let mut addresses = Vec::new();
        while addresses.len() < ONE_BY_ONE {
            let at = text + random.below(list.len() - text - 1);
            let size = list[at + 1].address - list[at].address;
            if size > 0 {
                addresses.push(list[at].address + random.next() % size);
            }
        }
        Self { hits, misses, addresses, batch, prefix: "tcp_".into() }
    }
}

/// Asks one after the other, and counts.
pub(crate) fn each<T, A>(label: &str, of: &[T], mut ask: impl FnMut(&T) -> A) {
    callgrind::count(label, || {
        for one in of {
            black_box(ask(black_box(one)));
        }
    });
}

/// The loop of [`each`] without anything in it.
pub(crate) fn nothing() {
    each(&format!("{LOOP}/{ONE_BY_ONE}"), &[(); ONE_BY_ONE].map(|()| 0_u64), |_| None::<u64>);
}
