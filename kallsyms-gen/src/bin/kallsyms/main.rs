//! The `kallsyms` command.
//!
//! Exit codes: 0 done, 1 not found or not equal, 2 usage, 3 unreadable input or unwritable output, 101 a fault of
//! the command itself.

mod addr;
mod address;
mod bench_parse;
mod btf;
mod build;
mod cli;
mod decode;
mod embed;
mod extract;
mod files;
mod linux_args;
mod list;
mod lookup;
mod only;
mod outputs;
mod print;
mod progress;
mod resolve;
mod run;
mod selftest;
mod stats;
mod verify;

use std::io::{ErrorKind, Write, stderr};
use std::process::ExitCode;

use clap::Parser;
use cli::{Cli, Command};

/// A wish that cannot be carried out as it stands.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct Usage(String);

/// Not found, or not equal.
const NOT_FOUND: u8 = 1;
const USAGE: u8 = 2;
const UNREADABLE: u8 = 3;

fn main() -> ExitCode {
    std::panic::set_hook(Box::new(|panic| say(format_args!("{}", fault_of_ours(panic)))));
    let result = match Cli::parse().command {
        Command::Build(args) => build::build(&args),
        Command::Embed(args) => embed::embed(&args),
        Command::Extract(args) => extract::extract(&args),
        Command::List(args) => list::list(&args),
        Command::Lookup(args) => lookup::lookup(&args),
        Command::Addr(args) => addr::addr(&args),
        Command::Decode(args) => decode::decode(&args),
        Command::Stats(args) => stats::stats(&args),
        Command::Verify(args) => verify::verify(&args),
        Command::Resolve(args) => resolve::resolve(&args),
        Command::Selftest(args) => selftest::selftest(&args),
        Command::BenchParse(args) => bench_parse::bench_parse(&args),
        Command::Btf(args) => btf::btf(&args),
        Command::Run(args) => run::run(&args),
    };
    result.unwrap_or_else(|error| {
        if is_closed_pipe(&error) {
            return ExitCode::SUCCESS;
        }
        say(format_args!("kallsyms: {error:#}"));
        ExitCode::from(if error.is::<Usage>() { USAGE } else { UNREADABLE })
    })
}

/// What is said of a panic: no input is to cause one. The runtime then exits with 101, and files that have not
/// taken their place yet are removed.
fn fault_of_ours(panic: impl std::fmt::Display) -> String {
    format!(
        "kallsyms {}: {panic}\n\
         This is a fault of kallsyms and not of its input; no output was replaced. Please report these lines with the \
         command line and, if you can, the input.",
        env!("CARGO_PKG_VERSION")
    )
}

/// Writes a line to stderr, or to nobody if nobody listens.
fn say(line: std::fmt::Arguments<'_>) {
    let _ = writeln!(stderr(), "{line}");
}

/// Whether the reader of our output, as `head`, has seen enough.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<std::io::Error>().is_some_and(|error| error.kind() == ErrorKind::BrokenPipe)
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_panic_says_whose_fault_it_is() {
        let text = super::fault_of_ours("panicked at main.rs:1:1:\nno such place");
        let mut lines = text.lines();
        assert!(
            lines.next().is_some_and(|line| line.starts_with("kallsyms ") && line.ends_with("main.rs:1:1:"))
        );
        assert_eq!(lines.next(), Some("no such place"));
        assert!(lines.next().is_some_and(|line| line.contains("Please report")));
        assert_eq!(lines.next(), None);
    }
}
