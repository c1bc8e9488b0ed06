//! The tables: what the two profiles and Linux's layouts make of real symbols.

use kallsyms_core::Image;
use kallsyms_core::linux::{Endian, Kallsyms, Width};
use kallsyms_gen::build::build;
use kallsyms_gen::compress::Profile;
use kallsyms_gen::input::{self, Options};
use kallsyms_gen::linux::folder;
use kallsyms_gen::linux::write::{MAX_NAME, Options as Form, PlaceForm, own_symbols, write};
use kallsyms_gen::symbols::Symbols;
use kallsyms_host_tests::asked::Asked;
use kallsyms_host_tests::{data, synthetic};

use crate::{Depths, beside, measure};

/// Symbols that stand for a kernel's where there is none.
const MADE_UP: usize = 20_000;

/// The deepest, and whether a kernel's own tables are there: asks about the symbols of this program itself, with the long names of Rust, of a kernel's own tables if they
/// are there, and of made-up ones.
pub(crate) fn ask_all() -> Result<(Depths, bool), String> {
    let mut depths = Depths::new();
    let exe = std::env::current_exe().and_then(std::fs::read).map_err(|error| error.to_string())?;
    let own = input::read(&exe, &Options::default()).map_err(|error| error.to_string())?;
    ask(&own.symbols, &mut depths)?;
    let made_up = own_symbols(&synthetic::symbols(MADE_UP));
    ask(&made_up, &mut depths)?;
    let tables = write(&made_up, &Form::LINUX_6_12).map_err(|error| error.to_string())?;
    beside::ask(&made_up, &tables, &mut depths)?;
    let folder = data::folder("the stack on a kernel's own tables", "linux-6.12.107");
    if let Some(folder) = &folder {
        let tables = folder::read(folder).map_err(|error| error.to_string())?;
        let kernel = input::read_tables(&tables, &Options::default()).map_err(|error| error.to_string())?;
        let kallsyms = tables.kallsyms().map_err(|error| error.to_string())?;
        ask_linux(kallsyms, &Asked::of(&kernel.symbols), "markers", &mut depths)?;
        ask(&kernel.symbols, &mut depths)?;
    }
    Ok((depths, folder.is_some()))
}

fn ask(all: &Symbols, depths: &mut Depths) -> Result<(), String> {
    let mut symbols = own_symbols(all);
    symbols.list.retain(|symbol| symbol.name.len() <= MAX_NAME && str::from_utf8(&symbol.name).is_ok());
    let asked = Asked::of(&symbols);
    for (layout, profile) in [("image", Profile::Fast), ("compact", Profile::Compact)] {
        let bytes = build(&symbols, profile, &mut |_, _| ()).map_err(|error| error.to_string())?;
        let image = Image::parse(&bytes).map_err(|error| error.to_string())?;
        measure(&image, layout, &asked, depths);
        measure(&image.with_slide(0x1000), layout, &asked, depths);
    }
    for (layout, places) in
        [("markers", PlaceForm::Markers(Width::Bits32)), ("offsets", PlaceForm::Offsets(Endian::Little))]
    {
        let tables = write(&symbols, &Form { places, ..Form::LINUX_6_12 });
        let tables = tables.map_err(|error| error.to_string())?;
        ask_linux(tables.kallsyms().map_err(|error| error.to_string())?, &asked, layout, depths)?;
    }
    Ok(())
}

fn ask_linux(
    kallsyms: Kallsyms<'_>,
    asked: &Asked,
    layout: &'static str,
    depths: &mut Depths,
) -> Result<(), String> {
    measure(&kallsyms, layout, asked, depths);
    let mut index = vec![0; kallsyms.name_index_words()];
    let indexed = kallsyms.with_name_index(&mut index).map_err(|error| error.to_string())?;
    measure(&indexed, "indexed", asked, depths);
    Ok(())
}
