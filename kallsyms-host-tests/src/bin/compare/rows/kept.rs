//! Tables in a folder: what takes long to build is built once, and read again by the process that counts.

use std::fs;
use std::path::{Path, PathBuf};

use kallsyms_gen::linux::{Tables, folder};

/// Where the tables are, if anywhere.
#[derive(Debug, Clone)]
pub(crate) enum Kept {
    /// They are built and kept.
    To(PathBuf),
    /// They were built before.
    From(PathBuf),
}

impl Kept {
    fn file(&self, key: &str) -> PathBuf {
        let (Self::To(folder) | Self::From(folder)) = self;
        folder.join(key)
    }

    /// The bytes of an image.
    pub(super) fn image(
        &self,
        key: &str,
        build: impl FnOnce() -> Result<Vec<u8>, String>,
    ) -> Result<Vec<u8>, String> {
        let file = self.file(key);
        if matches!(self, Self::From(_)) {
            return fs::read(&file).map_err(|error| fault(&file, &error));
        }
        let image = build()?;
        fs::write(&file, &image).map_err(|error| fault(&file, &error))?;
        Ok(image)
    }

    /// Linux's tables.
    pub(super) fn tables(
        &self,
        key: &str,
        build: impl FnOnce() -> Result<Tables, String>,
    ) -> Result<Tables, String> {
        let file = self.file(key);
        if matches!(self, Self::From(_)) {
            return folder::read(&file).map_err(|error| fault(&file, &error));
        }
        let tables = build()?;
        folder::write(&tables, &file).map_err(|error| fault(&file, &error))?;
        Ok(tables)
    }
}

fn fault(file: &Path, error: &impl ToString) -> String {
    format!("{}: {}", file.display(), error.to_string())
}
