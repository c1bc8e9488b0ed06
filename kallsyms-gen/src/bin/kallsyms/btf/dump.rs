//! `kallsyms btf dump`.

use std::io::{BufWriter, Write, stdout};
use std::process::ExitCode;

use anyhow::Result;
use kallsyms_core::btf::{Btf, Kind, TypeId};
use kallsyms_gen::btf::raw;

use super::args::DumpArgs;
use super::{open, wanted};
use crate::{NOT_FOUND, say};

pub(super) fn dump(args: &DumpArgs) -> Result<ExitCode> {
    open::with_fitting(&args.file, |opened| {
        let mut out = BufWriter::new(stdout().lock());
        let is_found = print(&mut out, &opened.btf, args)?;
        out.flush()?;
        if is_found {
            return Ok(ExitCode::SUCCESS);
        }
        say_missing(&opened.btf, args);
        Ok(ExitCode::from(NOT_FOUND))
    })
}

/// Prints what is wanted; tells whether there is any of it.
fn print(out: &mut impl Write, btf: &Btf<'_>, args: &DumpArgs) -> Result<bool> {
    let kind = args.kind.kind;
    let mut is_found = false;
    if let Some(id) = args.id {
        if let Some(found) = btf.type_by_id(TypeId(id)) {
            writeln!(out, "{};", found.declaration())?;
            is_found = true;
        }
    } else if let Some(name) = &args.name {
        for found in wanted::types(btf, name, kind) {
            writeln!(out, "{};", found.declaration())?;
            is_found = true;
        }
    } else {
        // All types of BTF without any are printed too.
        is_found = kind.is_none();
        let void = btf.type_by_id(TypeId::VOID).filter(|_| kind == Some(Kind::Void));
        let all = btf.types().filter(|found| kind.is_none_or(|kind| kind == found.kind()));
        for found in void.into_iter().chain(all) {
            raw::lines(out, &found)?;
            is_found = true;
        }
    }
    Ok(is_found)
}

fn say_missing(btf: &Btf<'_>, args: &DumpArgs) {
    let file = &args.file.file;
    if let Some(name) = &args.name {
        return wanted::say_missing(file, btf, name, args.kind.kind);
    }
    let file = open::name(file);
    if let Some(id) = args.id {
        let last = btf.end_id().0 - 1;
        say(format_args!("kallsyms: {file}: no type {id}: the last one is {last}"));
    } else if let Some(kind) = args.kind.kind {
        say(format_args!("kallsyms: {file}: no {kind}"));
    }
}
