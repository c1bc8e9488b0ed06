//! The tables, which one process builds and the other one asks.

use std::fs;
use std::path::{Path, PathBuf};

use kallsyms_core::Image;
use kallsyms_core::linux::{Endian, Width};
use kallsyms_gen::build::build as build_image;
use kallsyms_gen::compress::Profile;
use kallsyms_gen::linux::folder;
use kallsyms_gen::linux::write::{Options, PlaceForm, write};
use kallsyms_gen::symbols::Symbols;
use kallsyms_host_tests::asked::Asked;
use kallsyms_host_tests::synthetic;

use crate::symbols::Question;
use crate::{btf, each, growth};

/// Symbols of the tables: those of a small kernel.
const SYMBOLS: usize = 20_000;

const FAST: &str = "image-fast";
const COMPACT: &str = "image-compact";
const MARKERS: &str = "linux-markers";
const OFFSETS: &str = "linux-offsets";

pub(crate) fn description() -> String {
    format!("{SYMBOLS} made-up symbols")
}

/// Builds all of them into a folder; images of so many symbols for the growth.
pub(crate) fn build(folder: &Path, growth: &[usize]) -> Result<(), String> {
    let symbols = synthetic::symbols(SYMBOLS);
    let image = |name: &str, symbols: &Symbols, profile| {
        let image = build_image(symbols, profile, &mut |_, _| ()).map_err(|error| error.to_string())?;
        fs::write(folder.join(name), image).map_err(|error| error.to_string())
    };
    image(FAST, &symbols, Profile::Fast)?;
    image(COMPACT, &symbols, Profile::Compact)?;
    for (name, places) in
        [(MARKERS, PlaceForm::Markers(Width::Bits32)), (OFFSETS, PlaceForm::Offsets(Endian::Little))]
    {
        let tables = write(&symbols, &Options { places, ..Options::LINUX_6_12 });
        let tables = tables.map_err(|error| error.to_string())?;
        folder::write(&tables, &folder.join(name)).map_err(|error| error.to_string())?;
    }
    for count in growth {
        let symbols = synthetic::symbols(*count);
        image(&growth::name(*count), &symbols, Profile::Fast)?;
        let asked = Asked::of(&symbols).hits.join("\n");
        fs::write(names_file(folder, *count), asked).map_err(|error| error.to_string())?;
    }
    Ok(())
}

fn names_file(folder: &Path, count: usize) -> PathBuf {
    folder.join(growth::name(count) + ".names")
}

/// Asks them all, under Callgrind.
pub(crate) fn count(folder: &Path) -> Result<(), String> {
    let symbols = synthetic::symbols(SYMBOLS);
    let asked = Asked::of(&symbols);
    each::nothing();
    btf::count(&symbols, &asked);
    for (name, questions) in
        [(FAST, &Question::ALL[..]), (COMPACT, &[Question::Hit, Question::Miss, Question::AddressName])]
    {
        let image = Image::parse(read(folder, name)?).map_err(|error| error.to_string())?;
        questions.iter().for_each(|question| question.count(&image, name, &asked));
    }
    for (name, questions) in
        [(MARKERS, &Question::ALL[..]), (OFFSETS, &[Question::Hit, Question::AddressName])]
    {
        let tables = folder::read(&folder.join(name)).map_err(|error| error.to_string())?;
        let kallsyms = tables.kallsyms().map_err(|error| error.to_string())?;
        questions.iter().for_each(|question| question.count(&kallsyms, name, &asked));
    }
    for count in growth::ALL {
        let Ok(bytes) = read(folder, &growth::name(count)) else { continue };
        let image = Image::parse(bytes).map_err(|error| error.to_string())?;
        let names = fs::read_to_string(names_file(folder, count)).map_err(|error| error.to_string())?;
        let hits = names.lines().map(str::to_owned).collect();
        Question::Hit.count(&image, &growth::name(count), &Asked { hits, ..asked.clone() });
    }
    Ok(())
}

/// An image at the start of a page: where one ends the C library's `memcmp` takes other steps, and where the
/// allocator puts it differs from run to run.
fn read(folder: &Path, name: &str) -> Result<&'static [u8], String> {
    const PAGE: usize = 4_096;
    let bytes = fs::read(folder.join(name)).map_err(|error| format!("{name}: {error}"))?;
    let room = vec![0; bytes.len() + PAGE].leak();
    let start = room.as_ptr().addr().next_multiple_of(PAGE) - room.as_ptr().addr();
    let image = &mut room[start..start + bytes.len()];
    image.copy_from_slice(&bytes);
    Ok(image)
}
