//! `kallsyms btf dump`.

use std::io::{BufWriter, Write, stdout};
use std::process::ExitCode;

use anyhow::Result;
use kallsyms_core::btf::Find;
use kallsyms_gen::btf::raw;

use super::args::DumpArgs;
use super::open;
use crate::NOT_FOUND;

pub(super) fn dump(args: &DumpArgs) -> Result<ExitCode> {
    open::with(&args.file, |opened| {
        let mut out = BufWriter::new(stdout().lock());
        let code = match &args.name {
            None => {
                opened.btf.types().try_for_each(|found| raw::lines(&mut out, &found))?;
                ExitCode::SUCCESS
            }
            Some(name) => {
                let mut code = ExitCode::from(NOT_FOUND);
                for found in opened.btf.find_all(name.as_encoded_bytes()) {
                    writeln!(out, "{};", found.declaration())?;
                    code = ExitCode::SUCCESS;
                }
                code
            }
        };
        out.flush()?;
        Ok(code)
    })
}
