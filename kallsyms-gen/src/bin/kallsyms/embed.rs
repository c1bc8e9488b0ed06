//! `kallsyms embed`.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result};
use kallsyms_gen::embed::{embed as fill, embedded, find};
use kallsyms_gen::input::Kind;

use crate::cli::{EmbedArgs, ImageArgs};
use crate::{files, outputs};

pub(crate) fn embed(args: &EmbedArgs) -> Result<ExitCode> {
    // The kernel itself, or what was written for it before.
    let force = args.force || is_same_file(&args.output, &args.elf);
    outputs::check_output(&args.output, force, "kernel with a table", has_table)?;
    let report = embed_into(&args.elf, &args.output, args.symbol.as_deref(), &args.image)?;
    crate::say(format_args!("{report}"));
    Ok(ExitCode::SUCCESS)
}

/// Whether a file is a kernel that carries a table already.
pub(crate) fn has_table(bytes: &[u8]) -> bool {
    Kind::of(bytes) == Kind::Elf && matches!(embedded(bytes), Ok(Some(_)))
}

fn is_same_file(a: &Path, b: &Path) -> bool {
    matches!((fs::canonicalize(a), fs::canonicalize(b)), (Ok(a), Ok(b)) if a == b)
}

/// Writes a copy of a kernel that carries its table; returns what to tell about it.
pub(crate) fn embed_into(
    elf: &Path,
    output: &Path,
    symbol: Option<&str>,
    args: &ImageArgs,
) -> Result<String> {
    let mut bytes = files::read(elf)?;
    if Kind::of(&bytes) != Kind::Elf {
        anyhow::bail!("{}: expected a linked ELF file", files::name(elf));
    }
    let reservation = find(&bytes, symbol).with_context(|| files::name(elf))?;
    let input = files::file_symbols(elf, &bytes, &args.input.options())?;
    let image = files::image(elf, &input.symbols, args.profile)?;
    fill(&mut bytes, &reservation, &image).with_context(|| files::name(elf))?;
    let permissions = fs::metadata(elf).with_context(|| files::name(elf))?.permissions();
    outputs::write(output, &bytes, Some(permissions))?;
    Ok(format!(
        "{}: {} symbols, {} of {} bytes reserved in `{}`",
        files::name(output),
        input.symbols.list.len(),
        image.len(),
        reservation.len,
        reservation.symbol
    ))
}
