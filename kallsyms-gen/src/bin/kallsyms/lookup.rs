//! `kallsyms lookup`.

use std::io::{BufWriter, Write, stdout};
use std::process::ExitCode;

use anyhow::Result;
use kallsyms_core::table::{Layout, Table};
use kallsyms_gen::source::AnyTable;

use crate::cli::LookupArgs;
use crate::{NOT_FOUND, files, print, say};

/// Digits of an address, whatever the table's listing has.
const DIGITS: usize = 16;

pub(crate) fn lookup(args: &LookupArgs) -> Result<ExitCode> {
    let source = files::source(&args.source)?;
    match source.table()? {
        AnyTable::Image(table) => lookup_names(&table, args),
        AnyTable::Linux(table, _) => lookup_names(&table, args),
    }
}

fn lookup_names<L: Layout>(table: &Table<L>, args: &LookupArgs) -> Result<ExitCode> {
    let mut out = BufWriter::new(stdout().lock());
    let mut code = ExitCode::SUCCESS;
    for name in &args.names {
        let mut found = false;
        for symbol in table.lookup_all(name.as_encoded_bytes()) {
            print::symbol(&mut out, &symbol, DIGITS)?;
            out.write_all(b"\n")?;
            found = true;
        }
        if !found {
            out.flush()?;
            let source = files::name(&args.source.source);
            let hint = if name.as_encoded_bytes().iter().any(|byte| b"*?[".contains(byte)) {
                " (patterns are for kallsyms resolve)"
            } else {
                ""
            };
            say(format_args!("kallsyms: {source}: no symbol `{}`{hint}", name.display()));
            code = ExitCode::from(NOT_FOUND);
        }
    }
    out.flush()?;
    Ok(code)
}
