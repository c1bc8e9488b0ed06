//! Runs targets, some side by side, each with its own log.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::thread;

use anyhow::{Context, Result};

use super::report::{self, Row};
use super::targets::Target;

/// Seconds that one input may take: more is a finding.
const INPUT_SECONDS: u32 = 10;

/// MiB that a target may take: more is a finding.
const MEMORY_MIB: u32 = 2_048;

/// All of these, in their order.
pub(super) fn all(targets: &[&Target], seconds: u32, jobs: usize, folder: &Path) -> Vec<Row> {
    let waiting = Mutex::new(targets.iter().enumerate());
    let done = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                loop {
                    let next = waiting.lock().ok().and_then(|mut waiting| waiting.next());
                    let Some((place, target)) = next else { break };
                    println!("fuzz: {}: {seconds} seconds", target.name);
                    // What cannot be run is a failure of its own; the others go on.
                    let row = one(target, seconds, folder)
                        .unwrap_or_else(|error| Row::failed(target.name, format!("{error:#}")));
                    if let Ok(mut done) = done.lock() {
                        done.push((place, row));
                    }
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_default();
    done.sort_by_key(|(place, _)| *place);
    done.into_iter().map(|(_, row)| row).collect()
}

/// One target, from its seeds and what earlier runs found.
fn one(target: &Target, seconds: u32, folder: &Path) -> Result<Row> {
    let (found, seeds) = (folder.join(target.name), folder.join("seeds").join(target.name));
    let artifacts = crate::root().join("fuzz/artifacts").join(target.name);
    for folder in [&found, &artifacts] {
        fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    }
    let log: PathBuf = folder.join(format!("{}.log", target.name));
    let file = File::create(&log).with_context(|| log.display().to_string())?;
    let status = super::cargo_fuzz()
        .args(["run", target.name])
        .args([&found, &seeds])
        .arg("--")
        .arg(format!("-max_total_time={seconds}"))
        .arg(format!("-max_len={}", target.max_len))
        .arg(format!("-timeout={INPUT_SECONDS}"))
        .arg(format!("-rss_limit_mb={MEMORY_MIB}"))
        .args(["-print_final_stats=1", "-verbosity=1"])
        .stdout(file.try_clone()?)
        .stderr(file)
        .status()?;
    let text = String::from_utf8_lossy(&fs::read(&log)?).into_owned();
    Ok(report::row(target.name, status.success(), &text, &log))
}
