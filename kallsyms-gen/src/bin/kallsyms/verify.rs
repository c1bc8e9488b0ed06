//! `kallsyms verify`.

use std::io::{Write, stdout};
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result};
use kallsyms_gen::embed::embedded;
use kallsyms_gen::input::Kind;
use kallsyms_gen::linux::write::own_symbols;
use kallsyms_gen::verify::{Mismatch, verify as compare, verify_linux};

use crate::NOT_FOUND;
use crate::cli::VerifyArgs;
use crate::files::{self, Given};

pub(crate) fn verify(args: &VerifyArgs) -> Result<ExitCode> {
    let name = || files::name(&args.image);
    let given = files::given(&args.image)?;
    let symbols = || -> Result<_> {
        let input = files::given(&args.input)?;
        Ok(files::symbols(&args.input, &input, &args.options.options())?.symbols)
    };
    let (symbols, answer) = match &given {
        Given::Tables(tables) => {
            let symbols = own_symbols(&symbols()?);
            let answer = verify_linux(tables, &symbols);
            (symbols, answer)
        }
        Given::File(file) => {
            let image = image_in(file, &args.image)?;
            let symbols = symbols()?;
            let answer = compare(image, &symbols);
            (symbols, answer)
        }
    };
    match answer {
        Ok(()) => {
            let count = symbols.list.len();
            writeln!(stdout(), "{}: all {count} symbols found by name and by address", name())?;
            Ok(ExitCode::SUCCESS)
        }
        Err(error @ (Mismatch::Unsound(_) | Mismatch::UnsoundLinux(_))) => Err(error).with_context(name),
        Err(mismatch) => {
            writeln!(stdout(), "{}: {mismatch}", name())?;
            Ok(ExitCode::from(NOT_FOUND))
        }
    }
}

/// The image that a file is or carries.
fn image_in<'f>(file: &'f [u8], path: &Path) -> Result<&'f [u8]> {
    let name = || files::name(path);
    match Kind::of(file) {
        Kind::Image => Ok(file),
        Kind::Elf => {
            embedded(file).with_context(name)?.with_context(|| format!("{}: carries no image", name()))
        }
        Kind::Text => anyhow::bail!(
            "{}: expected an image, an ELF file that carries one, or a folder of Linux's tables",
            name()
        ),
    }
}
