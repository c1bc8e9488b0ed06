//! `kallsyms embed`.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result};
use kallsyms_gen::embed::{embed as fill, find};
use kallsyms_gen::input::Kind;

use crate::cli::{EmbedArgs, ImageArgs};
use crate::files;

pub(crate) fn embed(args: &EmbedArgs) -> Result<ExitCode> {
    // The kernel itself, or another one that has a table or room for it.
    let is_kernel = |old: &[u8]| Kind::of(old) == Kind::Elf && find(old, args.symbol.as_deref()).is_ok();
    let force = args.force || args.output == args.elf;
    files::check_output(&args.output, force, "kernel with a table", is_kernel)?;
    let report = embed_into(&args.elf, &args.output, args.symbol.as_deref(), &args.image)?;
    crate::say(format_args!("{report}"));
    Ok(ExitCode::SUCCESS)
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
    files::write(output, &bytes, Some(permissions))?;
    Ok(format!(
        "{}: {} symbols, {} of {} bytes reserved in `{}`",
        files::name(output),
        input.symbols.list.len(),
        image.len(),
        reservation.len,
        reservation.symbol
    ))
}
