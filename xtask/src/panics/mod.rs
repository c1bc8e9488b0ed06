//! `cargo xtask panics`: a probe that calls every public function of the core links nothing that panics, allocates
//! or belongs to the standard library.

mod api;
mod probe;
mod reached;

use std::ffi::OsString;
use std::process::ExitCode;

use anyhow::Result;

/// The levels that code is released with; overflow is checked at each.
const LEVELS: [&str; 3] = ["s", "2", "3"];

/// Runs the task.
pub(crate) fn main(_: Vec<OsString>) -> ExitCode {
    crate::verdict("panics", check())
}

fn check() -> Result<Vec<String>> {
    let mut faults = Vec::new();
    for level in LEVELS {
        let linked = probe::link(level)?;
        let symbols = probe::symbols(&linked)?;
        let foreign = probe::foreign(&symbols);
        println!(
            "panics: opt-level {level}, overflow checked: {} symbols are linked, {} of them panic or are foreign",
            symbols.len(),
            foreign.len()
        );
        faults.extend(foreign.into_iter().map(|symbol| format!("opt-level {level} links {symbol}")));
    }
    // What is not inlined can be told apart.
    let reached = reached::functions(&probe::link("0")?)?;
    let api = api::functions()?;
    let missing = api.iter().filter(|function| !reached.iter().any(|place| function.holds(place)));
    let missing: Vec<_> = missing.map(|function| format!("the probe does not call {function}")).collect();
    println!("panics: of {} public functions the probe calls all but {}", api.len(), missing.len());
    faults.extend(missing);
    Ok(faults)
}
