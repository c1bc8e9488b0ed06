//! `kallsyms verify`.

use std::io::{Write, stdout};
use std::process::ExitCode;

use anyhow::{Context, Result};
use kallsyms_gen::embed::embedded;
use kallsyms_gen::input::Kind;
use kallsyms_gen::verify::{Mismatch, verify as compare};

use crate::cli::VerifyArgs;
use crate::{NOT_FOUND, files};

pub(crate) fn verify(args: &VerifyArgs) -> Result<ExitCode> {
    let name = || files::name(&args.image);
    let file = files::read(&args.image)?;
    let image = match Kind::of(&file) {
        Kind::Image => file.as_slice(),
        Kind::Elf => {
            embedded(&file).with_context(name)?.with_context(|| format!("{}: carries no image", name()))?
        }
        Kind::Text => anyhow::bail!("{}: expected an image, or an ELF file that carries one", name()),
    };
    let input = files::symbols(&args.input, &files::given(&args.input)?, &args.options.options())?;
    match compare(image, &input.symbols) {
        Ok(()) => {
            writeln!(
                stdout(),
                "{}: all {} symbols found by name and by address",
                name(),
                input.symbols.list.len()
            )?;
            Ok(ExitCode::SUCCESS)
        }
        Err(Mismatch::Unsound(error)) => Err(Mismatch::Unsound(error)).with_context(name),
        Err(mismatch) => {
            writeln!(stdout(), "{}: {mismatch}", name())?;
            Ok(ExitCode::from(NOT_FOUND))
        }
    }
}
