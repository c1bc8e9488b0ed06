//! What is asked of a table: the same in every run.

use std::collections::HashSet;

use kallsyms_gen::symbols::Symbols;

use crate::random::Random;

/// Questions that are asked one by one.
pub const ONE_BY_ONE: usize = 1_000;

/// Names of a batch, as many as in `cargo compare`.
pub const BATCH: usize = 3_344;

/// Questions about one set of symbols.
#[derive(Debug, Clone)]
pub struct Asked {
    /// Names of the table.
    pub hits: Vec<String>,
    /// Each differs from a name in a character.
    pub misses: Vec<String>,
    /// Within symbols that another one ends.
    pub addresses: Vec<u64>,
    /// Names, each once.
    pub batch: Vec<String>,
    /// What some names begin with.
    pub prefix: &'static str,
}

impl Asked {
    /// Drawn from these symbols, whose names are text.
    ///
    /// # Panics
    ///
    /// Where there is no symbol with an end above address 0.
    #[must_use]
    pub fn of(symbols: &Symbols) -> Self {
        let mut random = Random::new(0x9e37_79b9_7f4a_7c15);
        let list = &symbols.list;
        let name = |at: usize| str::from_utf8(&list[at].name).expect("letters");
        let known: HashSet<&str> = (0..list.len()).map(name).collect();
        let hits: Vec<String> = (0..ONE_BY_ONE).map(|_| name(random.below(list.len())).to_owned()).collect();
        let misses = hits.iter().map(|name| random.misspelt(name, &known)).collect();
        let mut unique: Vec<&str> = known.iter().copied().collect();
        unique.sort_unstable();
        random.shuffle(&mut unique);
        let batch = unique.into_iter().take(BATCH).map(str::to_owned).collect();
        let text = list.partition_point(|symbol| symbol.address == 0 || symbol.kind == b'A');
        let mut addresses = Vec::new();
        while addresses.len() < ONE_BY_ONE {
            let at = text + random.below(list.len() - text - 1);
            let size = list[at + 1].address - list[at].address;
            if size > 0 {
                addresses.push(list[at].address + random.next() % size);
            }
        }
        Self { hits, misses, addresses, batch, prefix: "tcp_" }
    }
}
