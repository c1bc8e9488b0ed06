//! SOURCE → symbols that every row can hold.

use std::error::Error;
use std::fs;

use kallsyms_gen::extract;
use kallsyms_gen::input::{self, Demangling, Options};
use kallsyms_gen::linux::folder;
use kallsyms_gen::linux::write::{MAX_NAME, own_symbols};
use kallsyms_gen::select;
use kallsyms_gen::symbols::Symbols;
use kallsyms_host_tests::synthetic;

use crate::args::Args;

/// Bytes of names that a quick run can build every row of, and check it, within its time.
const QUICK_BYTES: usize = 4 << 20;

/// The symbols, and what had to be left out.
#[derive(Debug)]
pub(crate) struct Source {
    /// As the user gave it.
    pub(crate) name: String,
    pub(crate) symbols: Symbols,
    pub(crate) notes: Vec<String>,
}

pub(crate) fn open(args: &Args) -> Result<Source, String> {
    let name = args.source.display().to_string();
    let options = Options {
        demangling: if args.mangled { Demangling::Never } else { Demangling::Usual },
        drop_padding: args.drop_padding,
        ..Options::default()
    };
    let all = read(args, &options).map_err(|error| format!("{name}: {}", with_causes(&*error)))?;
    let mut symbols = own_symbols(&all);
    let (given, own) = (all.list.len(), symbols.list.len());
    // A peer may want UTF-8, and Linux's tables end a name at this length.
    symbols.list.retain(|symbol| symbol.name.len() <= MAX_NAME && str::from_utf8(&symbol.name).is_ok());
    let left = symbols.list.len();
    let mut notes = Vec::new();
    if own < given {
        notes.push(format!("{} symbols of modules are left out: Linux's tables hold none", given - own));
    }
    if left < own {
        notes.push(format!(
            "{} names are left out: longer than {MAX_NAME} bytes, which Linux's tables cannot hold, or not UTF-8",
            own - left
        ));
    }
    if args.quick
        && let Some(step) = thin_out(&mut symbols)
    {
        notes.push(format!(
            "--quick: one symbol in {step} is taken, {} of {left}; sizes are those of the smaller table",
            symbols.list.len()
        ));
    }
    Ok(Source { name, symbols, notes })
}

/// Leaves every so manieth symbol where there are too many for a quick run; returns the step.
fn thin_out(symbols: &mut Symbols) -> Option<usize> {
    let bytes: usize = symbols.list.iter().map(|symbol| symbol.name.len()).sum();
    let step = bytes.div_ceil(QUICK_BYTES);
    if step <= 1 {
        return None;
    }
    let mut number = 0;
    symbols.list.retain(|_| {
        number += 1;
        number % step == 1
    });
    Some(step)
}

fn with_causes(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
}

/// What a number of made-up symbols is asked for with.
const SYNTHETIC: &str = "synthetic:";

fn read(args: &Args, options: &Options) -> Result<Symbols, Box<dyn Error>> {
    if let Some(count) = args.source.to_str().and_then(|source| source.strip_prefix(SYNTHETIC)) {
        return made_up(count, options.drop_padding);
    }
    if args.source.is_dir() {
        return Ok(input::read_tables(&folder::read(&args.source)?, options)?.symbols);
    }
    let bytes = fs::read(&args.source)?;
    if extract::is_kernel(&bytes) {
        return Ok(input::read_tables(&extract::extract(&bytes)?.tables, options)?.symbols);
    }
    Ok(input::read(&bytes, options)?.symbols)
}

fn made_up(count: &str, drop_padding: bool) -> Result<Symbols, Box<dyn Error>> {
    let (least, most) = (synthetic::LEAST, synthetic::MOST);
    let count = count.parse().ok().filter(|count| (least..=most).contains(count));
    let count = count.ok_or_else(|| format!("{SYNTHETIC}N makes from {least} to {most} symbols"))?;
    let mut symbols = synthetic::symbols(count);
    if drop_padding {
        symbols.list.retain(|symbol| !select::is_padding(&symbol.name));
    }
    Ok(symbols)
}
