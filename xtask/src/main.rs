//! The project's habits as commands: `cargo xtask TASK`.

mod demo;

use std::ffi::OsString;
use std::process::ExitCode;

/// One command.
struct Task {
    name: &'static str,
    run: fn(Vec<OsString>) -> ExitCode,
    help: &'static str,
}

const TASKS: &[Task] = &[Task {
    name: "demo",
    run: demo::main,
    help: "build the demo kernel, boot every scenario under QEMU and check what it prints",
}];

/// Exit code of a command line that is not understood.
const USAGE: u8 = 2;

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    let name = arguments.next();
    match TASKS.iter().find(|task| name.as_deref().is_some_and(|name| name == task.name)) {
        Some(task) => (task.run)(arguments.collect()),
        None => {
            eprintln!("usage: cargo xtask TASK [OPTIONS]\n\ntasks:");
            for task in TASKS {
                eprintln!("  {:<8} {}", task.name, task.help);
            }
            ExitCode::from(USAGE)
        }
    }
}
