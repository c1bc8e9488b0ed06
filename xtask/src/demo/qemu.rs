//! One boot under QEMU, within a time limit.

use anyhow::{Context, Result, bail};
use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// The emulator.
pub(super) const QEMU: &str = "qemu-system-x86_64";
/// A boot takes a fifth of a second; a loaded machine gets a hundred times that.
const TIME_LIMIT: Duration = Duration::from_secs(30);
const POLL: Duration = Duration::from_millis(10);

/// What a boot gave.
#[derive(Debug)]
pub(super) struct Outcome {
    /// QEMU's exit status; `None` where the time limit or a signal ended it.
    pub(super) status: Option<i32>,
    /// Text of the serial port.
    pub(super) serial: String,
    /// Bytes of the debug console.
    pub(super) debug_console: Vec<u8>,
    /// What QEMU itself had to say.
    pub(super) errors: String,
}

impl Outcome {
    /// Whether the kernel ended QEMU with this status; it never does with 0.
    pub(super) fn check(&self, wanted: i32) -> Result<()> {
        let ended = match self.status {
            Some(status) if status == wanted && status != 0 => return Ok(()),
            Some(0) => "with 0 (a triple fault)".to_owned(),
            Some(status) => format!("with {status}"),
            None => "by the time limit or a signal".to_owned(),
        };
        bail!("QEMU ended {ended}, not with {wanted}; {}", self.errors.trim())
    }
}

/// Boots a kernel with a scenario.
pub(super) fn boot(kernel: &Path, scenario: &str, count_instructions: bool) -> Result<Outcome> {
    let console = kernel.with_extension(format!("{scenario}.debugcon"));
    let mut qemu = Command::new(QEMU);
    qemu.args(["-machine", "q35,accel=tcg", "-cpu", "qemu64", "-smp", "1", "-m", "64M"])
        .args(["-nodefaults", "-no-user-config", "-display", "none", "-no-reboot", "-serial", "stdio"])
        .args(["-device", "isa-debug-exit,iobase=0xf4,iosize=0x04"])
        .arg("-debugcon")
        .arg(format!("file:{}", console.display()))
        .arg("-kernel")
        .arg(kernel)
        .args(["-append", &format!("scenario={scenario}")]);
    if count_instructions {
        qemu.args(["-icount", "shift=0"]);
    }
    let mut child = qemu
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start {QEMU}"))?;
    let serial = drain(child.stdout.take());
    let errors = drain(child.stderr.take());
    let status = wait(&mut child)?;
    let text = |reader: thread::JoinHandle<Vec<u8>>| {
        String::from_utf8_lossy(&reader.join().unwrap_or_default()).into_owned()
    };
    let debug_console = fs::read(&console).unwrap_or_default();
    Ok(Outcome { status, serial: text(serial), debug_console, errors: text(errors) })
}

/// The exit status, or `None` after the time limit.
fn wait(child: &mut Child) -> Result<Option<i32>> {
    let start = Instant::now();
    while start.elapsed() < TIME_LIMIT {
        if let Some(status) = child.try_wait()? {
            return Ok(status.code());
        }
        thread::sleep(POLL);
    }
    child.kill()?;
    child.wait()?;
    Ok(None)
}

/// Reads a pipe to its end beside the wait, so that a full pipe cannot stop QEMU.
fn drain(pipe: Option<impl Read + Send + 'static>) -> thread::JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            // What was read before an error is still worth showing.
            let _read_so_far = pipe.read_to_end(&mut bytes);
        }
        bytes
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the check of a boot that should end with 33 says.
    fn checked(status: Option<i32>) -> Result<(), String> {
        let (serial, debug_console) = Default::default();
        let outcome = Outcome { status, serial, debug_console, errors: "qemu: a word\n".into() };
        outcome.check(33).map_err(|error| error.to_string())
    }

    #[test]
    fn only_the_scenarios_own_status_passes() {
        assert_eq!(checked(Some(33)), Ok(()));
        for (status, ended) in [
            (Some(0), "with 0 (a triple fault)"),
            (None, "by the time limit or a signal"),
            (Some(35), "with 35"),
            (Some(1), "with 1"),
        ] {
            assert_eq!(checked(status), Err(format!("QEMU ended {ended}, not with 33; qemu: a word")));
        }
    }

    /// Status 0 means a triple fault, so that no scenario may ask for it.
    #[test]
    fn a_triple_fault_never_passes() {
        let (serial, debug_console, errors) = Default::default();
        assert!(Outcome { status: Some(0), serial, debug_console, errors }.check(0).is_err());
        assert!(super::super::scenarios::SCENARIOS.iter().all(|scenario| scenario.status != 0));
    }
}
