//! The command line of `kallsyms btf`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use kallsyms_core::btf::Kind;

#[derive(Debug, Args)]
pub(crate) struct BtfArgs {
    #[command(subcommand)]
    pub(super) command: BtfCommand,
}

#[derive(Debug, Subcommand)]
pub(super) enum BtfCommand {
    /// Prints how many types of each kind there are, and what holds of them: order, duplicates, references
    Stat(FileArgs),
    /// Prints `[id] KIND 'name'` for every type of each name; exit code 1 if a name has none
    ///
    /// `void`, and any name with --kind void, is type 0, as libbpf has it.
    Find(FindArgs),
    /// Prints every type in the raw form of `bpftool btf dump`, or those of a name, or that of a number, in C;
    /// exit code 1 if there is none of it
    Dump(DumpArgs),
    /// Writes the BTF with its types in the order of their names, as libbpf 1.7 and Linux 7.0 search them by
    /// bisection
    ///
    /// The output is BTF alone, whatever the input was. The types get new numbers: what holds the old ones,
    /// as the BTF of a kernel's modules or a .BTF.ext does, does not fit any more. BTF that is sorted is
    /// written as it is.
    Sort(SortArgs),
}

/// Where BTF is.
#[derive(Debug, Args)]
pub(super) struct FileArgs {
    /// BTF, an ELF file with a section .BTF (vmlinux, module, BPF object), or a Linux kernel; packed ones
    /// are unpacked; - is stdin
    pub(super) file: PathBuf,
    /// What the BTF of a module is split over: that of its kernel, in any of these forms
    #[arg(long, value_name = "FILE")]
    pub(super) base: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(super) struct FindArgs {
    #[command(flatten)]
    pub(super) file: FileArgs,
    /// Names, compared byte for byte; '' is that of every type without one
    #[arg(required = true)]
    pub(super) names: Vec<OsString>,
    #[command(flatten)]
    pub(super) kind: KindArgs,
}

/// Which types.
#[derive(Debug, Args)]
pub(super) struct KindArgs {
    /// Only types of this kind, in either case: void, int, ptr, array, struct, union, enum, fwd, typedef,
    /// volatile, const, restrict, func, func_proto, var, datasec, float, decl_tag, type_tag, enum64
    #[arg(long, value_parser = kind)]
    pub(super) kind: Option<Kind>,
}

#[derive(Debug, Args)]
pub(super) struct DumpArgs {
    #[command(flatten)]
    pub(super) file: FileArgs,
    /// Only the types of this name, as C declares them; '' is that of every type without one
    pub(super) name: Option<OsString>,
    #[command(flatten)]
    pub(super) kind: KindArgs,
    /// Only the type of this number, as C declares it; 0 is void
    #[arg(long, value_name = "N", conflicts_with_all = ["name", "kind"])]
    pub(super) id: Option<u32>,
}

#[derive(Debug, Args)]
pub(super) struct SortArgs {
    #[command(flatten)]
    pub(super) file: FileArgs,
    /// The file to write, - for stdout; it may be the input where that is BTF
    #[arg(short, long)]
    pub(super) output: PathBuf,
    /// Write the .BTF.ext of the input there, with the new numbers
    #[arg(long, value_name = "FILE")]
    pub(super) ext: Option<PathBuf>,
    /// Replace an output even if it is no BTF
    #[arg(long)]
    pub(super) force: bool,
}

fn kind(name: &str) -> Result<Kind, String> {
    Kind::from_name(&name.to_ascii_lowercase()).ok_or_else(|| {
        let kinds = (0..=u8::MAX).map(Kind::from_number).take_while(|kind| !matches!(kind, Kind::Other(_)));
        let names: Vec<_> = kinds.map(|kind| kind.to_string().to_ascii_lowercase()).collect();
        format!("the kinds are {}", names.join(", "))
    })
}
