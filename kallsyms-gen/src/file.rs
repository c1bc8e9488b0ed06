//! Whole files, up to a size that no input has.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Most bytes of an input.
pub const LARGEST: u64 = 4 << 30;

/// Reads a file; it is not mapped, because files of /proc tell no size.
///
/// # Errors
///
/// The system's, also where the memory does not suffice; or there are more than [`LARGEST`] bytes, of which
/// none are read where the file tells its size.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let file = File::open(path)?;
    let len = file.metadata()?.len();
    if len > LARGEST {
        return Err(too_large());
    }
    // One byte more shows the end without another allocation.
    read_at_most(file, LARGEST, usize::try_from(len).unwrap_or(0).saturating_add(1))
}

/// Reads to the end of what may tell no size, as stdin.
///
/// # Errors
///
/// As [`read`].
pub fn read_from(reader: impl Read) -> io::Result<Vec<u8>> {
    read_at_most(reader, LARGEST, 0)
}

fn read_at_most(reader: impl Read, most: u64, room: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(room).map_err(io::Error::other)?;
    reader.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most { Err(too_large()) } else { Ok(bytes) }
}

fn too_large() -> io::Error {
    io::Error::new(io::ErrorKind::FileTooLarge, "more than 4 GiB: no input is so large")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_than_the_most_is_read() {
        assert_eq!(read_at_most(&b"1234"[..], 4, 0).expect("as many"), b"1234");
        let refused = read_at_most(io::repeat(0), 4, 0).expect_err("without end");
        assert_eq!(refused.to_string(), "more than 4 GiB: no input is so large");
        let folder = tempfile::tempdir().expect("a folder");
        let sparse = folder.path().join("sparse");
        File::create(&sparse).and_then(|file| file.set_len(LARGEST + 1)).expect("made");
        assert_eq!(read(&sparse).expect_err("too large").kind(), io::ErrorKind::FileTooLarge);
        assert!(read_at_most(io::empty(), 0, usize::MAX).is_err(), "no such room");
    }
}
