//! Files that are read, with their names in every message.

use std::path::Path;

use anyhow::{Context, Result};
use kallsyms_gen::build::{BuildError, build, build_untrained};
use kallsyms_gen::extract;
use kallsyms_gen::file;
use kallsyms_gen::input::{self, Input, LeftOut, Options};
use kallsyms_gen::linux::{Tables, folder};
use kallsyms_gen::source::{Origin, Source};
use kallsyms_gen::symbols::Symbols;

use crate::cli::{Profile, SourceArgs, TrainedSourceArgs};
use crate::progress::Progress;

/// Reads a file, `-` is stdin.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>> {
    if path == Path::new(STANDARD) {
        return file::read_from(std::io::stdin().lock()).context("stdin");
    }
    file::read(path).with_context(|| name(path))
}

/// The path that stands for stdin or stdout.
pub(crate) const STANDARD: &str = "-";

/// What a path leads to.
pub(crate) enum Given {
    /// The bytes of a file.
    File(Vec<u8>),
    /// The tables of a folder or of a kernel.
    Tables(Box<Tables>),
}

/// Reads a file, a folder of Linux's tables, or a Linux kernel with such tables in it.
pub(crate) fn given(path: &Path) -> Result<Given> {
    if path.is_dir() {
        return Ok(Given::Tables(Box::new(folder::read(path)?)));
    }
    let bytes = read(path)?;
    if extract::is_kernel(&bytes) {
        let extracted = extract::extract(&bytes).with_context(|| name(path))?;
        return Ok(Given::Tables(Box::new(extracted.tables)));
    }
    Ok(Given::File(bytes))
}

/// Opens a SOURCE.
pub(crate) fn source(args: &SourceArgs) -> Result<Source> {
    open(&args.source, &args.input.options())
}

/// Opens a SOURCE to ask it a few questions.
pub(crate) fn open(path: &Path, options: &Options) -> Result<Source> {
    open_with(path, options, build_untrained)
}

/// Opens a SOURCE to measure it: what has to be built is built as `build` does.
pub(crate) fn trained_source(args: &TrainedSourceArgs) -> Result<Source> {
    let mut progress = Progress::new();
    open_with(&args.source, &args.image.input.options(), |symbols| {
        build(symbols, args.image.profile.into(), &mut |done, total| progress.show(done, total))
    })
}

fn open_with(
    path: &Path,
    options: &Options,
    make: impl FnOnce(&Symbols) -> Result<Vec<u8>, BuildError>,
) -> Result<Source> {
    let source = match given(path)? {
        Given::File(bytes) => Source::open(bytes, options, make),
        Given::Tables(tables) => Source::of_tables(*tables),
    }
    .with_context(|| name(path))?;
    let found = match source.origin() {
        Origin::Built(left_out) => {
            note(path, left_out);
            return Ok(source);
        }
        Origin::Image | Origin::Embedded => "an image",
        Origin::Linux => "Linux's tables",
    };
    if *options != Options::default() {
        crate::say(format_args!(
            "kallsyms: {}: holds {found}: the options for reading symbols change nothing",
            name(path)
        ));
    }
    Ok(source)
}

/// Reads the symbols of what is given.
pub(crate) fn symbols(path: &Path, given: &Given, options: &Options) -> Result<Input> {
    match given {
        Given::File(bytes) => file_symbols(path, bytes, options),
        Given::Tables(tables) => input::read_tables(tables, options).with_context(|| name(path)),
    }
}

/// Reads the symbols of a file.
pub(crate) fn file_symbols(path: &Path, bytes: &[u8], options: &Options) -> Result<Input> {
    let input = input::read(bytes, options).with_context(|| name(path))?;
    note(path, input.left_out);
    Ok(input)
}

/// Builds the image of symbols.
pub(crate) fn image(path: &Path, symbols: &Symbols, profile: Profile) -> Result<Vec<u8>> {
    let mut progress = Progress::new();
    build(symbols, profile.into(), &mut |done, total| progress.show(done, total)).with_context(|| name(path))
}

/// Says which symbols an input had, or once had, that are not among those that were read.
fn note(path: &Path, left_out: LeftOut) {
    let name = name(path);
    match left_out {
        LeftOut::Nothing => {}
        LeftOut::Undefined(count) => {
            crate::say(format_args!("kallsyms: {name}: {count} undefined symbols left out"));
        }
        LeftOut::Stripped => {
            crate::say(format_args!("kallsyms: {name}: stripped, only its dynamic symbols are left"));
        }
    }
}

/// The path as a message shows it.
pub(crate) fn name(path: &Path) -> String {
    path.display().to_string()
}
