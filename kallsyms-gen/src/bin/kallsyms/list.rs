//! `kallsyms list`.

use std::io::{BufWriter, Write, stdout};
use std::process::ExitCode;

use anyhow::Result;

use crate::cli::SourceArgs;
use crate::{files, print};

pub(crate) fn list(args: &SourceArgs) -> Result<ExitCode> {
    let source = files::source(args)?;
    let image = source.image()?;
    let digits = usize::from(image.header().address_digits);
    let mut out = BufWriter::with_capacity(1 << 16, stdout().lock());
    for symbol in image.iter() {
        print::listing(&mut out, &symbol, digits)?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
