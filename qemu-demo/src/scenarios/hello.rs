//! The table's own figures and every question that it answers.

use crate::symbols;
use core::hint::black_box;
use kallsyms_core::Image;
use kallsyms_core::image::layout::SectionKind;
use kallsyms_core::name::OwnedName;

/// What every function of this file is named after.
const OWN: &str = "qemu_demo::scenarios::hello::";
/// Longest name that the list of a prefix copies.
const NAME_BYTES: usize = 64;

pub(super) fn run() {
    let Some(image) = symbols::image() else { return };
    figures(&image);
    by_name(&image);
    by_address(&image);
    misses(&image);
    duplicates(&image);
    prefix(&image);
}

#[inline(never)]
fn figures(image: &Image<'_>) {
    let (symbols, bytes) = (u64::from(image.len()), image.as_bytes().len() as u64);
    let tenths = bytes * 10 / symbols;
    println!("table: {symbols} symbols in {bytes} bytes, {}.{} bytes a symbol", tenths / 10, tenths % 10);
    let records = image.section_len(SectionKind::Records);
    println!("names and addresses: {records} bytes in codes of {} bits", image.header().code_bits);
    println!("whole table walked: {}", if image.verify().is_ok() { "sound" } else { "damaged" });
}

#[inline(never)]
fn by_name(image: &Image<'_>) {
    let name = "qemu_demo::scenarios::hello::by_name";
    let Some(symbol) = image.lookup_name(name) else { return println!("{name} is not there") };
    let own = by_name as *const () as u64;
    println!("by name: {}", symbol.listing());
    println!("this is where it runs: {}", own == symbol.address());
}

#[inline(never)]
fn by_address(image: &Image<'_>) {
    let start = by_address as *const () as u64;
    println!("by address: {}", image.describe(start));
    println!("by address: {}", image.describe(start + 4));
    if let Some(location) = image.lookup(start + 4) {
        println!("with its type: {location:#}");
    }
}

#[inline(never)]
fn misses(image: &Image<'_>) {
    let name = "qemu_demo::scenarios::hello::no_such_function";
    println!("a miss by name: {}", image.lookup_name(name).is_none());
    println!("a miss by address: {}", image.describe(0x1000));
}

/// Two functions of one name: a path does not tell the blocks of a function apart.
#[inline(never)]
fn duplicates(image: &Image<'_>) {
    {
        #[inline(never)]
        fn twin(value: u64) -> u64 {
            black_box(value) + 1
        }
        black_box(twin(black_box(1)));
    }
    {
        #[inline(never)]
        fn twin(value: u64) -> u64 {
            black_box(value) * 3
        }
        black_box(twin(black_box(1)));
    }
    for symbol in image.lookup_all("qemu_demo::scenarios::hello::duplicates::twin") {
        println!("a name used twice: {}", symbol.listing());
    }
}

#[inline(never)]
fn prefix(image: &Image<'_>) {
    let mut names = heapless::Vec::<OwnedName<NAME_BYTES>, 16>::new();
    names.extend(image.starting_with(OWN).filter_map(|symbol| symbol.name().to_owned_name().ok()));
    names.sort_unstable();
    for name in &names {
        println!("of this file: {}", str::from_utf8(name).unwrap_or("?"));
    }
}
