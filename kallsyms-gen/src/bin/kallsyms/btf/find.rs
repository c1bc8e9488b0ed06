//! `kallsyms btf find`.

use std::io::{BufWriter, Write, stdout};
use std::process::ExitCode;

use anyhow::Result;
use kallsyms_gen::btf::raw;

use super::args::FindArgs;
use super::{open, wanted};
use crate::NOT_FOUND;

pub(super) fn find(args: &FindArgs) -> Result<ExitCode> {
    let kind = args.kind.kind;
    open::with_fitting(&args.file, |opened| {
        let mut out = BufWriter::new(stdout().lock());
        let mut code = ExitCode::SUCCESS;
        for name in &args.names {
            let mut is_found = false;
            for found in wanted::types(&opened.btf, name, kind) {
                raw::heading(&mut out, &found)?;
                out.write_all(b"\n")?;
                is_found = true;
            }
            if !is_found {
                out.flush()?;
                wanted::say_missing(&args.file.file, &opened.btf, name, kind);
                code = ExitCode::from(NOT_FOUND);
            }
        }
        out.flush()?;
        Ok(code)
    })
}
