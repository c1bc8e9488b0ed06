//! `kallsyms list`.

use std::io::{self, BufWriter, Write, stdout};
use std::process::ExitCode;

use anyhow::Result;
use kallsyms_core::table::{Layout, Table};
use kallsyms_gen::source::AnyTable;

use crate::cli::SourceArgs;
use crate::{files, print};

pub(crate) fn list(args: &SourceArgs) -> Result<ExitCode> {
    let source = files::source(args)?;
    match source.table()? {
        AnyTable::Image(table) => list_table(&table)?,
        AnyTable::Linux(table, _) => list_table(&table)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints every symbol of a table.
pub(crate) fn list_table<L: Layout>(table: &Table<L>) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(1 << 16, stdout().lock());
    for symbol in table {
        print::listing(&mut out, &symbol, table.address_digits())?;
    }
    out.flush()
}
