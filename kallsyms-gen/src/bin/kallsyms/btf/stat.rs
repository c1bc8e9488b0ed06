//! `kallsyms btf stat`.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::io::{Write, stdout};
use std::process::ExitCode;

use anyhow::Result;
use kallsyms_core::btf::{Btf, Endian, Kind, SortedBtf, TypeId};

use super::args::FileArgs;
use super::open;

pub(super) fn stat(args: &FileArgs) -> Result<ExitCode> {
    let text = open::with(args, |opened| Ok(report(&opened.btf, opened.ext)))?;
    stdout().write_all(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

/// Facts, then the number of types of each kind.
fn report(btf: &Btf<'_>, ext: Option<&[u8]>) -> String {
    let mut text = String::new();
    let mut fact = |name: &str, value: String| {
        let _ = writeln!(text, "{name:<16} {value}");
    };
    let last = TypeId(btf.end_id().0 - 1);
    let range = if btf.own_len() == 0 { String::new() } else { format!(", {} to {last}", btf.start_id()) };
    fact("types", format!("{}{range}", btf.own_len()));
    fact("named", btf.named_len().to_string());
    fact("duplicates", duplicates(btf));
    fact("sorted", sorted(btf));
    fact("references", btf.check_references().map_or_else(|error| error.to_string(), |()| "sound".into()));
    fact(
        "base",
        match btf.base() {
            Some(base) => format!("{} types, {} bytes of strings", base.end_id().0 - 1, strings_len(base)),
            None => "none: it stands on its own".into(),
        },
    );
    let order = if btf.endian() == Endian::Little { "little" } else { "big" };
    fact("byte order", format!("{order}-endian"));
    fact("header", format!("{} bytes", header_word(btf, HDR_LEN).unwrap_or_default()));
    fact(
        "layout section",
        match header_word(btf, LAYOUT_LEN) {
            Some(len) if len > 0 => format!("{len} bytes, {} kinds", len / 4),
            _ => "none".into(),
        },
    );
    fact("type section", format!("{} bytes", btf.types_len()));
    fact("string section", format!("{} bytes", btf.strings_len()));
    fact(".BTF.ext", ext.map_or("none".into(), |ext| format!("{} bytes", ext.len())));
    fact("pointer", format!("{} bytes", btf.pointer_size()));

    let mut kinds: BTreeMap<u8, (Kind, u32)> = BTreeMap::new();
    for found in btf.types() {
        let kind = found.kind();
        kinds.entry(kind.number()).or_insert((kind, 0)).1 += 1;
    }
    let _ = writeln!(text, "\n{:<16} {:>10}", "kind", "types");
    for (kind, count) in kinds.values() {
        let _ = writeln!(text, "{:<16} {count:>10}", kind.to_string());
    }
    text
}

/// Names and kinds that more than one of the own types has.
fn duplicates(btf: &Btf<'_>) -> String {
    let mut counts: HashMap<(&[u8], Kind), u32> = HashMap::new();
    for found in btf.types().filter(|found| !found.name().is_empty()) {
        *counts.entry((found.name(), found.kind())).or_default() += 1;
    }
    match counts.values().filter(|&&count| count > 1).count() {
        0 => "none".into(),
        names => format!("{names} pairs of name and kind that more than one type has"),
    }
}

fn sorted(btf: &Btf<'_>) -> String {
    match SortedBtf::new(*btf) {
        Ok(_) => "yes, by name".into(),
        Err(unsorted) => format!("no: {unsorted}"),
    }
}

/// Those of all bases below too.
fn strings_len(btf: &Btf<'_>) -> usize {
    let mut len = 0;
    let mut layer = Some(btf);
    while let Some(btf) = layer {
        len += btf.strings_len();
        layer = btf.base();
    }
    len
}

/// Where the header has its own length, and that of the layout section.
const HDR_LEN: usize = 4;
const LAYOUT_LEN: usize = 28;

/// A word of the header, as far as it reaches.
fn header_word(btf: &Btf<'_>, at: usize) -> Option<u32> {
    let word = |at: usize| {
        let word = *btf.as_bytes().get(at..)?.first_chunk()?;
        Some(if btf.endian() == Endian::Little { u32::from_le_bytes(word) } else { u32::from_be_bytes(word) })
    };
    word(at).filter(|_| word(HDR_LEN).is_some_and(|len| len as usize >= at + 4))
}
