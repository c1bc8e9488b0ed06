//! `kallsyms btf dump`.

use std::io::{BufWriter, Write, stdout};
use std::process::ExitCode;

use anyhow::Result;
use kallsyms_gen::btf::raw;

use super::args::DumpArgs;
use super::{open, wanted};
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
                for found in wanted::types(&opened.btf, name, None) {
                    writeln!(out, "{};", found.declaration())?;
                    code = ExitCode::SUCCESS;
                }
                if code != ExitCode::SUCCESS {
                    wanted::say_missing(&args.file.file, &opened.btf, name, None);
                }
                code
            }
        };
        out.flush()?;
        Ok(code)
    })
}
