//! The command line.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use kallsyms_core::glob::Glob;
use kallsyms_gen::compress;
use kallsyms_gen::input::{Demangling, Options};

use crate::address::{Address, Slide};
use crate::btf::BtfArgs;
use crate::linux_args::{LinuxArgs, TableLayout};

/// Symbol tables for kernels: builds, embeds and reads them.
///
/// SOURCE is an image, an ELF file (the image embedded in it, else its symbols), text as nm, System.map and
/// /proc/kallsyms have it, a folder of Linux's tables, or a Linux kernel as a boot loader takes it, with such
/// tables in it; the content decides; - is stdin. Exit codes: 0 done, 1 a name is not found or an image not
/// equal, 2 usage, 3 unreadable input or unwritable output, 101 a fault of kallsyms itself; `run` exits
/// as the command does.
///
/// An output is replaced as a whole or not at all; what kallsyms did not write itself, only with --force. An input
/// has at most 4 GiB; payloads of a kernel unpack to at most 512 MiB.
#[derive(Debug, Parser)]
#[command(name = "kallsyms", version)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Builds an image, or Linux's tables, from the symbols of an ELF file, a text or other tables
    Build(BuildArgs),
    /// Builds the image of a kernel and fills its reserved static with it
    Embed(EmbedArgs),
    /// Takes Linux's own tables out of a vmlinuz, Image or vmlinux and lists them, or writes them into a
    /// folder
    ///
    /// The kernel needs no symbols: the tables are found by what they hold. A folder of tables is a SOURCE. Where
    /// the kernel has BTF, the folder gets that too, as btf.bin.
    Extract(ExtractArgs),
    /// Prints every symbol as /proc/kallsyms does
    List(SourceArgs),
    /// Prints `address type name` for every symbol of each name; exit code 1 if a name has none
    Lookup(LookupArgs),
    /// Prints `name+0xoffset/0xsize` for each address, or the address where no symbol holds it
    Addr(AddrArgs),
    /// Copies a log from stdin to stdout and writes ` <name+0xoffset/0xsize>` behind each address that it
    /// knows
    ///
    /// An address is a word of 8 or 16 hexadecimal digits, or of 1 to 16 after 0x. Where no symbol holds it,
    /// it is taken for a return address; where one begins there that another ends at, both are named: a log
    /// does not say which addresses were calls. --return-address takes all of them for return addresses.
    Decode(DecodeArgs),
    /// Prints how many bytes each part of the table takes
    Stats(TrainedSourceArgs),
    /// Checks that a table finds every symbol of its input by name and by address; exit code 1 if not
    Verify(VerifyArgs),
    /// Prints `address name` for many names and patterns, found in one batch; exit code 1 if one has no
    /// symbol
    ///
    /// A name gets its first symbol in address order, a pattern every symbol that it matches.
    Resolve(ResolveArgs),
    /// Finds every symbol by its name and by its address, and measures; exit code 1 if one is not found
    ///
    /// What the kernel's kallsyms_selftest does: compression, time of a lookup by name, time of a walk. A
    /// text or an ELF file is tested as the image that build makes of it.
    Selftest(TrainedSourceArgs),
    /// Measures how fast a saved copy of /proc/kallsyms is read, beside the loop that perf reads it with;
    /// exit code 1 if they read different symbols
    BenchParse(BenchParseArgs),
    /// Reads BTF, the types of a Linux kernel and its modules: counts, finds, prints and sorts them
    Btf(BtfArgs),
    /// Cargo runner: embeds the table into a copy of the kernel and starts a command with the copy
    Run(RunArgs),
}

/// Heading of the options that say how symbols are read; they mean nothing for an image.
const READING: &str = "Reading symbols";

/// How symbols are read from an ELF file or a text.
#[derive(Debug, Args)]
pub(crate) struct InputArgs {
    /// Keep the mangled names of an ELF file
    #[arg(long, help_heading = READING, conflicts_with = "demangle")]
    mangled: bool,
    /// Demangle the names of a text too
    #[arg(long, help_heading = READING)]
    demangle: bool,
    /// Leave out __pfx_ symbols, the padding before functions
    #[arg(long, help_heading = READING)]
    drop_padding: bool,
    /// Take every symbol of an ELF file that has an address, not only code
    #[arg(long, help_heading = READING)]
    all_symbols: bool,
}

impl InputArgs {
    pub(crate) fn options(&self) -> Options {
        Options {
            demangling: match (self.mangled, self.demangle) {
                (true, _) => Demangling::Never,
                (_, true) => Demangling::Always,
                _ => Demangling::Usual,
            },
            all_symbols: self.all_symbols,
            drop_padding: self.drop_padding,
        }
    }
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Profile {
    /// Fast lookups
    Fast,
    /// Fewest bytes
    Compact,
}

impl From<Profile> for compress::Profile {
    fn from(profile: Profile) -> Self {
        match profile {
            Profile::Fast => Self::Fast,
            Profile::Compact => Self::Compact,
        }
    }
}

/// How an image is made.
#[derive(Debug, Args)]
pub(crate) struct ImageArgs {
    /// What the image is best at
    #[arg(long, value_enum, default_value_t = Profile::Fast)]
    pub(crate) profile: Profile,
    #[command(flatten)]
    pub(crate) input: InputArgs,
}

/// A SOURCE that is measured.
#[derive(Debug, Args)]
pub(crate) struct TrainedSourceArgs {
    /// Image, ELF file, text, Linux kernel or folder of Linux's tables
    pub(crate) source: PathBuf,
    #[command(flatten)]
    pub(crate) image: ImageArgs,
}

#[derive(Debug, Args)]
pub(crate) struct BuildArgs {
    /// ELF file, text as nm, System.map and /proc/kallsyms have it, Linux kernel, or a folder of Linux's
    /// tables
    pub(crate) input: PathBuf,
    /// The file to write, - for stdout; a folder for Linux's tables
    #[arg(short, long)]
    pub(crate) output: PathBuf,
    /// The layout of the table
    #[arg(long, value_enum, default_value_t = TableLayout::Native)]
    pub(crate) layout: TableLayout,
    #[command(flatten)]
    pub(crate) linux: LinuxArgs,
    /// Write an object file: section .rodata.kallsyms between __start_kallsyms and __stop_kallsyms
    #[arg(long)]
    pub(crate) object: bool,
    /// Replace the output even if it is no image (with --object: no object file with a table; with --layout
    /// linux: no folder of tables)
    #[arg(long)]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) image: ImageArgs,
}

#[derive(Debug, Args)]
pub(crate) struct EmbedArgs {
    /// The linked kernel
    pub(crate) elf: PathBuf,
    /// The file to write; it may be the kernel itself
    #[arg(short, long)]
    pub(crate) output: PathBuf,
    /// The reserved static, where the kernel has more than one
    #[arg(long)]
    pub(crate) symbol: Option<String>,
    /// Replace the output even if it is neither the kernel itself nor one with a table
    #[arg(long)]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) image: ImageArgs,
}

#[derive(Debug, Args)]
pub(crate) struct ExtractArgs {
    /// The kernel; - is stdin
    pub(crate) kernel: PathBuf,
    /// The folder to write the tables to; without it they are listed as /proc/kallsyms does
    #[arg(short, long)]
    pub(crate) output: Option<PathBuf>,
    /// Write into a folder that holds other files
    #[arg(long)]
    pub(crate) force: bool,
}

#[derive(Debug, Args)]
pub(crate) struct SourceArgs {
    /// Image, ELF file, text, Linux kernel or folder of Linux's tables
    pub(crate) source: PathBuf,
    #[command(flatten)]
    pub(crate) input: InputArgs,
}

#[derive(Debug, Args)]
pub(crate) struct LookupArgs {
    #[command(flatten)]
    pub(crate) source: SourceArgs,
    /// Names, compared byte for byte
    #[arg(required = true)]
    pub(crate) names: Vec<OsString>,
}

#[derive(Debug, Args)]
pub(crate) struct ResolveArgs {
    #[command(flatten)]
    pub(crate) source: SourceArgs,
    /// Names, or patterns as the kernel reads them: * ? [a-z] [!a-z] \; - reads them from stdin, one a line
    #[arg(required = true)]
    pub(crate) patterns: Vec<OsString>,
    /// Patterns as libbpf reads them: only * and ?
    #[arg(long)]
    pub(crate) libbpf: bool,
    /// Accept only functions of this available_filter_functions or available_filter_functions_addrs; where
    /// the first symbol of a name is not among them, the next one is tried
    #[arg(long, value_name = "FILE")]
    pub(crate) only: Option<PathBuf>,
}

impl ResolveArgs {
    pub(crate) fn glob<'p>(&self, pattern: &'p [u8]) -> Glob<'p> {
        if self.libbpf { Glob::libbpf(pattern) } else { Glob::kernel(pattern) }
    }
}

/// Where the kernel runs, and what its addresses mean.
#[derive(Debug, Args)]
pub(crate) struct PlaceArgs {
    /// The addresses are return addresses: name the function that made the call
    #[arg(long)]
    pub(crate) return_address: bool,
    /// Distance from the linked to the running kernel (KASLR), hexadecimal, may be negative
    #[arg(long, default_value = "0", allow_hyphen_values = true)]
    pub(crate) slide: Slide,
}

#[derive(Debug, Args)]
pub(crate) struct AddrArgs {
    #[command(flatten)]
    pub(crate) source: SourceArgs,
    /// Hexadecimal addresses, with or without 0x; - reads them from stdin
    #[arg(required = true)]
    pub(crate) addresses: Vec<Address>,
    #[command(flatten)]
    pub(crate) place: PlaceArgs,
}

#[derive(Debug, Args)]
pub(crate) struct DecodeArgs {
    #[command(flatten)]
    pub(crate) source: SourceArgs,
    #[command(flatten)]
    pub(crate) place: PlaceArgs,
}

#[derive(Debug, Args)]
pub(crate) struct VerifyArgs {
    /// The image, an ELF file that carries one, or a folder of Linux's tables
    pub(crate) image: PathBuf,
    /// What it was made from; give the options that it was made with
    pub(crate) input: PathBuf,
    #[command(flatten)]
    pub(crate) options: InputArgs,
}

#[derive(Debug, Args)]
pub(crate) struct BenchParseArgs {
    /// The saved copy; the live file is bound by the kernel, which writes it anew at every reading
    pub(crate) file: PathBuf,
    /// Runs of each reader
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(2..))]
    pub(crate) runs: u32,
    /// The name to look for [default: that of the symbol in the middle]
    #[arg(long)]
    pub(crate) name: Option<OsString>,
    /// The pattern to look for, of * and ?
    #[arg(long, default_value = "*sendmsg*")]
    pub(crate) pattern: OsString,
}

#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// The reserved static, where the kernel has more than one
    #[arg(long)]
    pub(crate) symbol: Option<String>,
    #[command(flatten)]
    pub(crate) image: ImageArgs,
    /// The command and its arguments, the kernel among them: the last ELF file is taken for it; where the
    /// kernel comes first, QEMU starts it and takes the other arguments
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    pub(crate) command: Vec<OsString>,
}
