//! The command line.

use std::ffi::OsString;
use std::path::PathBuf;

const USAGE: &str =
    "usage: cargo compare [SOURCE] [--json FILE] [--svg FILE] [--quick] [--drop-padding] [--mangled]
SOURCE: symbols as text, an ELF file, a Linux kernel or a folder of its tables, or
synthetic:N for N made-up ones; by default /proc/kallsyms
--quick: few rounds, and of many long names only some
--drop-padding: without the __pfx_ symbols
--mangled: the names of an ELF file as they are
docs/compare.md has a line for each kind of source, the method, and what the figures mean";

/// What was asked for.
#[derive(Debug)]
pub(crate) struct Args {
    pub(crate) source: PathBuf,
    pub(crate) json: Option<PathBuf>,
    pub(crate) svg: Option<PathBuf>,
    /// Fewer rounds, and of very many names only some.
    pub(crate) quick: bool,
    /// Leaves out `__pfx_` symbols.
    pub(crate) drop_padding: bool,
    /// Takes the names of an ELF file as they are.
    pub(crate) mangled: bool,
    /// Tables of this source, built before: for this program itself, where it counts instructions.
    pub(crate) tables: Option<PathBuf>,
}

impl Args {
    pub(crate) fn parse(arguments: impl Iterator<Item = OsString>) -> Result<Self, String> {
        let mut arguments = arguments;
        let (mut source, mut json, mut svg, mut tables) = (None, None, None, None);
        let (mut quick, mut drop_padding, mut mangled) = (false, false, false);
        while let Some(argument) = arguments.next() {
            let mut file = || arguments.next().map(PathBuf::from).ok_or(USAGE);
            match argument.to_str() {
                Some("--json") => json = Some(file()?),
                Some("--svg") => svg = Some(file()?),
                Some("--tables") => tables = Some(file()?),
                Some("--quick") => quick = true,
                Some("--drop-padding") => drop_padding = true,
                Some("--mangled") => mangled = true,
                Some(option) if option.starts_with('-') => return Err(USAGE.into()),
                _ if source.is_none() => source = Some(PathBuf::from(argument)),
                _ => return Err(USAGE.into()),
            }
        }
        let source = source.unwrap_or_else(|| "/proc/kallsyms".into());
        Ok(Self { source, json, svg, quick, drop_padding, mangled, tables })
    }
}
