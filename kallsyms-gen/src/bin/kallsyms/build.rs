//! `kallsyms build`.

use std::process::ExitCode;

use anyhow::{Context, Result};
use kallsyms_gen::input::Kind;
use kallsyms_gen::object_file::{Machine, object_file};

use crate::cli::BuildArgs;
use crate::files;

pub(crate) fn build(args: &BuildArgs) -> Result<ExitCode> {
    let (wanted, kind) = if args.object { ("ELF file", Kind::Elf) } else { ("image", Kind::Image) };
    files::check_output(&args.output, args.force, wanted, |old| Kind::of(old) == kind)?;
    let bytes = files::read(&args.input)?;
    let (input, image) = files::image(&args.input, &bytes, &args.image)?;
    let symbols = input.symbols.list.len();
    if args.object {
        let machine = match Kind::of(&bytes) {
            Kind::Elf => Machine::of(&bytes),
            Kind::Image | Kind::Text => Ok(Machine::default()),
        };
        let object = machine.and_then(|machine| object_file(&image, machine));
        files::write(&args.output, &object.with_context(|| files::name(&args.input))?, None)?;
    } else {
        files::write(&args.output, &image, None)?;
    }
    let a_symbol = image.len() as f64 / symbols as f64;
    let output = files::name(&args.output);
    crate::say(format_args!("{output}: {symbols} symbols, {} bytes, {a_symbol:.2} a symbol", image.len()));
    Ok(ExitCode::SUCCESS)
}
