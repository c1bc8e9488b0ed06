//! ELF files: `embed`, `run`, `build --object`, and the symbols of a real program: this one.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::Command;

use kallsyms_core::{Error, Reserved};
use object::elf::{SHF_ALLOC, SHF_EXECINSTR};
use object::{Object, ObjectSection, ObjectSymbol, SectionFlags, SymbolKind};

use crate::{Folder, command, kallsyms, kallsyms_with_input};

/// Room for the table of this test program, which is its own test kernel.
static TABLE: Reserved<{ 4 << 20 }> = Reserved::new();

/// Not a test: what the copies of this program run to show their table.
#[test]
#[ignore = "started by the other tests in a copy of this program"]
fn show_table() {
    match TABLE.image() {
        Ok(image) => {
            println!("table {} {}", image.len(), image.lookup_name("cli::embed::show_table").is_some())
        }
        Err(error) => println!("no table: {error}"),
    }
}

const SHOW: [&str; 4] = ["--ignored", "--exact", "--nocapture", "embed::show_table"];

/// This program; reading the table keeps the linker from dropping it.
fn own_program() -> String {
    assert!(matches!(TABLE.image(), Err(Error::NotEmbedded)));
    std::env::current_exe().expect("this program").to_str().expect("a UTF-8 path").into()
}

/// Code symbols of this program, as another reader tells them: address, name, size.
fn code_symbols(program: &[u8]) -> BTreeSet<(u64, String, u64)> {
    let file = object::File::parse(program).expect("an ELF file");
    let is_code = |symbol: &object::Symbol<'_, '_>| {
        let section = symbol.section_index().and_then(|index| file.section_by_index(index).ok());
        section.is_some_and(|section| match section.flags() {
            SectionFlags::Elf { sh_flags, .. } => sh_flags.contains(SHF_ALLOC | SHF_EXECINSTR),
            _ => false,
        })
    };
    file.symbols()
        .filter(|symbol| matches!(symbol.kind(), SymbolKind::Text | SymbolKind::Unknown) && is_code(symbol))
        .map(|symbol| (symbol.address(), symbol.name().expect("UTF-8").to_owned(), symbol.size()))
        .filter(|(_, name, _)| !name.starts_with(".L") && !name.is_empty())
        .collect()
}

#[test]
fn an_embedded_table_is_read_by_the_program_that_carries_it() {
    let folder = Folder::new("embed");
    let (program, copy) = (own_program(), folder.path("copy"));
    let run = kallsyms(&["embed", &program, "-o", &copy]);
    assert_eq!((run.code, run.out.as_str()), (Some(0), ""), "{}", run.err);
    assert!(run.err.ends_with("of 4194304 bytes reserved in `cli::embed::TABLE`\n"), "{}", run.err);
    let symbols = kallsyms(&["list", &copy]).out.lines().count();
    let output = Command::new(&copy).args(SHOW).output().expect("the copy runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains(&format!("table {symbols} true\n")), "{text}");

    let before = folder.read("copy");
    assert_eq!(kallsyms(&["embed", &copy, "-o", &copy]).code, Some(0), "embedding again, in place");
    assert!(folder.read("copy") == before, "and it changes nothing");
    let run = kallsyms(&["verify", &copy, &program]);
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{}", run.out);
    let original = fs::read(&program).expect("this program");
    assert!(original.len() == before.len() && original != before);
}

#[test]
fn the_symbols_are_those_that_another_reader_finds() {
    let program = own_program();
    let expected = code_symbols(&fs::read(&program).expect("this program"));
    let run = kallsyms(&["list", "--mangled", &program]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let found: BTreeSet<(u64, &str)> = run
        .out
        .lines()
        .map(|line| {
            let (address, rest) = line.split_once(' ').expect("an address");
            (u64::from_str_radix(address, 16).expect("hexadecimal"), rest.split_once(' ').expect("a type").1)
        })
        .collect();
    assert_eq!(found, expected.iter().map(|(address, name, _)| (*address, name.as_str())).collect());

    // Where one sized symbol stands alone, its size is what the file says.
    let mut at = BTreeMap::<u64, Vec<(&str, u64)>>::new();
    for (address, name, size) in &expected {
        at.entry(*address).or_default().push((name, *size));
    }
    at.retain(|_, symbols| matches!(symbols[..], [(_, size)] if size != 0));
    assert!(at.len() > 1000, "{}", at.len());
    let addresses: String = at.keys().map(|address| format!("{address:x}\n")).collect();
    let output = kallsyms_with_input(&["addr", "--mangled", &program, "-"], addresses.as_bytes());
    let lines: String =
        at.values().map(|symbols| format!("{}+0x0/{:#x}\n", symbols[0].0, symbols[0].1)).collect();
    assert!(output.stdout == lines.as_bytes(), "{} sizes differ", at.len());
}

#[test]
fn names_are_those_that_a_person_types() {
    let program = own_program();
    let run = kallsyms(&["lookup", &program, "cli::embed::names_are_those_that_a_person_types"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(run.out.ends_with(" t cli::embed::names_are_those_that_a_person_types\n"), "{}", run.out);
}

#[test]
fn a_runner_starts_the_command_with_a_copy() {
    let folder = Folder::new("run");
    let kernel = folder.path("kernel");
    fs::copy(own_program(), &kernel).expect("a copy");
    let run = kallsyms(&[&["run", "--", "/usr/bin/env", "MARK=1", &kernel][..], &SHOW].concat());
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(run.out.contains("table ") && run.out.contains(" true\n"), "{}", run.out);
    assert!(fs::exists(folder.path("kernel.kallsyms")).expect("known"));
    let run = kallsyms(&["run", "sh", "-c", "exit 7", &kernel]);
    assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (Some(7), "", ""));
    assert_eq!(kallsyms(&["run", "sh", "-c", "kill -9 $$", &kernel]).code, Some(137));
    let run = kallsyms(&["run", "no-such-program", &kernel]);
    assert_eq!((run.code, run.err.as_str()), (Some(3), "kallsyms: no-such-program is not installed\n"));
    let output = command(&["run", &kernel]).env("PATH", "").output().expect("the command runs");
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(3));
    assert!(
        error.contains("qemu-system-x86_64 is not installed: install it with `apt-get install"),
        "{error}"
    );
    assert_eq!(kallsyms(&["run", "no-elf-file"]).code, Some(2));
}

#[test]
fn an_object_file_carries_the_image() {
    let folder = Folder::new("object");
    let (program, object) = (own_program(), folder.path("table.o"));
    assert_eq!(kallsyms(&["build", "--object", &program, "-o", &object]).code, Some(0));
    assert_eq!(kallsyms(&["build", &program, "-o", &folder.path("k.img")]).code, Some(0));
    let bytes = folder.read("table.o");
    let file = object::File::parse(bytes.as_slice()).expect("an ELF file");
    let section = file.section_by_name(".rodata.kallsyms").expect("the section");
    assert!(section.data().expect("bytes") == folder.read("k.img"));
    assert_eq!(section.align(), 64);
    assert_eq!(kallsyms(&["list", &object]).out, kallsyms(&["list", &program]).out);
}

#[test]
fn kernels_without_room_are_errors() {
    let folder = Folder::new("no-room");
    let program = env!("CARGO_BIN_EXE_kallsyms");
    let run = kallsyms(&["embed", program, "-o", &folder.path("copy")]);
    assert_eq!(run.code, Some(3));
    assert!(run.err.contains("no object symbol begins with the table's magic"), "{}", run.err);
    let text = folder.write("text", crate::TEXT);
    let run = kallsyms(&["embed", &text, "-o", &folder.path("copy")]);
    assert_eq!((run.code, run.err), (Some(3), format!("kallsyms: {text}: expected a linked ELF file\n")));
    assert!(!fs::exists(folder.path("copy")).expect("known"));
    let run = kallsyms(&["embed", &own_program(), "-o", &text]);
    assert_eq!(run.code, Some(2), "{}", run.err);
}
