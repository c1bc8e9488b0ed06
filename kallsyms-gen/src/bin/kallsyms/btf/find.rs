//! `kallsyms btf find`.

use std::io::{BufWriter, Write, stdout};
use std::process::ExitCode;

use anyhow::Result;
use kallsyms_core::btf::Find;
use kallsyms_gen::btf::raw;

use super::args::FindArgs;
use super::open;
use crate::NOT_FOUND;

pub(super) fn find(args: &FindArgs) -> Result<ExitCode> {
    open::with(&args.file, |opened| {
        let mut out = BufWriter::new(stdout().lock());
        let mut code = ExitCode::from(NOT_FOUND);
        let named = opened.btf.find_all(args.name.as_encoded_bytes());
        for found in named.filter(|found| args.kind.kind.is_none_or(|kind| kind == found.kind())) {
            raw::heading(&mut out, &found)?;
            out.write_all(b"\n")?;
            code = ExitCode::SUCCESS;
        }
        out.flush()?;
        Ok(code)
    })
}
