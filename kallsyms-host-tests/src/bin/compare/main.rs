//! `cargo compare [SOURCE] [--json FILE] [--svg FILE] [--quick]`: our table beside Linux's own and everything
//! else that could do the job, on one set of symbols, in one run.
//!
//! Every row is asked the same questions in the same random order, drawn once from a fixed seed; every answer is
//! compared with a plain one before anything is timed. The rows take turns within each round, so that a noisy
//! machine hits all alike; a figure is the lower quartile of many short chunks of thread CPU time.

mod answers;
mod args;
mod asker;
mod check;
mod cold;
mod instructions;
mod measure;
mod peer;
mod queries;
mod question;
mod report;
mod rows;
mod source;
mod stack_use;

use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::thread;

use args::Args;
use instructions::Instructions;
use kallsyms_host_tests::counting_alloc::CountingAlloc;
use kallsyms_host_tests::tools::Folder;
use report::targets::Kind;
use rows::Kept;

#[global_allocator]
static ALLOC: CountingAlloc = CountingAlloc;

fn main() -> ExitCode {
    match Args::parse(std::env::args_os().skip(1)).and_then(|args| run(&args)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("compare: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &Args) -> Result<(), String> {
    let source = source::open(args)?;
    for note in &source.notes {
        eprintln!("compare: {note}");
    }
    let queries = queries::Queries::draw(&source.symbols, args.quick)?;
    if let Some(tables) = &args.tables {
        return instructions::count(&source.symbols, &queries, tables, args.quick);
    }
    let tables = Folder::new();
    let (rows, left_out) = rows::build(&source.symbols, &Kept::To(tables.path().into()))?;
    for note in &left_out {
        eprintln!("compare: {note}");
    }
    eprintln!("compare: checking every answer of {} rows, and counting instructions", rows.len());
    // Neither is timed: they may share the machine.
    let (folder, quick) = (tables.path().to_owned(), args.quick);
    let counting = thread::spawn(move || Instructions::of_rows(&folder, quick));
    let answers = answers::Answers::new(&source.symbols);
    let check = check::Check::new(&answers, &queries);
    rows.iter().try_for_each(|row| check.row(row))?;
    let instructions = counting.join().unwrap_or_else(|_| Err("the count has panicked".into()));
    let instructions = instructions.unwrap_or_else(|reason| {
        eprintln!("compare: no instructions are counted: {reason}");
        Instructions::default()
    });
    eprintln!("compare: measuring");
    let results = measure::measure(&rows, &queries, args.quick);
    let report = report::Report {
        source: source.name,
        notes: source.notes.into_iter().chain(left_out).collect(),
        symbols: source.symbols.list.len(),
        names: queries.unique.len(),
        kind: Kind::of(source.symbols.list.iter().map(|symbol| symbol.name.as_slice())),
        machine: kallsyms_host_tests::machine::description(),
        load: fs::read_to_string("/proc/loadavg").map_or_else(|_| "?".into(), |load| load.trim().into()),
        quick: args.quick,
        patterns: queries.patterns.clone(),
        results,
        instructions,
    };
    print!("{}", report::table::text(&report));
    save(args.json.as_deref(), || report::json::text(&report))?;
    save(args.svg.as_deref(), || report::svg::text(&report))
}

fn save(path: Option<&Path>, text: impl FnOnce() -> String) -> Result<(), String> {
    let Some(path) = path else { return Ok(()) };
    fs::write(path, text()).map_err(|error| format!("{}: {error}", path.display()))
}
