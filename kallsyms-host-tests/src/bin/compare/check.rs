//! Every answer of a row beside the plain one, before anything is timed.

use std::fmt::Debug;

use kallsyms_gen::symbols::Symbol;

use crate::answers::Answers;
use crate::peer::Text;
use crate::queries::Queries;
use crate::question::Question;
use crate::rows::Row;

pub(crate) fn check(row: &Row<'_>, answers: &Answers<'_>, queries: &Queries) -> Result<(), String> {
    Question::ALL.into_iter().filter(|question| row.peer.can(*question)).try_for_each(|question| {
        match question {
            Question::NameHit => names(row, answers, &queries.hits),
            Question::NameMiss => names(row, answers, &queries.misses),
            Question::Address | Question::AddressName | Question::AddressText => {
                addresses(row, answers, queries, question)
            }
            Question::Walk => walk(row, &answers.symbols.list),
            Question::Prefix | Question::Infix => matching(row, answers, queries, question),
            Question::Batch50 | Question::Batch3344 | Question::BatchAll => batch(row, answers, queries),
        }
        .map_err(|fault| format!("{}: {}: {fault}", row.key, question.key()))
    })
}

fn names(row: &Row<'_>, answers: &Answers<'_>, names: &[&str]) -> Result<(), String> {
    names.iter().try_for_each(|name| same(name, row.peer.by_name(name), answers.by_name(name)))
}

fn addresses(
    row: &Row<'_>,
    answers: &Answers<'_>,
    queries: &Queries,
    question: Question,
) -> Result<(), String> {
    let mut out = Text::new();
    let list = &answers.symbols.list;
    queries.addresses.iter().try_for_each(|&address| {
        let holders = answers.by_address(address);
        let offset = address - list[holders.start].address;
        let size = list[holders.end].address - list[holders.start].address;
        let may_be = if row.peer.any_alias() { holders } else { holders.start..holders.start + 1 };
        let names = list[may_be].iter().map(|symbol| str::from_utf8(&symbol.name).expect("UTF-8"));
        let found = match question {
            Question::Address => return same(&address, row.peer.offset(address), Some(offset)),
            Question::AddressName => {
                same(&address, row.peer.name(address, &mut out), Some(offset))?;
                names.map(str::to_owned).any(|name| name.as_bytes() == out.as_bytes())
            }
            _ => {
                row.peer.text(address, &mut out);
                names
                    .map(|name| format!("{name}+{offset:#x}/{size:#x}"))
                    .any(|text| text.as_bytes() == out.as_bytes())
            }
        };
        let wrong = || format!("{address:#x}: {}", out.as_bytes().escape_ascii());
        found.then_some(()).ok_or_else(wrong)
    })
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
        (None, 0) => Ok(()),
        (None, missing) => Err(format!("{missing} symbols are missing")),
    }
}

fn matching(
    row: &Row<'_>,
    answers: &Answers<'_>,
    queries: &Queries,
    question: Question,
) -> Result<(), String> {
    let [prefix, infix] = &queries.patterns;
    let first_only = row.peer.keeps_first_only();
    let (pattern, mut expected) = if question == Question::Prefix {
        (prefix, answers.matching(first_only, |name| name.starts_with(&prefix.prefix)))
    } else {
        let wanted = infix.text.trim_matches('*');
        (infix, answers.matching(first_only, |name| name.contains(wanted)))
    };
    let mut found = Vec::new();
    row.peer.matching(pattern, &mut |address| found.push(address));
    // Some go by name.
    found.sort_unstable();
    expected.sort_unstable();
    same(&pattern.text, found, expected)
}

fn batch(row: &Row<'_>, answers: &Answers<'_>, queries: &Queries) -> Result<(), String> {
    let mut out = vec![None; queries.unique.len()];
    for count in [50, 3_344, queries.unique.len()].map(|count| count.min(out.len())) {
        let names = &queries.unique[..count];
        row.peer.resolve(names, &mut out[..count]);
        names.iter().zip(&out).try_for_each(|(name, found)| same(name, *found, answers.by_name(name)))?;
    }
    Ok(())
}

fn same<T: PartialEq + Debug>(asked: &impl Debug, found: T, expected: T) -> Result<(), String> {
    if found == expected { Ok(()) } else { Err(format!("{asked:?}: {found:x?}, not {expected:x?}")) }
}
