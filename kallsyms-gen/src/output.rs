//! Writes files so that nobody sees half of one.

use std::fs::{self, Permissions};
use std::io;
use std::path::Path;

/// Writes a new file and moves it to `path`; a file that is there is replaced, not changed. A symbolic link
/// stays.
///
/// Cargo's outputs are hard links: a change in place would reach all of them. What is no regular file, as a
/// pipe or `/dev/stdout`, is written to directly.
///
/// # Errors
///
/// The folder or the file cannot be written.
pub fn replace(path: &Path, bytes: &[u8], permissions: Option<Permissions>) -> io::Result<()> {
    let leads_nowhere = || fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_symlink());
    if fs::metadata(path).map_or_else(|_| leads_nowhere(), |metadata| !metadata.is_file()) {
        return fs::write(path, bytes);
    }
    let path = &fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let name = path.file_name().ok_or(io::ErrorKind::IsADirectory)?;
    let mut temporary_name = std::ffi::OsString::from(".");
    temporary_name.push(name);
    temporary_name.push(format!(".{}", std::process::id()));
    let temporary = path.with_file_name(temporary_name);
    let written = fs::write(&temporary, bytes)
        .and_then(|()| permissions.map_or(Ok(()), |permissions| fs::set_permissions(&temporary, permissions)))
        .and_then(|()| fs::rename(&temporary, path));
    if written.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_links_keep_the_old_bytes() {
        let folder = std::env::temp_dir().join(format!("kallsyms-output-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let (path, link) = (folder.join("kernel"), folder.join("link"));
        replace(&path, b"old", None).expect("written");
        fs::hard_link(&path, &link).expect("a link");
        let permissions = fs::metadata(&path).expect("the file").permissions();
        replace(&path, b"new", Some(permissions)).expect("written");
        assert_eq!(fs::read(&path).expect("the file"), b"new");
        assert_eq!(fs::read(&link).expect("the link"), b"old");
        assert!(replace(&folder.join("missing/kernel"), b"", None).is_err());
        assert_eq!(fs::read_dir(&folder).expect("the folder").count(), 2, "no temporary file is left");
        fs::remove_dir_all(&folder).expect("removed");
    }
}
