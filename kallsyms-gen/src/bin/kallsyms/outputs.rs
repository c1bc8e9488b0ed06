//! Files that are written: which may be replaced, and how.

use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};
use kallsyms_gen::linux::folder;
use kallsyms_gen::output::{self, Staged};

use crate::Usage;
use crate::files::{STANDARD, name, read};

/// Refuses to replace a file that is neither empty nor `wanted`.
pub(crate) fn check_output(
    path: &Path,
    force: bool,
    wanted: &str,
    is_wanted: impl FnOnce(&[u8]) -> bool,
) -> Result<()> {
    if force || !path.is_file() {
        return Ok(());
    }
    let old = read(path)?;
    if old.is_empty() || is_wanted(&old) {
        return Ok(());
    }
    Err(Usage(format!("{} is no {wanted} and is not replaced (--force does)", name(path))).into())
}

/// Refuses to put a folder of tables where a file is, or among the files of another folder.
pub(crate) fn check_folder(path: &Path, force: bool) -> Result<()> {
    if path == Path::new(STANDARD) || path.exists() && !path.is_dir() {
        return Err(Usage(format!("{}: Linux's tables are several files: give a folder", name(path))).into());
    }
    if force || !path.exists() || folder::is_folder_of_tables(path) {
        return Ok(());
    }
    let mut entries = fs::read_dir(path).with_context(|| name(path))?;
    if entries.next().is_none() {
        return Ok(());
    }
    let name = name(path);
    Err(Usage(format!("{name} holds other files and is no folder of tables (--force writes there)")).into())
}

/// Writes a file anew; `-` is stdout.
pub(crate) fn write(path: &Path, bytes: &[u8], permissions: Option<fs::Permissions>) -> Result<()> {
    stage(path, bytes, permissions)?.place()
}

/// A file that is whole, and not at its place yet.
pub(crate) enum Output<'o> {
    Stdout(&'o [u8]),
    File(&'o Path, Staged<'o>),
}

/// Writes a file beside its place; `-` is stdout.
pub(crate) fn stage<'o>(
    path: &'o Path,
    bytes: &'o [u8],
    permissions: Option<fs::Permissions>,
) -> Result<Output<'o>> {
    if path == Path::new(STANDARD) {
        return Ok(Output::Stdout(bytes));
    }
    Ok(Output::File(path, output::stage(path, bytes, permissions).with_context(|| name(path))?))
}

impl Output<'_> {
    /// Lets it take its place.
    pub(crate) fn place(self) -> Result<()> {
        match self {
            Self::Stdout(bytes) => {
                let mut stdout = std::io::stdout().lock();
                stdout.write_all(bytes)?;
                Ok(stdout.flush()?)
            }
            Self::File(path, staged) => staged.place().with_context(|| name(path)),
        }
    }
}
