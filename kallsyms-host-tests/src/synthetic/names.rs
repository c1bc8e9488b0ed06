//! Names, hardly any of them twice.

use std::collections::HashSet;

use super::words::{CLONES, DATA, DATA_PREFIXES, OBJECTS, PREFIXES, QUALIFIERS, SUBSYSTEMS, VERBS};
use crate::random::Random;

/// One function in so many has a name that others have too.
const DUPLICATES: usize = 40;

/// One in so many of those is the first of its name.
const COPIES: usize = 3;

/// Makes names out of words.
#[derive(Debug)]
pub(super) struct Names {
    known: HashSet<String>,
    /// Names that are given again and again: statics of many files.
    common: Vec<String>,
}

impl Names {
    pub(super) fn new() -> Self {
        Self { known: HashSet::new(), common: Vec::new() }
    }

    /// The name of a function, and what the compiler has added.
    pub(super) fn function(&mut self, random: &mut Random) -> String {
        if random.below(DUPLICATES) == 0 {
            if self.common.is_empty() || random.below(COPIES) == 0 {
                let name = self.unknown(random, |random, words| spoken(random, words.min(4)));
                self.common.push(name);
            }
            return random.one_of(&self.common).clone();
        }
        self.unknown(random, |random, words| {
            let prefix = weighted(random, PREFIXES);
            let name = spoken(random, words);
            format!("{prefix}{name}{}", weighted(random, CLONES))
        })
    }

    /// The name of a table or a variable.
    pub(super) fn data(&mut self, random: &mut Random) -> String {
        self.unknown(random, |random, words| match *random.one_of(DATA_PREFIXES) {
            "" => format!("{}_{}", spoken(random, words - 1), common(random, DATA)),
            prefix => format!("{prefix}{}", spoken(random, words)),
        })
    }

    /// A name that was not there before, of the fewest words that were drawn for it.
    fn unknown(&mut self, random: &mut Random, name: impl Fn(&mut Random, usize) -> String) -> String {
        let mut words = *random.one_of(&[2, 3, 3, 3, 3, 3, 4, 4, 4, 5]);
        loop {
            let name = name(random, words);
            if self.known.insert(name.clone()) {
                return name;
            }
            words += 1;
        }
    }
}

/// So many words: of which part, what it does, to what; more than three have others between or behind.
fn spoken(random: &mut Random, words: usize) -> String {
    let mut name = common(random, SUBSYSTEMS).to_owned();
    let mut push = |word: &str| {
        name.push('_');
        name.push_str(word);
    };
    if words >= 4 {
        let words = if random.below(3) == 0 { QUALIFIERS } else { OBJECTS };
        push(common(random, words));
    }
    let object_first = random.below(3) == 0;
    let mut rest = [common(random, VERBS), common(random, OBJECTS)];
    if object_first {
        rest.reverse();
    }
    rest.iter().take(words - 1).for_each(|word| push(word));
    (4..words).for_each(|_| push(common(random, QUALIFIERS)));
    name
}

/// One of these, the first ones more often.
fn common<'l>(random: &mut Random, list: &[&'l str]) -> &'l str {
    let (one, other) = (random.below(list.len()), random.below(list.len()));
    list[one.min(other)]
}

/// One of these as often of 1,000 as is said, or nothing.
fn weighted(random: &mut Random, list: &[(&'static str, usize)]) -> &'static str {
    let mut drawn = random.below(1_000);
    for (text, weight) in list {
        match drawn.checked_sub(*weight) {
            Some(rest) => drawn = rest,
            None => return text,
        }
    }
    ""
}
