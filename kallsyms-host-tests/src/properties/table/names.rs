//! Questions by name.

use kallsyms_core::Symbol;
use kallsyms_core::glob::Glob;
use kallsyms_core::query::Way;
use kallsyms_core::table::{Layout, Table};

use super::Contents;
use super::known::Known;
use crate::random::Random;

/// Names of the table that are asked for.
const ASKED: usize = 4;

/// Bytes of a pattern.
const MAX_ENDING: usize = 32;

pub(super) fn check<L: Layout>(table: &Table<L>, known: &Known, random: &mut Random, contents: Contents) {
    let is_sound = known.is_whole && table.self_test(&mut [0; 4096], || 0).is_ok();
    let names = wanted(known, random);
    for name in &names {
        let found = found_by_name(table, name, contents);
        if is_sound && contents == Contents::Checked && !name.is_empty() {
            assert_eq!(found, known.matching(|other| other == name), "{}", name.escape_ascii());
        }
    }
    for name in names.iter().step_by(3).filter(|_| known.is_whole) {
        walked_by_name(table, known, name);
    }
    let names: Vec<&[u8]> = names.iter().map(Vec::as_slice).collect();
    for accept in [|_| true, |index: u32| index % 2 == 1] {
        batch(table, known, &names, accept);
    }
}

/// Names of the table, others that differ from them in one place, and some that are never there.
fn wanted(known: &Known, random: &mut Random) -> Vec<Vec<u8>> {
    let fixed: [&[u8]; 4] = [b"", b"\0", b"foo.llvm.1", b"\xff"];
    let mut wanted = fixed.map(<[u8]>::to_vec).to_vec();
    for _ in 0..ASKED.min(known.symbols.len()) {
        let mut name = random.one_of(&known.symbols).name.clone();
        wanted.push(name.clone());
        match random.below(4) {
            0 => drop(name.pop()),
            1 => name.push(b'1'),
            2 => name.extend(b".llvm.1"),
            _ if name.is_empty() => {}
            _ => {
                let at = random.below(name.len());
                name[at] ^= 1;
            }
        }
        wanted.push(name);
    }
    wanted
}

fn indices<'t, L: Layout + 't>(symbols: impl Iterator<Item = Symbol<'t, L>>) -> Vec<u32> {
    symbols.map(|symbol| symbol.index().0).collect()
}

fn found_by_name<L: Layout>(table: &Table<L>, name: &[u8], contents: Contents) -> Vec<u32> {
    let found: Vec<_> = table.lookup_all(name).collect();
    // Links are believed.
    let named = if contents == Contents::Checked { found.len() } else { 1 };
    assert!(found.iter().take(named).all(|symbol| symbol.name() == *name), "{}", name.escape_ascii());
    let found = indices(found.into_iter());
    assert!(found.iter().all(|index| *index < table.len()) && found.len() <= table.len() as usize);
    let first = table.lookup_name(name);
    assert_eq!(first.map(|symbol| symbol.index().0), found.first().copied());
    // A pattern without wildcards is a name.
    let glob = Glob::libbpf(name);
    if glob.literal().is_some() {
        assert_eq!(indices(table.matching(glob)), found);
    }
    if let Some(symbol) = table.lookup_name_ignoring_llvm(name) {
        let stem_of = |name: &[u8]| {
            let end = name.len() - name.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
            let stem = name[..end].strip_suffix(b".llvm.").filter(|_| end < name.len());
            stem.unwrap_or(name).to_vec()
        };
        let found: Vec<u8> = symbol.name().bytes().collect();
        assert!(found == name || stem_of(&found) == stem_of(name), "{}", found.escape_ascii());
    }
    found
}

fn walked_by_name<L: Layout>(table: &Table<L>, known: &Known, name: &[u8]) {
    let prefix = &name[..name.len().div_ceil(2)];
    for prefix in [prefix, name] {
        assert_eq!(indices(table.starting_with(prefix)), known.matching(|name| name.starts_with(prefix)));
    }
    // A pattern takes its bytes × those of each name.
    let ending = [b"*", &name[(name.len() / 2).max(name.len().saturating_sub(MAX_ENDING))..]].concat();
    for glob in [Glob::kernel(&ending), Glob::libbpf(&ending)] {
        assert_eq!(indices(table.matching(glob)), known.matching(|name| glob.matches([name])));
    }
}

fn batch<L: Layout>(table: &Table<L>, known: &Known, names: &[&[u8]], accept: fn(u32) -> bool) {
    let accepted = |symbol: Symbol<'_, L>| accept(symbol.index().0);
    let one_by_one: Vec<Option<u64>> = names
        .iter()
        .map(|name| table.lookup_all(name).find(|symbol| accepted(*symbol)).map(|symbol| symbol.address()))
        .collect();
    let mut out = vec![None; names.len() + 1];
    let found = table.resolve_by(Way::Lookups, names, &mut out, accepted);
    assert_eq!(out[..names.len()], one_by_one);
    assert_eq!((found, out[names.len()]), (one_by_one.iter().flatten().count(), None));
    if known.is_whole {
        let walked = |name: &&[u8]| {
            let found = known.matching(|other| other == *name && !name.is_empty());
            let first = found.into_iter().find(|index| accept(*index))?;
            Some(known.symbols[first as usize].address)
        };
        let expected: Vec<Option<u64>> = names.iter().map(walked).collect();
        let mut out = vec![None; names.len()];
        let found = table.resolve_by(Way::Pass, names, &mut out, accepted);
        assert_eq!(out, expected);
        assert_eq!(found, expected.iter().flatten().count());
    }
}
