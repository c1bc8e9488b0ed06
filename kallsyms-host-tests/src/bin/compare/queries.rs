//! What is asked, drawn once from a fixed seed.

use std::collections::HashSet;

use kallsyms_core::linux::Bounds;
use kallsyms_gen::symbols::{Symbol, Symbols};
use kallsyms_host_tests::random::Random;

use crate::peer::Pattern;

/// Questions of one kind that a chunk asks: enough that the one before it has brought the row's table into the
/// caches.
pub(crate) const CHUNK: usize = 4_000;

/// Chunks that there are at least, so that those of a small table differ.
pub(crate) const LEAST_CHUNKS: usize = 2;
const LEAST: usize = LEAST_CHUNKS * CHUNK;

/// So many at most: the rounds do not come to more.
const MOST: usize = 44 * CHUNK;
const MOST_QUICK: usize = 5 * CHUNK;

/// The names lie one behind the other in the order in which they are asked for.
#[derive(Debug)]
pub(crate) struct Queries {
    /// Names of the table.
    pub(crate) hits: Vec<&'static str>,
    /// Names that differ from one in a character.
    pub(crate) misses: Vec<&'static str>,
    /// Every name once.
    pub(crate) unique: Vec<&'static str>,
    /// Addresses within symbols whose end is known.
    pub(crate) addresses: Vec<u64>,
    /// A prefix, and an infix.
    pub(crate) patterns: [Pattern; 2],
}

impl Queries {
    pub(crate) fn draw(symbols: &Symbols, quick: bool) -> Result<Self, String> {
        let most = if quick { MOST_QUICK } else { MOST };
        let names: Vec<&str> =
            symbols.list.iter().filter_map(|symbol| str::from_utf8(&symbol.name).ok()).collect();
        let known: HashSet<&str> = names.iter().copied().collect();
        let mut random = Random::new(0x9e37_79b9_7f4a_7c15);
        let mut unique: Vec<&str> = known.iter().copied().collect();
        unique.sort_unstable();
        let patterns = patterns(&unique)?;
        random.shuffle(&mut unique);
        let mut hits: Vec<&str> = names.iter().copied().cycle().take(names.len().max(LEAST)).collect();
        random.shuffle(&mut hits);
        hits.truncate(most);
        let misses: Vec<String> = hits.iter().map(|name| random.misspelt(name, &known)).collect();
        let misses: Vec<&str> = misses.iter().map(String::as_str).collect();
        let mut addresses = addresses(&symbols.list, &mut random);
        addresses.truncate(most);
        if addresses.is_empty() {
            return Err("no symbol has an end: there are no addresses to ask for".into());
        }
        Ok(Self {
            hits: packed(&hits),
            misses: packed(&misses),
            unique: packed(&unique),
            addresses,
            patterns,
        })
    }
}

/// The names in one piece of memory, which lives as long as the program.
fn packed(names: &[&str]) -> Vec<&'static str> {
    let mut rest: &'static str = names.concat().leak();
    let cut = |name: &&str| {
        let (head, tail) = rest.split_at(name.len());
        rest = tail;
        head
    };
    names.iter().map(cut).collect()
}

/// One within each symbol that the kernel's gate lets through and that another one ends.
fn addresses(list: &[Symbol], random: &mut Random) -> Vec<u64> {
    let find = |name: &str| list.iter().find(|symbol| symbol.name == name.as_bytes());
    let bounds = Bounds::find(|name| find(name).map(|symbol| symbol.address));
    // What stands below the code is a constant, and its end not known.
    let base = list.iter().find(|symbol| !symbol.kind.eq_ignore_ascii_case(&b'a'));
    let base = base.map_or(0, |symbol| symbol.address);
    let starts = list.iter().map(|symbol| symbol.address).filter(|start| *start >= base);
    let mut starts: Vec<u64> = starts.collect();
    starts.dedup();
    let mut addresses: Vec<u64> = starts
        .windows(2)
        .map(|pair| pair[0] + random.next() % (pair[1] - pair[0]))
        .filter(|address| bounds.is_none_or(|bounds| bounds.contain(*address)))
        .collect();
    let asked = if addresses.is_empty() { 0 } else { addresses.len().max(LEAST) };
    addresses = addresses.iter().copied().cycle().take(asked).collect();
    random.shuffle(&mut addresses);
    addresses
}

/// The first letters of a name in the middle of the sorted names; `lock`, or some letters of the same name.
fn patterns(sorted: &[&str]) -> Result<[Pattern; 2], String> {
    const LEN: usize = 4;
    let plain = |name: &&&str| {
        name.len() >= 2 * LEN && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    let behind = &sorted[sorted.len() / 2..];
    let name = behind.iter().find(plain).or_else(|| sorted.iter().find(plain));
    let name = name.ok_or("no name is made of letters alone: there is no pattern to ask for")?;
    let infix = if sorted.iter().any(|name| name.contains("lock")) { "lock" } else { &name[LEN..2 * LEN] };
    let prefix = &name[..LEN];
    Ok([
        Pattern { text: format!("{prefix}*"), prefix: prefix.into() },
        Pattern { text: format!("*{infix}*"), prefix: String::new() },
    ])
}
