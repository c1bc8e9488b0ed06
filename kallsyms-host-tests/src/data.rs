//! Real tables, which are not part of the repository.

use std::path::{Path, PathBuf};

use crate::skip::skip;

/// A folder of tables among the real ones: below `KALLSYMS_DATA`, else `../shared/data` beside the
/// repository.
///
/// Where it is not there, says that `test` is skipped.
#[must_use]
pub fn folder(test: &str, name: &str) -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data");
    let folder = std::env::var_os("KALLSYMS_DATA").map_or_else(beside, PathBuf::from).join(name);
    if folder.join("meta.json").exists() {
        return Some(folder);
    }
    skip(test, &format!("{} is not there: KALLSYMS_DATA names the folder that holds it", folder.display()));
    None
}
