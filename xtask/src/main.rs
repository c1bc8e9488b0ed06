//! The project's habits as commands: `cargo xtask TASK`.

mod ci;
mod demo;
mod flips;
mod fuzz;
mod instructions;
mod layers;
mod libbpf;
mod linux_kernels;
mod no_std;
mod panics;
mod stack;
mod unsafe_code;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// One command.
struct Task {
    name: &'static str,
    run: fn(Vec<OsString>) -> ExitCode,
    help: &'static str,
}

const TASKS: &[Task] = &[
    Task {
        name: "demo",
        run: demo::main,
        help: "build the demo kernel, boot every scenario under QEMU and check what it prints",
    },
    Task { name: "clippy-kernel", run: demo::clippy, help: "clippy over the demo kernel" },
    Task { name: "ci", run: ci::main, help: "what CI asks for beside the README's two commands" },
    Task { name: "layers", run: layers::main, help: "no module of the core names one of a higher layer" },
    Task {
        name: "panics",
        run: panics::main,
        help: "link a probe of every public function of the core: nothing in it panics",
    },
    Task {
        name: "instructions",
        run: instructions::main,
        help: "count the instructions of the core's queries and compare them with the recorded ones (--record)",
    },
    Task { name: "flips", run: flips::main, help: "100,000 flips of bits of each kind of table" },
    Task {
        name: "fuzz",
        run: fuzz::main,
        help: "run the fuzz targets with the address sanitizer (--seconds N, --only TARGET, --record)",
    },
    Task {
        name: "linux-kernels",
        run: linux_kernels::main,
        help: "extract the tables of distribution kernels and compare them with another decoder's",
    },
    Task { name: "libbpf", run: libbpf::main, help: "compare BTF with libbpf, built from its sources" },
    Task { name: "stack", run: stack::main, help: "the deepest stack of every public query and text form" },
    Task { name: "unsafe", run: unsafe_code::main, help: "every use of unsafe by file, each with its proof" },
    Task { name: "no-std", run: no_std::main, help: "build the core for a bare-metal target" },
];

/// Exit code of a command line that is not understood.
const USAGE: u8 = 2;

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    let name = arguments.next();
    match TASKS.iter().find(|task| name.as_deref().is_some_and(|name| name == task.name)) {
        Some(task) => (task.run)(arguments.collect()),
        None => {
            if let Some(name) = name {
                eprintln!("xtask: there is no task `{}`", name.display());
            }
            eprintln!("usage: cargo xtask TASK [OPTIONS]\n\ntasks:");
            for task in TASKS {
                eprintln!("  {:<14} {}", task.name, task.help);
            }
            ExitCode::from(USAGE)
        }
    }
}

/// The cargo that started this task.
fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// Whether the environment makes a step that has to be skipped a failure: `REQUIRE_…=1`.
fn is_required(variable: &str) -> bool {
    std::env::var_os(variable).is_some_and(|value| value != "0")
}

/// The exit code of a task that looks for faults: each of them is printed, as what kept it from looking is.
fn verdict(task: &str, faults: anyhow::Result<Vec<String>>) -> ExitCode {
    let faults = faults.unwrap_or_else(|error| vec![format!("{error:#}")]);
    faults.iter().for_each(|fault| eprintln!("{task}: {fault}"));
    if faults.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Where nested builds go: a folder beside cargo's own, which their flags would have it build anew.
fn target_folder(name: &str) -> std::io::Result<PathBuf> {
    let target = match std::env::var_os("CARGO_TARGET_DIR") {
        Some(folder) => std::env::current_dir()?.join(folder),
        None => root().join("target"),
    };
    Ok(target.join(name))
}

/// The repository.
fn root() -> &'static Path {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().unwrap_or(manifest)
}
