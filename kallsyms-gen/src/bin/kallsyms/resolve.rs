//! `kallsyms resolve`.

use std::io::{self, BufWriter, Write, stdin, stdout};
use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;
use kallsyms_core::Symbol;
use kallsyms_core::glob::Glob;
use kallsyms_core::table::{Layout, Table};
use kallsyms_gen::source::AnyTable;

use crate::cli::ResolveArgs;
use crate::only::Only;
use crate::{NOT_FOUND, Usage, files, print, say};

pub(crate) fn resolve(args: &ResolveArgs) -> Result<ExitCode> {
    let stdin = Path::new(files::STANDARD);
    let from_stdin =
        args.patterns.iter().map(Path::new).chain(args.only.as_deref()).chain([&*args.source.source]);
    if from_stdin.filter(|path| *path == stdin).count() > 1 {
        return Err(Usage("stdin (-) can be read once: give a file for the others".into()).into());
    }
    let patterns = patterns(args)?;
    let only = args.only.as_deref().map(files::read).transpose()?;
    let only = only.as_deref().zip(args.only.as_deref());
    let only = only.map(|(bytes, path)| Only::read(path, bytes)).transpose()?;
    let source = files::source(&args.source)?;
    match source.table()? {
        AnyTable::Image(table) => resolve_patterns(&table, args, &patterns, only.as_ref()),
        AnyTable::Linux(table, _) => resolve_patterns(&table, args, &patterns, only.as_ref()),
    }
}

/// The patterns of the command line; `-` stands for those of stdin, one a line.
fn patterns(args: &ResolveArgs) -> io::Result<Vec<Vec<u8>>> {
    let mut patterns = Vec::new();
    for pattern in &args.patterns {
        if pattern != files::STANDARD {
            patterns.push(pattern.as_encoded_bytes().to_vec());
            continue;
        }
        let mut text = Vec::new();
        io::Read::read_to_end(&mut stdin().lock(), &mut text)?;
        let lines = text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        patterns.extend(lines.map(<[u8]>::to_vec));
    }
    Ok(patterns)
}

fn resolve_patterns<L: Layout>(
    table: &Table<L>,
    args: &ResolveArgs,
    patterns: &[Vec<u8>],
    only: Option<&Only<'_>>,
) -> Result<ExitCode> {
    let only = only.map(|only| only.of_table(table));
    let acceptable = |symbol: Symbol<'_, L>| only.as_ref().is_none_or(|only| only.accepts(&symbol));
    let globs: Vec<Glob<'_>> = patterns.iter().map(|pattern| args.glob(pattern)).collect();
    let names: Vec<&[u8]> = globs.iter().filter_map(Glob::literal).collect();
    let mut addresses = vec![None; names.len()];
    table.resolve_with(&names, &mut addresses, acceptable);

    let mut out = BufWriter::new(stdout().lock());
    let mut addresses = addresses.into_iter();
    let mut code = ExitCode::SUCCESS;
    for glob in globs {
        let mut found = false;
        if let Some(name) = glob.literal() {
            if let Some(address) = addresses.next().flatten() {
                print::address_and_name(&mut out, address, name)?;
                found = true;
            }
        } else {
            for symbol in table.matching(glob).filter(|&symbol| acceptable(symbol)) {
                print::address_and_symbol(&mut out, &symbol)?;
                found = true;
            }
        }
        if !found {
            out.flush()?;
            miss(table, args, glob);
            code = ExitCode::from(NOT_FOUND);
        }
    }
    out.flush()?;
    Ok(code)
}

/// Says what was not found, and whether it was only not acceptable.
fn miss<L: Layout>(table: &Table<L>, args: &ResolveArgs, glob: Glob<'_>) {
    let source = files::name(&args.source.source);
    let pattern = glob.pattern().escape_ascii();
    if let Some(only) = &args.only
        && let unacceptable @ 1.. = table.matching(glob).count()
    {
        let only = files::name(only);
        say(format_args!(
            "kallsyms: {source}: `{pattern}`: {unacceptable} found, none of them in {only} (modules are compared too)"
        ));
    } else {
        say(format_args!("kallsyms: {source}: no symbol `{pattern}`"));
    }
}
