//! What the kernel's own code answers from the tables, through a folder as SOURCE.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use kallsyms_core::linux::Kallsyms;
use kallsyms_gen::linux::folder;
use kallsyms_gen::source::{AnyTable, Origin, Source};
use kallsyms_host_tests::data;

use crate::{Copy, SYNTHETIC};

/// Asks the table of a folder.
fn ask(path: &Path, questions: impl FnOnce(&Kallsyms<'_>)) {
    let source = Source::of_tables(folder::read(path).expect("a folder of tables")).expect("sound tables");
    assert_eq!(source.origin(), Origin::Linux);
    let AnyTable::Linux(kallsyms, _) = source.table().expect("sound tables") else { panic!("an image") };
    questions(&kallsyms);
}

fn rows(text: &str) -> impl Iterator<Item = Vec<&str>> {
    text.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').collect())
}

fn hexadecimal(text: &str) -> u64 {
    u64::from_str_radix(text, 16).expect("hexadecimal")
}

#[test]
fn every_symbol_of_6_12_is_listed() {
    let Some(path) = data::folder("every_symbol_of_6_12_is_listed", "linux-6.12.107") else { return };
    ask(&path, |kallsyms| is_listed(kallsyms, &path));
}

#[test]
fn every_symbol_of_the_made_up_folder_is_listed() {
    let test = "every_symbol_of_the_made_up_folder_is_listed";
    let Some(path) = data::folder(test, "synthetic-big") else { return };
    for (offsets, keys, _) in SYNTHETIC {
        let copy = Copy::with_offsets(&path, test, offsets, keys);
        ask(&copy.0, |kallsyms| is_listed(kallsyms, &path));
    }
}

fn is_listed(kallsyms: &Kallsyms<'_>, path: &Path) {
    let listing = fs::read_to_string(path.join("symbols.txt")).expect("the listing");
    let mut lines = listing.lines();
    let mut text = String::new();
    for (symbol, line) in kallsyms.iter().zip(&mut lines) {
        text.clear();
        write!(text, "{}", symbol.listing()).expect("written");
        assert_eq!(text, line);
    }
    assert_eq!((lines.next(), kallsyms.len() as usize), (None, listing.lines().count()));
}

#[test]
fn addresses_of_6_12_are_what_the_kernel_prints() {
    let test = "addresses_of_6_12_are_what_the_kernel_prints";
    let Some(path) = data::folder(test, "linux-6.12.107") else { return };
    let golden = fs::read_to_string(path.join("golden_addr.tsv")).expect("the answers");
    let mut count = 0;
    ask(&path, |kallsyms| {
        for row in rows(&golden) {
            let [address, symbol, no_offset, backtrace] = row[..] else { panic!("{row:?}") };
            let address = hexadecimal(address);
            assert_eq!(kallsyms.describe(address).to_string(), symbol, "{address:x}");
            assert_eq!(kallsyms.describe(address).without_offset().to_string(), no_offset, "{address:x}");
            assert_eq!(kallsyms.describe_return_address(address).to_string(), backtrace, "{address:x}");
            count += 1;
        }
    });
    assert_eq!(count, 3530);
}

#[test]
fn names_of_6_12_lead_to_what_the_kernel_finds() {
    let test = "names_of_6_12_lead_to_what_the_kernel_finds";
    let Some(path) = data::folder(test, "linux-6.12.107") else { return };
    let golden = fs::read_to_string(path.join("golden_name.tsv")).expect("the answers");
    let mut count = 0;
    ask(&path, |kallsyms| {
        for row in rows(&golden) {
            let [name, first, matches, all] = row[..] else { panic!("{row:?}") };
            let found: Vec<u64> = kallsyms.lookup_all(name).map(|symbol| symbol.address()).collect();
            let all: Vec<u64> = all.split(',').filter(|text| !text.is_empty()).map(hexadecimal).collect();
            assert_eq!((found.len(), &found), (matches.parse().expect("a number"), &all), "{name}");
            let one = kallsyms.lookup_name(name).map(|symbol| symbol.address());
            assert_eq!((one, one.unwrap_or(0)), (all.first().copied(), hexadecimal(first)), "{name}");
            count += 1;
        }
    });
    assert_eq!(count, 1206);
}
