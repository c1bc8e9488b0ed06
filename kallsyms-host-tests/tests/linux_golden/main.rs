//! Real tables: opened as folders, written again, and asked what the kernel's own code was asked.

mod queries;

use std::fs;
use std::path::Path;

use kallsyms_core::linux::{Encoding, Endian, Width};
use kallsyms_gen::input;
use kallsyms_gen::linux::write::{Options, write};
use kallsyms_gen::linux::{Places, Tables, folder};
use kallsyms_host_tests::data;

const BASE: u64 = 0xffff_ffff_8100_0000;

#[test]
fn the_folder_of_6_12_opens() {
    let Some(path) = data::folder("the_folder_of_6_12_opens", "linux-6.12.107") else { return };
    let tables = folder::read(&path).expect("a folder of tables");
    assert_eq!((tables.num_syms, tables.pointer, tables.endian), (154_444, Width::Bits64, Endian::Little));
    assert_eq!(tables.encoding, Encoding::SignedPercpu { relative_base: BASE });
    let lengths = [&tables.names, &tables.offsets, &tables.seqs_of_names, &tables.token_index];
    assert_eq!(lengths.map(Vec::len), [2_129_941, 617_776, 463_332, 512]);
    assert_eq!(tables.facts.kernel.as_deref(), Some("6.12.107"));
    assert_eq!(tables.facts.kallsyms_all, Some(true));
    assert_eq!(tables.facts.bounds.get("_einittext"), Some(&0xffff_ffff_833a_85e4));
    markers_follow_from_the_names(&tables);
}

#[test]
fn the_made_up_folder_opens_with_each_of_its_offsets() {
    let test = "the_made_up_folder_opens_with_each_of_its_offsets";
    let Some(path) = data::folder(test, "synthetic-big") else { return };
    for (offsets, keys, encoding) in SYNTHETIC {
        let copy = Copy::with_offsets(&path, test, offsets, keys);
        let tables = folder::read(&copy.0).expect("a folder of tables");
        assert_eq!((tables.num_syms, tables.encoding), (1259, encoding));
        assert_eq!(tables.offsets, fs::read(path.join(offsets)).expect("the offsets"));
        markers_follow_from_the_names(&tables);
    }
}

/// The offsets of the made-up folder: file, what `meta.json` says of them, encoding.
const SYNTHETIC: [(&str, &str, Encoding); 3] = [
    ("offsets.bin", r#""encoding": "unsigned-base""#, Encoding::UnsignedBase { relative_base: BASE }),
    ("offsets_signed.bin", r#""encoding": "signed-percpu""#, Encoding::SignedPercpu { relative_base: BASE }),
    (
        "offsets_pcrel.bin",
        r#""encoding": "pc-relative", "offsets_va": "0xffffffff80f00000""#,
        Encoding::PcRelative { offsets_address: 0xffff_ffff_80f0_0000 },
    ),
];

/// A copy of a folder, removed at the end.
struct Copy(std::path::PathBuf);

impl Copy {
    fn with_offsets(folder: &Path, test: &str, offsets: &str, keys: &str) -> Self {
        let copy = Self(Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{test}-{offsets}")));
        fs::create_dir_all(&copy.0).expect("a folder");
        for file in ["names.bin", "markers.bin", "token_table.bin", "token_index.bin", "seqs_of_names.bin"] {
            fs::write(copy.0.join(file), fs::read(folder.join(file)).expect("a table")).expect("written");
        }
        fs::write(copy.0.join("offsets.bin"), fs::read(folder.join(offsets)).expect("the offsets"))
            .expect("written");
        let meta = fs::read_to_string(folder.join("meta.json")).expect("the keys");
        let was = r#""encoding": "unsigned-base""#;
        assert!(meta.contains(was));
        fs::write(copy.0.join("meta.json"), meta.replace(was, keys)).expect("written");
        copy
    }
}

impl Drop for Copy {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A folder without markers gets those that the kernel has.
fn markers_follow_from_the_names(tables: &Tables) {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("no-markers-{}", tables.names.len()));
    folder::write(tables, &path).expect("written");
    fs::remove_file(path.join("markers.bin")).expect("removed");
    let made = folder::read(&path).expect("a folder of tables");
    assert!(matches!(made.places, Places::Markers { width: Width::Bits32, .. }));
    assert!(made == *tables, "the markers differ");
    fs::remove_dir_all(&path).expect("removed");
}

/// The tables of the listing of a folder, as this encoding has them.
fn rewritten(path: &Path, options: &Options) -> Tables {
    let text = fs::read(path.join("symbols.txt")).expect("the listing");
    let input = input::read(&text, &input::Options::default()).expect("symbols");
    write(&input.symbols, options).expect("tables")
}

#[test]
fn the_writer_gives_the_bytes_of_6_12() {
    let Some(path) = data::folder("the_writer_gives_the_bytes_of_6_12", "linux-6.12.107") else { return };
    same_tables(&rewritten(&path, &Options::default()), &folder::read(&path).expect("a folder of tables"));
}

#[test]
fn the_writer_gives_the_bytes_of_the_made_up_folder() {
    let test = "the_writer_gives_the_bytes_of_the_made_up_folder";
    let Some(path) = data::folder(test, "synthetic-big") else { return };
    for (offsets, keys, encoding) in SYNTHETIC {
        let copy = Copy::with_offsets(&path, test, offsets, keys);
        let offsets_address = match encoding {
            Encoding::PcRelative { offsets_address } => Some(offsets_address),
            _ => None,
        };
        let options = Options { addresses: encoding.into(), offsets_address, ..Options::default() };
        same_tables(&rewritten(&path, &options), &folder::read(&copy.0).expect("a folder of tables"));
    }
}

/// Each table of the writer is the kernel's byte for byte.
fn same_tables(written: &Tables, kernel: &Tables) {
    assert_eq!((written.num_syms, written.encoding), (kernel.num_syms, kernel.encoding));
    assert!(written.token_table == kernel.token_table, "the tokens differ");
    assert!(written.token_index == kernel.token_index, "the index of the tokens differs");
    assert!(written.names == kernel.names, "the names differ");
    assert!(written.places == kernel.places, "the markers differ");
    assert!(written.seqs_of_names == kernel.seqs_of_names, "the order of the names differs");
    assert!(written.offsets == kernel.offsets, "the offsets differ");
}
