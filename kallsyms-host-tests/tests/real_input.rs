//! Real symbols: the host kernel's /proc/kallsyms, and this test program itself.

use std::collections::{BTreeMap, BTreeSet};

use kallsyms_core::linux::{Endian, Width};
use kallsyms_core::table::Layout;
use kallsyms_core::{Image, Table};
use kallsyms_gen::build::build;
use kallsyms_gen::compress::Profile;
use kallsyms_gen::error::Error;
use kallsyms_gen::input::{Demangling, Options, read};
use kallsyms_gen::linux::write::{self, PlaceForm, own_symbols, write};
use kallsyms_gen::symbols::Symbols;
use kallsyms_host_tests::skip::skip;
use object::{Object, ObjectSection, ObjectSymbol, SectionFlags, SymbolKind};

fn image_of(symbols: &Symbols) -> Vec<u8> {
    build(symbols, Profile::Fast, &mut |_, _| ()).expect("builds")
}

/// Every line, and every question about it, against a second reading of the text by `str::split`.
#[test]
fn proc_kallsyms() {
    let name = "proc_kallsyms";
    let Ok(text) = std::fs::read_to_string("/proc/kallsyms") else {
        return skip(name, "/proc/kallsyms cannot be read");
    };
    let input = match read(text.as_bytes(), &Options::default()) {
        Ok(input) => input,
        Err(Error::Hidden { .. }) => return skip(name, "addresses are hidden (kernel.kptr_restrict)"),
        Err(error) => panic!("{error}"),
    };
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_by_key(|line| u64::from_str_radix(&line[..16], 16).expect("an address"));
    let bytes = image_of(&input.symbols);
    answers_as_the_text(&Image::parse(&bytes).expect("parses"), &lines);
    // Linux's tables hold the kernel's own symbols, and here every address is asked, not only those of its
    // gate.
    lines.retain(|line| !line.contains('\t'));
    let own = own_symbols(&input.symbols);
    for places in [PlaceForm::Markers(Width::Bits32), PlaceForm::Offsets(Endian::Little)] {
        let tables =
            write(&own, &write::Options { places, ..write::Options::default() }).expect("can be written");
        answers_as_the_text(&tables.kallsyms().expect("sound").with_bounds(None), &lines);
    }
}

fn answers_as_the_text<L: Layout>(table: &Table<L>, lines: &[&str]) {
    assert_eq!(table.len() as usize, lines.len());
    for (symbol, line) in table.iter().zip(lines) {
        assert_eq!(symbol.listing().to_string(), *line);
    }
    let mut by_name = BTreeMap::<&str, Vec<u64>>::new();
    let mut addresses = BTreeSet::new();
    for line in lines {
        let address = u64::from_str_radix(&line[..16], 16).expect("an address");
        let name = line[19..].split('\t').next().expect("a name");
        by_name.entry(name).or_default().push(address);
        addresses.insert(address);
    }
    for (name, expected) in &by_name {
        let found: Vec<u64> = table.lookup_all(*name).map(|symbol| symbol.address()).collect();
        assert_eq!(&found, expected, "{name}");
        assert!(table.lookup_name(&format!("{name}\u{1}")).is_none());
    }
    let names: Vec<&str> = by_name.keys().copied().collect();
    let expected: Vec<Option<u64>> = by_name.values().map(|addresses| addresses.first().copied()).collect();
    let mut slots = vec![None; names.len()];
    assert_eq!(table.resolve(&names, &mut slots), names.len());
    assert_eq!(slots, expected);
    let sorted: Vec<u64> = addresses.into_iter().collect();
    for pair in sorted.windows(2) {
        for pc in [pair[0], pair[0].midpoint(pair[1]), pair[1] - 1] {
            let found = table.lookup(pc).expect("lies between two symbols");
            assert_eq!(pc - found.offset(), pair[0]);
        }
    }
}

/// Every function of this program: its demangled name is found, its bytes are its own, and nothing else is in
/// the table.
#[test]
fn own_program() {
    let path = std::env::current_exe().expect("the program knows its path");
    let bytes = std::fs::read(&path).expect("can be read");
    let Ok(file) = object::File::parse(&*bytes) else { return skip("own_program", "no object file") };
    if file.format() != object::BinaryFormat::Elf {
        return skip("own_program", "test programs are no ELF files on this host");
    }
    let executable = |symbol: &object::Symbol<'_, '_>| {
        let section = symbol.section_index().and_then(|index| file.section_by_index(index).ok());
        section.is_some_and(|section| match section.flags() {
            SectionFlags::Elf { sh_flags, .. } => {
                let code = object::elf::SHF_ALLOC | object::elf::SHF_EXECINSTR;
                sh_flags & code == code
            }
            _ => false,
        })
    };
    let functions: Vec<_> =
        file.symbols().filter(|symbol| symbol.kind() == SymbolKind::Text && executable(symbol)).collect();
    assert!(functions.len() > 1_000, "only {} functions", functions.len());
    for demangling in [Demangling::Usual, Demangling::Never] {
        let input = read(&bytes, &Options { demangling, ..Options::default() }).expect("is an ELF file");
        let image = image_of(&input.symbols);
        let image = Image::parse(&image).expect("parses");
        for function in &functions {
            let mangled = function.name().expect("a name");
            let name = match demangling {
                Demangling::Never => mangled.to_owned(),
                _ => format!("{:#}", rustc_demangle::demangle(mangled)),
            };
            if demangling != Demangling::Never && (mangled.contains(".llvm.") || name == mangled) {
                continue; // another demangler's, or a suffix that is dropped
            }
            let here = image.lookup_all(&name).find(|symbol| symbol.address() == function.address());
            let here = here.unwrap_or_else(|| panic!("{name} is not found at {:#x}", function.address()));
            if function.size() == 0 {
                continue;
            }
            assert_eq!(here.size(), Some(function.size()), "{name}");
            let first = image.lookup(function.address()).expect("its own start");
            assert_eq!(first.symbol().address(), function.address());
            let last = image.lookup(function.address() + function.size() - 1).expect("its last byte");
            assert!(last.symbol().address() >= function.address(), "{name}");
            let after = image.lookup_return_address(function.address() + function.size());
            assert!(after.is_some_and(|after| after.symbol().address() >= function.address()), "{name}");
        }
    }
}
