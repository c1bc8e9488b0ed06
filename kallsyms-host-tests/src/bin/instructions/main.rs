//! `cargo xtask instructions`: counts the instructions of the core's queries over fixed tables, and compares them
//! with those that were recorded.

mod btf;
mod each;
mod growth;
mod label;
mod record;
mod symbols;
mod tables;

use std::path::Path;
use std::process::ExitCode;

use kallsyms_host_tests::tools::Folder;
use kallsyms_host_tests::{callgrind, machine};

use record::Record;

const USAGE: &str = "usage: cargo xtask instructions [--record] [--growth]
--record  keeps the counts as those that later ones are compared with
--growth  also counts a lookup among 1,500,000 symbols, which takes a minute to build";

/// Where the counts are kept.
const RECORD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/record/instructions.txt");

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let has = |option| arguments.contains(&option);
    let result = match arguments.as_slice() {
        // The process under Callgrind.
        ["--tables", folder] => tables::count(Path::new(folder)).map(|()| true),
        options if options.iter().all(|option| ["--record", "--growth"].contains(option)) => {
            run(has("--record"), has("--growth"))
        }
        _ => Err(USAGE.into()),
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("instructions: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Whether all is as it should be.
fn run(record: bool, all_growth: bool) -> Result<bool, String> {
    if let Err(reason) = callgrind::available() {
        eprintln!("instructions: SKIPPED: {reason}");
        return Ok(std::env::var_os("REQUIRE_VALGRIND").is_none_or(|value| value == "0"));
    }
    let folder = Folder::new();
    tables::build(folder.path(), growth::counts(all_growth))?;
    let counts = callgrind::run([Path::new("--tables"), folder.path()])?;
    let mut figures = label::figures(&counts)?;
    let grown = growth::take(&mut figures)?;

    let compiler = machine::compiler();
    let mut known = Record::read(Path::new(RECORD))?;
    println!("Instructions an answer ({}), {compiler}", tables::description());
    let is_well = if record {
        known.set(&compiler, &figures);
        known.write(Path::new(RECORD))?;
        println!("{}", record::table(&figures, Some(&figures)));
        println!("recorded in {RECORD}");
        true
    } else {
        let before = known.of(&compiler);
        println!("{}", record::table(&figures, before));
        match before {
            Some(before) => record::is_as_before(before, &figures),
            None => {
                let others = known.compilers().join(", ");
                println!("NOT COMPARED: the recorded counts are for another compiler ({others})");
                true
            }
        }
    };
    Ok(growth::is_small(&grown) && is_well)
}
