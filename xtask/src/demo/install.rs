//! Sees to it that QEMU is there.

use super::qemu::QEMU;
use anyhow::{Context, Result, bail, ensure};
use std::env;
use std::process::{Command, Stdio};

/// A package manager and what installs QEMU with it.
struct Manager {
    program: &'static str,
    commands: &'static [&'static [&'static str]],
    /// Whether it runs as root.
    as_root: bool,
}

const MANAGERS: [Manager; 4] = [
    Manager {
        program: "apt-get",
        commands: &[
            &["apt-get", "update"],
            &["apt-get", "install", "-y", "--no-install-recommends", "qemu-system-x86"],
        ],
        as_root: true,
    },
    Manager { program: "dnf", commands: &[&["dnf", "install", "-y", "qemu-system-x86"]], as_root: true },
    Manager {
        program: "pacman",
        commands: &[&["pacman", "-Sy", "--noconfirm", "--needed", "qemu-system-x86"]],
        as_root: true,
    },
    Manager { program: "brew", commands: &[&["brew", "install", "qemu"]], as_root: false },
];

/// Finds QEMU, or installs it if `install` says so, or fails with the line that would.
pub(super) fn ensure_qemu(install: bool) -> Result<()> {
    if is_on_path(QEMU) {
        return Ok(());
    }
    let Some(manager) = MANAGERS.iter().find(|manager| is_on_path(manager.program)) else {
        bail!("{QEMU} is missing, and none of apt-get, dnf, pacman and brew is here to install it");
    };
    let sudo: &[&str] = if manager.as_root && !is_root() { &["sudo"] } else { &[] };
    let commands: Vec<Vec<&str>> = manager.commands.iter().map(|command| [sudo, command].concat()).collect();
    if !install {
        let lines: Vec<_> = commands.iter().map(|command| command.join(" ")).collect();
        bail!(
            "{QEMU} is missing; install it with\n  {}\nor run\n  cargo demo --install-qemu",
            lines.join(" && ")
        );
    }
    let Some((last, before)) = commands.split_last() else { bail!("nothing installs {QEMU}") };
    for command in before {
        // The lists that are here may do; if they do not, the installation says so.
        if let Err(error) = run(command) {
            eprintln!("demo: {error:#}");
        }
    }
    run(last)?;
    ensure!(is_on_path(QEMU), "{} has run, but {QEMU} is still missing", manager.program);
    Ok(())
}

fn run(command: &[&str]) -> Result<()> {
    let line = command.join(" ");
    println!("demo: {line}");
    let (program, arguments) = command.split_first().context("an empty command")?;
    let status = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .env("DEBIAN_FRONTEND", "noninteractive")
        .status()
        .with_context(|| format!("cannot start {program}"))?;
    ensure!(status.success(), "`{line}` failed");
    Ok(())
}

fn is_on_path(program: &str) -> bool {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout == b"0\n")
}
