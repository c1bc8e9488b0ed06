//! `kallsyms run`.

use std::ffi::{OsStr, OsString};
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, ExitStatus};

use anyhow::{Context, Result, bail};
use kallsyms_gen::embed::find;

use crate::cli::RunArgs;
use crate::{Usage, embed, files};

/// Starts an x86-64 kernel that has a PVH entry: serial console on stdio, exit by isa-debug-exit at port
/// 0xf4.
const QEMU: [&str; 19] = [
    "qemu-system-x86_64",
    "-machine",
    "q35,accel=tcg",
    "-cpu",
    "qemu64",
    "-m",
    "64M",
    "-nodefaults",
    "-no-user-config",
    "-display",
    "none",
    "-no-reboot",
    "-serial",
    "stdio",
    "-device",
    "isa-debug-exit,iobase=0xf4,iosize=0x04",
    "-smp",
    "1",
    "-kernel",
];

pub(crate) fn run(args: &RunArgs) -> Result<ExitCode> {
    let Some(kernel) = kernel(&args.command) else {
        return Err(Usage(no_kernel(&args.command)).into());
    };
    let elf = Path::new(&args.command[kernel]);
    let copy = beside(elf);
    // Whatever fails from here on, no stale copy is left to be booted by mistake.
    if copy.exists() {
        let is_copy = embed::has_table(&files::read(&copy)?);
        if !is_copy {
            let copy = files::name(&copy);
            return Err(
                Usage(format!("{copy} is no kernel with a table and is not replaced: move it")).into()
            );
        }
        std::fs::remove_file(&copy).with_context(|| copy.display().to_string())?;
    }
    embed::embed_into(elf, &copy, args.symbol.as_deref(), &args.image)?;

    let mut command: Vec<OsString> = args.command.clone();
    command[kernel] = copy.into_os_string();
    if kernel == 0 {
        command.splice(0..0, QEMU.map(OsString::from));
    }
    let status = match Command::new(&command[0]).args(&command[1..]).status() {
        Err(error) if error.kind() == ErrorKind::NotFound => bail!(missing(&command[0])),
        status => status.with_context(|| format!("cannot start {}", command[0].display()))?,
    };
    Ok(exit_code(status))
}

/// Which argument is the kernel: the last ELF file behind the command, or the command itself if it is one
/// with a table.
fn kernel(command: &[OsString]) -> Option<usize> {
    let behind = command.iter().skip(1).rposition(|argument| is_elf(Path::new(argument)));
    let first = Path::new(command.first()?);
    let is_kernel = || is_elf(first) && std::fs::read(first).is_ok_and(|elf| find(&elf, None).is_ok());
    behind
        .map(|place| place + 1)
        .or_else(|| (command.len() == 1 && is_elf(first) || is_kernel()).then_some(0))
}

/// Why no argument is the kernel.
fn no_kernel(command: &[OsString]) -> String {
    let last = command.last().map(Path::new).unwrap_or(Path::new(""));
    if last.exists() {
        format!(
            "no ELF file among the arguments, nor is {}: cargo gives the kernel as the last one",
            last.display()
        )
    } else {
        format!("no ELF file among the arguments: {} does not exist", last.display())
    }
}

/// Name of the copy that carries the table.
fn beside(elf: &Path) -> PathBuf {
    let mut name = elf.as_os_str().to_owned();
    name.push(".kallsyms");
    name.into()
}

fn is_elf(path: &Path) -> bool {
    let mut magic = [0; 4];
    let read =
        path.is_file().then(|| std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut magic)));
    matches!(read, Some(Ok(()))) && magic == *b"\x7fELF"
}

fn missing(program: &OsStr) -> String {
    let install = if program == QEMU[0] { ": install it with `apt-get install qemu-system-x86`" } else { "" };
    format!("{} is not installed{install}", program.display())
}

/// The command's own code; a signal as a shell tells it.
fn exit_code(status: ExitStatus) -> ExitCode {
    #[cfg(unix)]
    let signal = std::os::unix::process::ExitStatusExt::signal(&status).map(|signal| 128 + signal);
    #[cfg(not(unix))]
    let signal = None;
    let code = status.code().or(signal).unwrap_or(1);
    ExitCode::from(u8::try_from(code & 0xff).unwrap_or(1))
}
