//! Writes files so that nobody sees half of one.

use std::fs::{self, File, Permissions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

/// How the names of files begin that have not taken their place yet.
const PREFIX: &str = ".kallsyms-";
/// Symbolic links that are followed one after the other, as many as Linux follows.
const MOST_LINKS: usize = 40;

/// Writes a new file and moves it to `path`; a file that is there is replaced, not changed.
///
/// [`stage`] and [`Staged::place`] in one.
///
/// # Errors
///
/// The folder or the file cannot be written. Then what is at `path` is what it was.
pub fn replace(path: &Path, bytes: &[u8], permissions: Option<Permissions>) -> io::Result<()> {
    stage(path, bytes, permissions)?.place()
}

/// A file that lies whole beside its place. Dropped, it is removed.
#[derive(Debug)]
#[must_use = "it takes its place when it is told to"]
pub struct Staged<'b> {
    path: PathBuf,
    form: Form<'b>,
}

#[derive(Debug)]
enum Form<'b> {
    /// On the disk, in the folder of its place.
    Beside(NamedTempFile),
    /// To be written to what is no regular file.
    Direct(&'b [u8]),
}

/// Writes a new file beside `path`, for [`Staged::place`] to move there.
///
/// It has these permissions, else those of the file that it replaces, else those that the umask leaves. A
/// symbolic link stays, what it leads to is replaced. Other hard links keep the old bytes: Cargo's outputs
/// are such. What is no regular file, as a pipe, a device or `/dev/stdout`, is written to by `place`, directly.
///
/// # Errors
///
/// The folder or the file cannot be written.
pub fn stage<'b>(path: &Path, bytes: &'b [u8], permissions: Option<Permissions>) -> io::Result<Staged<'b>> {
    let path = followed(path)?;
    let old = fs::metadata(&path).ok();
    if old.as_ref().is_some_and(|old| !old.is_file()) || is_open_file(&path) {
        return Ok(Staged { path, form: Form::Direct(bytes) });
    }
    path.file_name().ok_or(io::ErrorKind::IsADirectory)?;
    let mut builder = Builder::new();
    builder.prefix(PREFIX);
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut beside = builder.tempfile_in(folder_of(&path))?;
    beside.write_all(bytes)?;
    if let Some(permissions) = permissions.or(old.map(|old| old.permissions())) {
        beside.as_file().set_permissions(permissions)?;
    }
    beside.as_file().sync_all()?;
    Ok(Staged { path, form: Form::Beside(beside) })
}

impl Staged<'_> {
    /// Lets it take its place, in one step where that is a regular file or nothing yet.
    ///
    /// # Errors
    ///
    /// The folder cannot be written; what is no regular file takes no more.
    pub fn place(self) -> io::Result<()> {
        match self.form {
            Form::Beside(file) => file.persist(&self.path).map(drop).map_err(|failed| failed.error),
            Form::Direct(bytes) => fs::write(&self.path, bytes),
        }
    }
}

/// Makes a folder with these files, all in one step; nothing may be at `path`, except an empty folder.
///
/// Folders above it that are missing are made first. A symbolic link that leads nowhere yet stays.
///
/// # Errors
///
/// It cannot be written: then there is none.
pub fn new_folder(path: &Path, files: &[(&str, &[u8])]) -> io::Result<()> {
    let path = &followed(path)?;
    let above = folder_of(path);
    fs::create_dir_all(above)?;
    let mut builder = Builder::new();
    builder.prefix(PREFIX);
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o777));
    let beside = builder.tempdir_in(above)?;
    for (name, bytes) in files {
        let mut file = File::create(beside.path().join(name))?;
        file.write_all(bytes)?;
        file.sync_all()?;
    }
    fs::rename(beside.path(), path)?;
    // It is not where it was, and stays.
    let _ = beside.keep();
    Ok(())
}

/// Where a path leads, through symbolic links, the last of which may lead nowhere yet. Those of `/proc` are
/// files that are open, which have no place.
fn followed(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        match fs::read_link(&path) {
            Ok(to) if !is_open_file(&path) => path = folder_of(&path).join(to),
            _ => return Ok(path),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}

/// Whether a path is one of an open file of this or another process: `/dev/stdout` leads to one.
fn is_open_file(path: &Path) -> bool {
    cfg!(target_os = "linux") && fs::canonicalize(folder_of(path)).is_ok_and(|real| real.starts_with("/proc"))
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names in a folder, in order.
    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("a folder");
        let mut names: Vec<String> =
            entries.map(|entry| entry.expect("known").file_name().into_string().expect("UTF-8")).collect();
        names.sort();
        names
    }

    #[test]
    fn other_links_keep_the_old_bytes() {
        let folder = tempfile::tempdir().expect("a folder");
        let (path, link) = (folder.path().join("kernel"), folder.path().join("link"));
        replace(&path, b"old", None).expect("written");
        fs::hard_link(&path, &link).expect("a link");
        replace(&path, b"new", None).expect("written");
        assert_eq!(fs::read(&path).expect("the file"), b"new");
        assert_eq!(fs::read(&link).expect("the link"), b"old");
        assert!(replace(&folder.path().join("missing/kernel"), b"", None).is_err());
        assert_eq!(names(folder.path()), ["kernel", "link"], "no temporary file is left");
    }

    #[test]
    #[cfg(unix)]
    fn permissions_are_those_given_or_those_of_the_file() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().expect("a folder");
        let mode =
            |name| fs::metadata(folder.path().join(name)).expect("there").permissions().mode() & 0o7777;
        fs::write(folder.path().join("plain"), "").expect("written");
        let path = folder.path().join("kernel");
        replace(&path, b"", None).expect("written");
        assert_eq!(mode("kernel"), mode("plain"), "as the umask has it");
        replace(&path, b"", Some(Permissions::from_mode(0o751))).expect("written");
        assert_eq!(mode("kernel"), 0o751);
        replace(&path, b"", None).expect("written");
        assert_eq!(mode("kernel"), 0o751, "as it was");
        fs::create_dir(folder.path().join("usual")).expect("a folder");
        new_folder(&folder.path().join("a/b"), &[("file", b"1")]).expect("written");
        assert_eq!((mode("a/b"), mode("a/b/file")), (mode("usual"), mode("plain")));
    }

    #[test]
    #[cfg(unix)]
    fn a_link_stays_and_what_it_leads_to_is_replaced() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("b")).expect("a folder");
        symlink("b/second", at("first")).expect("a link");
        symlink("../kernel", at("b/second")).expect("a link");
        for bytes in [b"made", b"anew"] {
            replace(&at("first"), bytes, None).expect("written");
            assert_eq!(fs::read(at("kernel")).expect("the file"), bytes);
        }
        assert_eq!((names(folder.path()).len(), names(&at("b")).len()), (3, 1), "both links are there");
        symlink("round", at("round")).expect("a link");
        assert!(replace(&at("round"), b"", None).is_err());
        symlink("b/made/folder", at("nowhere")).expect("a link");
        new_folder(&at("nowhere"), &[("file", b"1")]).expect("written");
        assert_eq!(fs::read(at("b/made/folder/file")).expect("the file"), b"1");
        assert!(at("nowhere").is_symlink());
    }

    #[test]
    fn what_is_staged_is_placed_or_gone() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("kernel");
        fs::write(&path, "old").expect("written");
        let staged = stage(&path, b"new", None).expect("written");
        assert_eq!((fs::read(&path).expect("the file"), names(folder.path()).len()), (b"old".to_vec(), 2));
        drop(staged);
        assert_eq!(names(folder.path()), ["kernel"]);
        let panic = std::panic::catch_unwind(|| {
            let _staged = stage(&path, b"new", None).expect("written");
            std::panic::resume_unwind(Box::new("a fault of ours"));
        });
        assert!(panic.is_err());
        assert_eq!((fs::read(&path).expect("the file"), names(folder.path()).len()), (b"old".to_vec(), 1));
        stage(&path, b"new", None).and_then(Staged::place).expect("placed");
        assert_eq!((fs::read(&path).expect("the file"), names(folder.path()).len()), (b"new".to_vec(), 1));
    }

    #[test]
    fn a_folder_is_whole_or_none() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("tables");
        assert!(new_folder(&path, &[("a", b"1"), ("b/c", b"2")]).is_err());
        assert!(names(folder.path()).is_empty());
        fs::create_dir(&path).expect("an empty folder");
        new_folder(&path, &[("a", b"1"), ("b", b"2")]).expect("written");
        assert_eq!(names(&path), ["a", "b"]);
        assert!(new_folder(&path, &[("c", b"3")]).is_err(), "it holds files");
        assert_eq!(
            (names(folder.path()), names(&path)),
            (vec!["tables".to_owned()], vec!["a".into(), "b".into()])
        );
    }
}
