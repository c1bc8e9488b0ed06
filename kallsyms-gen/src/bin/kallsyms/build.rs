//! `kallsyms build`.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result};
use kallsyms_gen::build::build_linux;
use kallsyms_gen::input::{Input, Kind};
use kallsyms_gen::linux::folder;
use kallsyms_gen::object_file::{Machine, is_object_file, object_file};

use crate::Usage;
use crate::cli::BuildArgs;
use crate::files::{self, Given};
use crate::linux_args::TableLayout;
use crate::outputs;

pub(crate) fn build(args: &BuildArgs) -> Result<ExitCode> {
    if args.layout == TableLayout::Native {
        build_image(args)?
    } else {
        build_folder(args)?
    }
    Ok(ExitCode::SUCCESS)
}

fn build_image(args: &BuildArgs) -> Result<()> {
    if args.linux.any() {
        return usage("options for Linux's tables need --layout linux or linux-offsets");
    }
    if args.object {
        outputs::check_output(&args.output, args.force, "object file with a table", is_object_file)?;
    } else {
        outputs::check_output(&args.output, args.force, "image", |old| Kind::of(old) == Kind::Image)?;
    }
    let given = files::given(&args.input)?;
    let input = files::symbols(&args.input, &given, &args.image.input.options())?;
    let image = files::image(&args.input, &input.symbols, args.image.profile)?;
    if args.object {
        let machine = match &given {
            Given::File(bytes) if Kind::of(bytes) == Kind::Elf => Machine::of(bytes),
            Given::File(_) | Given::Tables(_) => Ok(Machine::default()),
        };
        let object = machine.and_then(|machine| object_file(&image, machine));
        outputs::write(&args.output, &object.with_context(|| files::name(&args.input))?, None)?;
    } else {
        outputs::write(&args.output, &image, None)?;
    }
    report(&args.output, input.symbols.list.len(), image.len());
    Ok(())
}

fn build_folder(args: &BuildArgs) -> Result<()> {
    if args.object {
        return usage("--object writes an image: leave out --layout");
    }
    if let Some(useless) = args.linux.useless(args.layout) {
        return usage(useless);
    }
    outputs::check_folder(&args.output, args.force)?;
    let given = files::given(&args.input)?;
    let Input { symbols, .. } = files::symbols(&args.input, &given, &args.image.input.options())?;
    let in_modules = symbols.list.iter().filter(|symbol| symbol.module.is_some()).count();
    if in_modules > 0 {
        let name = files::name(&args.input);
        crate::say(format_args!(
            "kallsyms: {name}: {in_modules} symbols of modules left out: Linux's tables hold none"
        ));
    }
    let options = args.linux.options(args.layout, symbols.address_digits);
    let mut tables = build_linux(&symbols, &options).with_context(|| files::name(&args.input))?;
    if let Given::Tables(from) = given {
        tables.facts = from.facts;
    }
    folder::write(&tables, &args.output)?;
    report(&args.output, tables.num_syms as usize, tables.len());
    Ok(())
}

fn report(output: &Path, symbols: usize, bytes: usize) {
    let a_symbol = bytes as f64 / symbols as f64;
    let output = files::name(output);
    crate::say(format_args!("{output}: {symbols} symbols, {bytes} bytes, {a_symbol:.2} a symbol"));
}

fn usage(what: &str) -> Result<()> {
    Err(Usage(what.into()).into())
}
