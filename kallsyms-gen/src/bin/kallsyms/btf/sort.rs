//! `kallsyms btf sort`.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result};
use kallsyms_gen::btf::{is_btf, sort as sorted};

use super::args::SortArgs;
use super::open;
use crate::{Usage, files, outputs, say};

pub(super) fn sort(args: &SortArgs) -> Result<ExitCode> {
    let name = open::name(&args.file.file);
    let outputs = [Some(&args.output), args.ext.as_ref()];
    if args.ext.as_ref() == Some(&args.output) {
        return Err(Usage("-o and --ext name the same file".into()).into());
    }
    for output in outputs.into_iter().flatten() {
        check(output, args.force)?;
    }
    let (new, count, has_ext, has_modules) = open::with_fitting(&args.file, |opened| {
        if args.ext.is_some() && opened.ext.is_none() {
            let place = opened.place;
            return Err(Usage(format!("{place}: has no .BTF.ext: leave out --ext")).into());
        }
        let ext = opened.ext.filter(|_| args.ext.is_some());
        let new = sorted(&opened.btf, ext).with_context(|| opened.place.to_owned())?;
        // What has a .BTF.ext is a program, which has no modules.
        let has_modules = opened.btf.base().is_none() && opened.ext.is_none();
        Ok((new, opened.btf.own_len(), opened.ext.is_some(), has_modules))
    })?;
    // Both are whole before one takes its place.
    let ext = args.ext.as_ref().zip(new.ext.as_ref());
    let ext = ext.map(|(path, ext)| outputs::stage(path, ext, None)).transpose()?;
    let types = outputs::stage(&args.output, &new.bytes, None)?;
    ext.map_or(Ok(()), outputs::Output::place)?;
    types.place()?;
    match new.moved {
        0 => say(format_args!("kallsyms: {name}: its {count} types are in order: written as they are")),
        moved => say(format_args!("kallsyms: {name}: {count} types, {moved} of them with a new number")),
    }
    if has_ext && args.ext.is_none() && new.moved != 0 {
        say(format_args!(
            "kallsyms: {name}: its .BTF.ext has the old numbers (--ext FILE writes one with the new)"
        ));
    }
    if has_modules && new.moved != 0 {
        say(format_args!(
            "kallsyms: {name}: where it is a kernel's, the BTF of its modules has the old numbers, and does not fit"
        ));
    }
    Ok(ExitCode::SUCCESS)
}

fn check(output: &Path, force: bool) -> Result<()> {
    let mut is_elf = false;
    let checked = outputs::check_output(output, force, "BTF", |old| {
        is_elf = old.starts_with(b"\x7fELF");
        is_btf(old)
    });
    if !is_elf {
        return checked;
    }
    let output = files::name(output);
    let said =
        format!("{output} is an ELF file, which BTF alone would replace: give another (--force replaces it)");
    Err(Usage(said).into())
}
