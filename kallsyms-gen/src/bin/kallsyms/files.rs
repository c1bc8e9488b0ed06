//! Files in and out, with their names in every message.

use std::fs;
use std::io::{Read, Write};
use std::path::Path;

use anyhow::{Context, Result};
use kallsyms_gen::build::{BuildError, build, build_untrained};
use kallsyms_gen::input::{self, Input, LeftOut, Options};
use kallsyms_gen::output;
use kallsyms_gen::source::{Origin, Source};
use kallsyms_gen::symbols::Symbols;

use crate::Usage;
use crate::cli::{ImageArgs, SourceArgs, TrainedSourceArgs};
use crate::progress::Progress;

/// Reads a file, `-` is stdin; it is not mapped, because files of /proc tell no size.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>> {
    if path == Path::new(STANDARD) {
        let mut bytes = Vec::new();
        std::io::stdin().lock().read_to_end(&mut bytes).context("stdin")?;
        return Ok(bytes);
    }
    fs::read(path).with_context(|| name(path))
}

/// The path that stands for stdin or stdout.
pub(crate) const STANDARD: &str = "-";

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
    let source = Source::open(read(path)?, options, make).with_context(|| name(path))?;
    match source.origin() {
        Origin::Built(left_out) => note(path, left_out),
        Origin::Image | Origin::Embedded if *options != Options::default() => {
            crate::say(format_args!(
                "kallsyms: {}: holds an image: the options for reading symbols change nothing",
                name(path)
            ));
        }
        Origin::Image | Origin::Embedded => {}
    }
    Ok(source)
}

/// Reads symbols and builds their image.
pub(crate) fn image(path: &Path, bytes: &[u8], args: &ImageArgs) -> Result<(Input, Vec<u8>)> {
    let input = input::read(bytes, &args.input.options()).with_context(|| name(path))?;
    note(path, input.left_out);
    let mut progress = Progress::new();
    let image = build(&input.symbols, args.profile.into(), &mut |done, total| progress.show(done, total));
    Ok((input, image.with_context(|| name(path))?))
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

/// Refuses to replace a file that is neither empty nor `wanted`.
pub(crate) fn check_output(
    path: &Path,
    force: bool,
    wanted: &str,
    is_wanted: impl FnOnce(&[u8]) -> bool,
) -> Result<()> {
    if force || !path.is_file() {
        return Ok(());
    }
    let old = read(path)?;
    if old.is_empty() || is_wanted(&old) {
        return Ok(());
    }
    Err(Usage(format!("{} is no {wanted} and is not replaced (--force does)", name(path))).into())
}

/// Writes a file anew; `-` is stdout.
pub(crate) fn write(path: &Path, bytes: &[u8], permissions: Option<fs::Permissions>) -> Result<()> {
    if path == Path::new(STANDARD) {
        let mut stdout = std::io::stdout().lock();
        stdout.write_all(bytes)?;
        return Ok(stdout.flush()?);
    }
    output::replace(path, bytes, permissions).with_context(|| name(path))
}

/// The path as a message shows it.
pub(crate) fn name(path: &Path) -> String {
    path.display().to_string()
}
