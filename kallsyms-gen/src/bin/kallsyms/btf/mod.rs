//! `kallsyms btf`.

mod args;
mod dump;
mod find;
mod open;
mod sort;
mod stat;
mod wanted;

use std::process::ExitCode;

use anyhow::Result;

pub(crate) use args::BtfArgs;
use args::BtfCommand;

pub(crate) fn btf(args: &BtfArgs) -> Result<ExitCode> {
    match &args.command {
        BtfCommand::Stat(args) => stat::stat(args),
        BtfCommand::Find(args) => find::find(args),
        BtfCommand::Dump(args) => dump::dump(args),
        BtfCommand::Sort(args) => sort::sort(args),
    }
}
