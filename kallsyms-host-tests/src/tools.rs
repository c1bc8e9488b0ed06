//! Other programs, and files for them.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU32, Ordering};
use std::{env, fs, io};

/// Where a program is: on the path, or where only root looks.
#[must_use]
pub fn find(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = env::split_paths(&path).chain(["/usr/sbin", "/sbin"].map(PathBuf::from));
    folders.map(|folder| folder.join(name)).find(|file| file.is_file())
}

/// What a program prints.
///
/// # Errors
///
/// That it is not there, does not start, or fails, with what it says.
pub fn run<A: AsRef<OsStr>>(name: &str, arguments: impl IntoIterator<Item = A>) -> Result<Vec<u8>, String> {
    let program = find(name).ok_or_else(|| format!("{name} is not installed"))?;
    let output: io::Result<Output> = Command::new(program).args(arguments).output();
    let output = output.map_err(|error| format!("{name} does not start: {error}"))?;
    if output.status.success() {
        Ok(output.stdout)
    } else {
        Err(format!("{name}: {}: {}", output.status, String::from_utf8_lossy(&output.stderr).trim()))
    }
}

/// A folder of this process, removed with all that is in it.
#[derive(Debug)]
pub struct Folder(PathBuf);

impl Folder {
    /// An empty folder.
    ///
    /// # Panics
    ///
    /// Where none can be made.
    #[must_use]
    pub fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = env::temp_dir().join(format!("kallsyms-tests-{}-{number}", std::process::id()));
        fs::create_dir_all(&path).expect("a temporary folder");
        Self(path)
    }

    /// A file of these bytes.
    ///
    /// # Panics
    ///
    /// Where it cannot be written.
    #[must_use]
    pub fn file(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.0.join(name);
        fs::write(&path, bytes).expect("a temporary file");
        path
    }

    /// The folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Default for Folder {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // Nothing depends on it.
        let _ = fs::remove_dir_all(&self.0);
    }
}
