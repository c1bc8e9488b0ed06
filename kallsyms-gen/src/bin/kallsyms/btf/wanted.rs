//! The types that a name and a kind mean, and what is said where there are none.

use std::ffi::OsStr;
use std::path::Path;

use kallsyms_core::btf::{Btf, Find, Kind, Type, TypeId};

use super::open;
use crate::say;

/// The types of a name, of one kind or of all; `void`, and any name of that kind, is type 0.
pub(super) fn types<'t>(
    btf: &'t Btf<'_>,
    name: &'t OsStr,
    kind: Option<Kind>,
) -> impl Iterator<Item = Type<'t>> {
    let name = name.as_encoded_bytes();
    let is_void = name == b"void" || kind == Some(Kind::Void);
    let void = btf.type_by_id(TypeId::VOID).filter(|_| is_void);
    void.into_iter()
        .chain(btf.find_all(name).filter(move |found| kind.is_none_or(|kind| kind == found.kind())))
}

/// Says that a file has no type of a name and a kind, and what it has, or what a name is.
pub(super) fn say_missing(file: &Path, btf: &Btf<'_>, name: &OsStr, kind: Option<Kind>) {
    let what = kind.map_or("type".into(), |kind| kind.to_string());
    let hint = others(btf, name).or_else(|| bare(name)).unwrap_or_default();
    say(format_args!("kallsyms: {}: no {what} '{}'{hint}", open::name(file), name.display()));
}

/// The kinds that a name has.
fn others(btf: &Btf<'_>, name: &OsStr) -> Option<String> {
    let mut kinds: Vec<Kind> = Vec::new();
    for kind in types(btf, name, None).map(|found| found.kind()) {
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    let named: Vec<_> = kinds.into_iter().map(with_article).collect();
    let (last, rest) = named.split_last()?;
    Some(if rest.is_empty() {
        format!(", but {last}")
    } else {
        format!(", but {} and {last}", rest.join(", "))
    })
}

fn with_article(kind: Kind) -> String {
    let kind = kind.to_string();
    let article = if kind.starts_with(['A', 'E', 'I']) { "an" } else { "a" };
    format!("{article} {kind}")
}

/// How a type is asked for whose name was given as C has it.
fn bare(name: &OsStr) -> Option<String> {
    let (keyword, name) = name.to_str()?.split_once(' ')?;
    let is_keyword = ["struct", "union", "enum"].contains(&keyword);
    is_keyword.then(|| format!(": give the name alone: '{}' --kind {keyword}", name.trim()))
}
