//! A folder of tables: a file a table, and `meta.json` for what the bytes do not say.
//!
//! `docs/linux-folder.md` describes it.

use std::fs;
use std::path::{Path, PathBuf};

use kallsyms_core::linux::{Encoding, Width};

use super::markers::{self, STRIDE};
use super::meta::{Meta, Missing};
use super::tables::{Places, Tables};
use crate::{file, output};

const META: &str = "meta.json";
const NAMES: &str = "names.bin";
const MARKERS: &str = "markers.bin";
const NAMES_OFFSETS: &str = "names_offsets.bin";
const TOKEN_TABLE: &str = "token_table.bin";
const TOKEN_INDEX: &str = "token_index.bin";
const OFFSETS: &str = "offsets.bin";
const ADDRESSES: &str = "addresses.bin";
const SEQS_OF_NAMES: &str = "seqs_of_names.bin";
/// No table, and not read here.
const BTF: &str = "btf.bin";

/// Why a folder cannot be read or written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FolderError {
    /// A file of the folder cannot be read.
    #[error("{}: {reason}: a folder of tables needs this file (`kallsyms extract -o` writes one)", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        reason: String,
    },
    /// `meta.json` is not what it should be.
    #[error("{}: {reason}: correct it as docs/linux-folder.md says", path.display())]
    Meta {
        /// The file.
        path: PathBuf,
        /// What is wrong, with line and column.
        reason: String,
    },
    /// `meta.json` lacks a key that the tables need.
    #[error("{}: the key `{key}` is missing: the tables cannot be read without it", path.display())]
    MissingKey {
        /// The file.
        path: PathBuf,
        /// The key.
        key: &'static str,
    },
    /// There are no markers, and the names do not hold as many records as `meta.json` says.
    #[error(
        "{}: {} bytes are not the records of {num_syms} symbols: correct `num_syms` or `lengths` in meta.json, \
         or add markers.bin", path.display(), len
    )]
    NoMarkers {
        /// The file of the names.
        path: PathBuf,
        /// Its bytes.
        len: usize,
        /// Symbols that there should be.
        num_syms: u32,
    },
    /// The writing of the folder was interrupted.
    #[error("{}: the writing of this folder was interrupted: write it again", path.display())]
    Unfinished {
        /// The folder.
        path: PathBuf,
    },
    /// A file cannot be written.
    #[error("{}: {reason}: give a folder that can be written to", path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        reason: String,
    },
}

/// Whether a path is a folder with the files that mark a folder of tables.
#[must_use]
pub fn is_folder_of_tables(path: &Path) -> bool {
    path.join(META).is_file() && path.join(NAMES).is_file()
}

/// Reads a folder of tables; markers that it lacks are made from the names.
///
/// The contents are not checked: `kallsyms_core::linux::Kallsyms::new` does that.
///
/// # Errors
///
/// [`FolderError`].
pub fn read(folder: &Path) -> Result<Tables, FolderError> {
    let table = |name: &str| {
        let path = folder.join(name);
        file::read(&path).map_err(|error| FolderError::Unreadable { path, reason: error.to_string() })
    };
    let optional = |name: &str| if folder.join(name).exists() { table(name).map(Some) } else { Ok(None) };
    let meta_path = || folder.join(META);
    let missing = |Missing(key)| FolderError::MissingKey { path: meta_path(), key };

    let meta = table(META)?;
    if meta == UNFINISHED.as_bytes() {
        return Err(FolderError::Unfinished { path: folder.to_owned() });
    }
    let meta: Meta = serde_json::from_slice(&meta)
        .map_err(|error| FolderError::Meta { path: meta_path(), reason: error.to_string() })?;
    let names = table(NAMES)?;
    let places = if let Some(bytes) = optional(NAMES_OFFSETS)? {
        Places::Offsets { bytes, endian: meta.names_offsets_endian().map_err(missing)? }
    } else if let Some(bytes) = optional(MARKERS)? {
        let width = meta.marker_width().unwrap_or_else(|| likely_width(bytes.len(), meta.num_syms));
        Places::Markers { bytes, width }
    } else {
        let markers = markers::walk(&names, meta.num_syms, meta.lengths()).ok_or_else(|| {
            FolderError::NoMarkers { path: folder.join(NAMES), len: names.len(), num_syms: meta.num_syms }
        })?;
        let width = Width::Bits32;
        Places::Markers { bytes: markers::to_bytes(&markers, width, meta.endian()), width }
    };
    let encoding = meta.encoding().map_err(missing)?;
    if let Encoding::UnsignedBase { relative_base: address }
    | Encoding::SignedPercpu { relative_base: address }
    | Encoding::PcRelative { offsets_address: address } = encoding
        && meta.pointer() == Width::Bits32
        && u32::try_from(address).is_err()
    {
        let reason = format!("{address:#x} is no address of 32 bits, as `pointer_bits` says");
        return Err(FolderError::Meta { path: meta_path(), reason });
    }
    Ok(Tables {
        num_syms: meta.num_syms,
        pointer: meta.pointer(),
        endian: meta.endian(),
        encoding,
        lengths: meta.lengths(),
        names,
        places,
        token_table: table(TOKEN_TABLE)?,
        token_index: table(TOKEN_INDEX)?,
        offsets: table(address_file(encoding))?,
        seqs_of_names: optional(SEQS_OF_NAMES)?.unwrap_or_default(),
        name_order: meta.name_order(),
        facts: meta.into_facts(),
    })
}

/// Writes a folder of tables.
///
/// A new folder appears with all its files in it, or not at all. In one that is there, table files are replaced
/// or removed and other files stay: every new file lies beside its place before the first one takes it, and
/// until the last one has, [`read()`] refuses the folder as [`FolderError::Unfinished`]. So nobody reads a mixture,
/// whenever the writing ends.
///
/// # Errors
///
/// [`FolderError::Unwritable`].
pub fn write(tables: &Tables, folder: &Path) -> Result<(), FolderError> {
    write_files(tables, &[], &[], folder)
}

/// As [`write()`], with the BTF of the same kernel beside the tables; one of another kernel is removed.
///
/// # Errors
///
/// [`FolderError::Unwritable`].
pub fn write_with_btf(tables: &Tables, btf: Option<&[u8]>, folder: &Path) -> Result<(), FolderError> {
    let btf = btf.map(|bytes| (BTF, bytes));
    write_files(tables, btf.as_slice(), &[BTF], folder)
}

/// Writes the tables and other files; of `stale`, those that are not written are removed.
fn write_files(
    tables: &Tables,
    more: &[(&str, &[u8])],
    stale: &[&str],
    folder: &Path,
) -> Result<(), FolderError> {
    let mut files = vec![
        (NAMES, tables.names.as_slice()),
        (place_file(&tables.places), tables.places.bytes()),
        (TOKEN_TABLE, &tables.token_table),
        (TOKEN_INDEX, &tables.token_index),
        (address_file(tables.encoding), &tables.offsets),
    ];
    if !tables.seqs_of_names.is_empty() {
        files.push((SEQS_OF_NAMES, &tables.seqs_of_names));
    }
    let meta = serde_json::to_string_pretty(&Meta::of(tables))
        .map_err(|error| FolderError::Unwritable { path: folder.join(META), reason: error.to_string() })?
        + "\n";
    files.extend(more);
    files.push((META, meta.as_bytes()));

    if !folder.exists() {
        return output::new_folder(folder, &files).map_err(unwritable(folder));
    }
    let stale: Vec<&str> = REPLACED.iter().chain(stale).copied().collect();
    place(folder, &files, &stale)
}

/// Files that not every folder has.
const REPLACED: [&str; 5] = [MARKERS, NAMES_OFFSETS, OFFSETS, ADDRESSES, SEQS_OF_NAMES];

/// `meta.json` of a folder whose files are about to change; the new one comes last.
const UNFINISHED: &str = "{\"unfinished\": \"the writing of this folder was interrupted: write it again\"}\n";

/// Writes every file under another name, and only then lets them take their places.
fn place(folder: &Path, files: &[(&str, &[u8])], stale: &[&str]) -> Result<(), FolderError> {
    for name in files.iter().map(|(name, _)| *name).chain(stale.iter().copied()) {
        let path = folder.join(name);
        // A link could lead to what is somebody else's.
        if fs::symlink_metadata(&path).is_ok_and(|found| !found.is_file()) {
            return Err(unwritable(&path)(std::io::Error::other("is no regular file")));
        }
    }
    let mut staged = Vec::new();
    for (name, bytes) in files {
        let path = folder.join(name);
        let file = output::stage(&path, bytes, None).map_err(unwritable(&path))?;
        staged.push((path, file));
    }
    let meta = folder.join(META);
    output::replace(&meta, UNFINISHED.as_bytes(), None).map_err(unwritable(&meta))?;
    for stale in stale {
        let path = folder.join(stale);
        if path.exists() && files.iter().all(|(name, _)| name != stale) {
            fs::remove_file(&path).map_err(unwritable(&path))?;
        }
    }
    for (path, file) in staged {
        file.place().map_err(unwritable(&path))?;
    }
    Ok(())
}

fn unwritable(path: &Path) -> impl FnOnce(std::io::Error) -> FolderError {
    let path = path.to_owned();
    |error| FolderError::Unwritable { path, reason: error.to_string() }
}

/// The kernel's own word: addresses are no offsets.
fn address_file(encoding: Encoding) -> &'static str {
    if encoding == Encoding::Absolute { ADDRESSES } else { OFFSETS }
}

fn place_file(places: &Places) -> &'static str {
    match places {
        Places::Markers { .. } => MARKERS,
        Places::Offsets { .. } => NAMES_OFFSETS,
    }
}

/// Eight bytes a marker only where the file has them.
fn likely_width(len: usize, num_syms: u32) -> Width {
    let markers = (num_syms as usize).div_ceil(STRIDE);
    if markers > 0 && len == markers * Width::Bits64.bytes() { Width::Bits64 } else { Width::Bits32 }
}

#[cfg(test)]
#[path = "folder_tests.rs"]
mod tests;
