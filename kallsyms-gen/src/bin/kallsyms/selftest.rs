//! `kallsyms selftest`.

use std::io::{Write, stdout};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::Result;
use kallsyms_core::image::layout::MAX_NAME;
use kallsyms_core::query::{Fault, SelfTest};
use kallsyms_core::table::{Layout, Table};
use kallsyms_gen::source::AnyTable;

use crate::cli::TrainedSourceArgs;
use crate::{NOT_FOUND, files, say};

pub(crate) fn selftest(args: &TrainedSourceArgs) -> Result<ExitCode> {
    let source = files::trained_source(args)?;
    let result = match source.table()? {
        AnyTable::Image(table) => test(&table),
        AnyTable::Linux(table, _) => test(&table),
    };
    match result {
        Ok(report) => {
            stdout().write_all(text(&report).as_bytes())?;
            Ok(ExitCode::SUCCESS)
        }
        Err(fault) => {
            say(format_args!("kallsyms: {}: {fault}", files::name(&args.source)));
            Ok(ExitCode::from(NOT_FOUND))
        }
    }
}

fn test<L: Layout>(table: &Table<L>) -> Result<SelfTest, Fault> {
    let start = Instant::now();
    let nanoseconds = || u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX);
    table.self_test(&mut vec![0; MAX_NAME], nanoseconds)
}

fn text(report: &SelfTest) -> String {
    let SelfTest { symbols, beyond_gate, expanded, stored, lookup, walk } = *report;
    let ratio = report.ratio();
    let by_address = symbols - beyond_gate;
    format!(
        "symbols          {symbols}\n\
         found by name    {symbols}\n\
         found by address {by_address} ({beyond_gate} lie outside the kernel, where it asks for none)\n\
         names            {expanded} bytes, {stored} in the table with what decodes them: {}.{:02} %\n\
         lookup           min {} ns, mean {} ns, max {} ns\n\
         walk             {walk} ns, {} ns a symbol\n",
        ratio / 100,
        ratio % 100,
        lookup.min,
        lookup.mean(),
        lookup.max,
        walk / u64::from(symbols.max(1)),
    )
}
