use super::*;

use std::collections::BTreeMap;

use crate::linux::Facts;
use kallsyms_core::linux::{Endian, Lengths, NameOrder};

/// A folder that is removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("kallsyms-folder-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        Self(path)
    }

    fn files(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).expect("the folder").map(|entry| entry.expect("an entry"));
        let mut names: Vec<String> =
            entries.map(|entry| entry.file_name().into_string().expect("UTF-8")).collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Two symbols, `Ta` and `Tb`, each character its own token.
fn tables() -> Tables {
    Tables {
        num_syms: 2,
        pointer: Width::Bits64,
        endian: Endian::Little,
        encoding: Encoding::UnsignedBase { relative_base: 0xffff_ffff_8100_0000 },
        lengths: Some(Lengths::ByteOrTwo),
        names: vec![2, b'T', b'a', 2, b'T', b'b'],
        places: Places::Markers { bytes: vec![0; 4], width: Width::Bits32 },
        token_table: vec![0; 256],
        token_index: vec![0; 512],
        offsets: vec![0, 0, 0, 0, 16, 0, 0, 0],
        seqs_of_names: vec![0, 0, 0, 0, 0, 1],
        name_order: NameOrder::Whole,
        facts: Facts {
            kernel: Some("6.12.107".into()),
            kallsyms_all: Some(true),
            bounds: BTreeMap::from([("_stext".into(), 0xffff_ffff_8100_0000), ("zero".into(), 0)]),
        },
    }
}

#[test]
fn what_was_written_is_read() {
    let folder = Folder::new("round-trip");
    let base = tables();
    let percpu = Encoding::SignedPercpu { relative_base: 1 << 63 };
    let pc_relative = Encoding::PcRelative { offsets_address: u64::MAX };
    let by_offsets = |endian| Places::Offsets { bytes: vec![0, 0, 0, 3, 0, 0], endian };
    let old = Places::Markers { bytes: vec![0; 8], width: Width::Bits64 };
    let cases = [
        base.clone(),
        Tables { name_order: NameOrder::WithoutLlvm, ..base.clone() },
        Tables { encoding: percpu, endian: Endian::Big, ..base.clone() },
        Tables { encoding: pc_relative, seqs_of_names: vec![], ..base.clone() },
        Tables { encoding: Encoding::Offset, pointer: Width::Bits32, ..base.clone() },
        Tables { encoding: Encoding::Absolute, offsets: vec![7; 16], ..base.clone() },
        Tables { lengths: None, places: by_offsets(Endian::Big), ..base.clone() },
        Tables { lengths: Some(Lengths::Byte), places: by_offsets(Endian::Little), ..base.clone() },
        Tables { places: old, facts: Facts::default(), ..base },
    ];
    for tables in cases {
        write(&tables, &folder.0).expect("written");
        assert!(is_folder_of_tables(&folder.0));
        assert_eq!(read(&folder.0), Ok(tables));
    }
}

#[test]
fn tables_of_another_kind_leave_nothing_behind() {
    let folder = Folder::new("stale");
    write(&tables(), &folder.0).expect("written");
    fs::write(folder.0.join("symbols.txt"), "mine").expect("written");
    let places = Places::Offsets { bytes: vec![0, 0, 0, 0, 0, 3], endian: Endian::Big };
    let other = Tables { encoding: Encoding::Absolute, places, seqs_of_names: vec![], ..tables() };
    write(&other, &folder.0).expect("written");
    let expected = [
        "addresses.bin",
        "meta.json",
        "names.bin",
        "names_offsets.bin",
        "symbols.txt",
        "token_index.bin",
        "token_table.bin",
    ];
    assert_eq!(folder.files(), expected);
}

#[test]
fn markers_are_made_where_there_are_none() {
    let folder = Folder::new("markers");
    write(&tables(), &folder.0).expect("written");
    fs::remove_file(folder.0.join(MARKERS)).expect("removed");
    assert_eq!(read(&folder.0), Ok(tables()));
    fs::write(folder.0.join(NAMES), [2, b'T']).expect("written");
    let error = read(&folder.0).expect_err("the names end too early");
    assert!(matches!(error, FolderError::NoMarkers { len: 2, num_syms: 2, .. }), "{error}");
    assert!(error.to_string().contains("names.bin: 2 bytes are not the records of 2 symbols"), "{error}");
}

#[test]
fn a_file_of_64_bit_markers_shows_its_width() {
    assert_eq!(likely_width(8, 256), Width::Bits64);
    assert_eq!(likely_width(8, 257), Width::Bits32);
    assert_eq!(likely_width(0, 0), Width::Bits32);
}

#[test]
fn errors_name_the_file_and_the_key() {
    let folder = Folder::new("errors");
    let unreadable = read(&folder.0).expect_err("there is none").to_string();
    assert!(unreadable.contains("meta.json: "), "{unreadable}");
    let meta = |text: &str| {
        write(&tables(), &folder.0).expect("written");
        fs::write(folder.0.join(META), text).expect("written");
        read(&folder.0).expect_err("wrong").to_string()
    };
    let key = |key: &str, value: &str| {
        let mut keys = BTreeMap::from([
            ("num_syms", "2"),
            ("pointer_bits", "64"),
            ("endianness", "\"little\""),
            ("encoding", "\"pc-relative\""),
            ("offsets_va", "\"0x10\""),
        ]);
        keys.insert(key, value);
        let keys: Vec<String> = keys.iter().map(|(key, value)| format!("\"{key}\": {value}")).collect();
        meta(&format!("{{{}}}", keys.join(", ")))
    };
    for (name, value, message) in [
        ("num_syms", "-1", "meta.json: invalid value: integer `-1`, expected u32 at line 1"),
        ("pointer_bits", "16", "pointer_bits is 32 or 64, not 16"),
        ("endianness", "\"middle\"", "unknown variant `middle`, expected `little` or `big`"),
        ("encoding", "\"signed-percpu\"", "the key `relative_base` is missing"),
        ("encoding", "\"x\"", "unknown variant `x`, expected one of `absolute`, `unsigned-base`"),
        ("offsets_va", "\"10\"", "expected \"0x…\", found \"10\""),
        ("offsets_va", "\"0x+1\"", "expected \"0x…\", found \"0x+1\""),
        ("offsets_va", "16", "invalid type: integer `16`, expected a string"),
    ] {
        let error = key(name, value);
        assert!(error.contains(message), "{name}: {error}");
    }
    assert!(meta("").contains("meta.json: EOF while parsing"), "{}", meta(""));
    assert!(meta("{}").contains("missing field `num_syms`"), "{}", meta("{}"));

    write(&tables(), &folder.0).expect("written");
    fs::remove_file(folder.0.join(TOKEN_INDEX)).expect("removed");
    let error = read(&folder.0).expect_err("a file is missing").to_string();
    assert!(error.contains("token_index.bin: "), "{error}");
    fs::write(folder.0.join(TOKEN_INDEX), [0; 512]).expect("written");
    fs::write(folder.0.join(NAMES_OFFSETS), [0; 6]).expect("written");
    let error = read(&folder.0).expect_err("a key is missing").to_string();
    assert!(error.contains("`names_offsets_endianness` is missing"), "{error}");
    let file = folder.0.join(NAMES);
    let error = write(&tables(), &file).expect_err("a file stands there").to_string();
    assert!(error.contains("names.bin: "), "{error}");
}

/// Where one file cannot take its place, the folder is what it was.
#[test]
fn a_write_that_fails_leaves_the_folder_alone() {
    let folder = Folder::new("failed-write");
    write(&tables(), &folder.0).expect("written");
    fs::remove_file(folder.0.join(MARKERS)).expect("there");
    fs::create_dir(folder.0.join(MARKERS)).expect("a folder in its place");
    let before = folder.files();
    let other = Tables { places: Places::Offsets { bytes: vec![0; 6], endian: Endian::Little }, ..tables() };
    let refused = write(&other, &folder.0).expect_err("markers.bin cannot go");
    assert!(matches!(refused, FolderError::Unwritable { path, .. } if path.ends_with(MARKERS)));
    assert_eq!(folder.files(), before);
    let meta: Meta = serde_json::from_slice(&fs::read(folder.0.join(META)).expect("there")).expect("whole");
    assert_eq!(meta.encoding(), Ok(tables().encoding));
}

/// What an interrupted writing leaves is neither read nor foreign.
#[test]
fn an_unfinished_folder_is_refused_and_written_again() {
    let folder = Folder::new("unfinished");
    write(&tables(), &folder.0).expect("written");
    fs::write(folder.0.join(META), UNFINISHED).expect("written");
    assert_eq!(read(&folder.0), Err(FolderError::Unfinished { path: folder.0.clone() }));
    assert!(is_folder_of_tables(&folder.0));
    write(&tables(), &folder.0).expect("written");
    assert_eq!(read(&folder.0), Ok(tables()));
    assert!(folder.files().iter().all(|name| !name.starts_with('.')));
}

#[test]
fn a_base_beyond_the_pointer_is_refused() {
    let folder = Folder::new("wide-base");
    let wide = Tables { pointer: Width::Bits32, ..tables() };
    write(&wide, &folder.0).expect("written");
    let refused = read(&folder.0).expect_err("32 bits cannot hold the base");
    assert!(refused.to_string().contains("0xffffffff81000000"), "{refused}");
}

/// A folder that somebody else made could lead the writing to any file.
#[test]
#[cfg(unix)]
fn a_link_in_the_folder_is_not_followed() {
    let (folder, other) = (Folder::new("linked"), Folder::new("linked-to"));
    write(&tables(), &folder.0).expect("written");
    fs::create_dir_all(&other.0).expect("a folder");
    let precious = other.0.join("precious");
    fs::write(&precious, "precious").expect("written");
    fs::remove_file(folder.0.join(OFFSETS)).expect("removed");
    std::os::unix::fs::symlink(&precious, folder.0.join(OFFSETS)).expect("a link");
    let refused = write(&tables(), &folder.0).expect_err("a link");
    assert!(refused.to_string().contains("is no regular file"), "{refused}");
    assert_eq!(fs::read(&precious).expect("there"), b"precious");
}
