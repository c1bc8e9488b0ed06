//! No query and no text form allocates.

use std::fmt::{self, Write};

use kallsyms_core::glob::Glob;
use kallsyms_core::image::Native;
use kallsyms_core::linux::Kallsyms;
use kallsyms_core::query::Way;
use kallsyms_core::table::Layout;
use kallsyms_core::{Image, Reserved, SymbolIndex, Table};
use kallsyms_gen::build::build;
use kallsyms_gen::compress::Profile;
use kallsyms_gen::linux::write::{Options, own_symbols, write};
use kallsyms_host_tests::counting_alloc::{CountingAlloc, calls_during};
use kallsyms_host_tests::fixtures::{linux_like, sized};

#[global_allocator]
static ALLOCATOR: CountingAlloc = CountingAlloc;

/// A sink that counts what is written to it.
struct Count(usize);

impl Write for Count {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 += text.len();
        Ok(())
    }
}

fn images() -> Vec<Vec<u8>> {
    let mut images = Vec::new();
    for symbols in [linux_like(), sized()] {
        for profile in [Profile::Fast, Profile::Compact] {
            images.push(build(&symbols, profile, &mut |_, _| ()).expect("builds"));
        }
    }
    images
}

/// Runs a question on every image and wants no allocation and a result.
fn allocates_nothing(question: &str, ask: impl Fn(&Table<Native<'_>>) -> usize) {
    for (number, bytes) in images().iter().enumerate() {
        let image = Image::parse(bytes).expect("parses");
        let (result, calls) = calls_during(|| ask(&image));
        assert_eq!(calls, 0, "{question} on image {number}");
        assert_ne!(result, 0, "{question} on image {number} did nothing");
    }
}

fn written(text: impl fmt::Display) -> usize {
    let mut count = Count(0);
    write!(count, "{text}").expect("the sink takes everything");
    count.0
}

#[test]
fn the_allocator_counts() {
    let (kept, calls) = calls_during(|| Box::new(std::hint::black_box(7)));
    assert_eq!((*kept, calls), (7, 1));
}

#[test]
fn doors() {
    static EMPTY: Reserved<64> = Reserved::new();
    for bytes in images() {
        let (sound, calls) = calls_during(|| {
            let image = Image::parse(&bytes)?;
            image.verify()?;
            Image::open(&bytes).map(|image| image.len())
        });
        assert!(sound.is_ok_and(|symbols| symbols > 20));
        assert_eq!(calls, 0);
    }
    let (errors, calls) = calls_during(|| {
        let errors = [EMPTY.image().err(), EMPTY.open().err(), Image::parse(b"too short").err()];
        errors.iter().flatten().map(written).sum::<usize>()
    });
    assert!(errors > 100);
    assert_eq!(calls, 0);
}

#[test]
fn queries() {
    allocates_nothing("lookup_name", |image| {
        image
            .iter()
            .filter_map(|symbol| image.lookup_name(symbol.name().to_owned_name::<64>().ok()?.as_slice()))
            .count()
    });
    allocates_nothing("a miss", |image| usize::from(image.lookup_name("no_such_symbol").is_none()));
    allocates_nothing("lookup_all", |image| {
        image.lookup_all("s_next").count() + image.lookup_all("outer").count()
    });
    allocates_nothing("starting_with", |image| {
        image.starting_with("s").count() + image.starting_with("leaf_1").count()
    });
    allocates_nothing("iter", |image| image.iter().map(|symbol| usize::from(symbol.kind())).sum());
    allocates_nothing("symbol", |image| image.symbol(SymbolIndex(3)).map_or(0, |symbol| symbol.name().len()));
    allocates_nothing("lookup", |image| {
        let pcs = image.iter().map(|symbol| symbol.address() + 3);
        pcs.filter_map(|pc| image.lookup(pc)).filter_map(|found| found.size()).count()
    });
    allocates_nothing("lookup_return_address", |image| {
        image.iter().filter_map(|symbol| image.lookup_return_address(symbol.address() + 1)).count()
    });
    allocates_nothing("with_slide", |image| {
        let moved = image.with_slide(0x1000);
        image.iter().filter(|symbol| moved.lookup(symbol.address() + 0x1000).is_some()).count()
    });
    allocates_nothing("compare", |image| {
        let first = image.symbol(SymbolIndex(0)).map(|symbol| symbol.name());
        image.iter().filter(|symbol| first.as_ref().is_some_and(|first| symbol.name() == *first)).count()
    });
}

fn every_newer_query<L: Layout>(table: &Table<L>) -> usize {
    let names = ["s_next", "no_such_symbol", "step_1", "outer"];
    let mut out = [None; 4];
    let resolved: usize = [Way::Lookups, Way::Pass]
        .into_iter()
        .map(|way| {
            out.fill(None);
            table.resolve_by(way, &names, &mut out, |symbol| symbol.kind() != b'A')
        })
        .sum();
    let found = table.resolve(&names, &mut out) + table.matching(Glob::kernel("[a-z]*_*")).count();
    let stems = table.lookup_all_ignoring_llvm("s_next.llvm.5").count();
    let by_name = table.lookup_all("s_next").count() + table.starting_with("s").count();
    let mut ticks = 0;
    let tested = table.self_test(&mut [0; 256], || {
        ticks += 1;
        ticks
    });
    resolved + found + stems + by_name + tested.map_or(0, |report| report.symbols as usize)
}

/// The same on Linux's tables, and what both have that is newer.
#[test]
fn linux_tables_and_batches() {
    let tables = write(&own_symbols(&linux_like()), &Options::default()).expect("can be written");
    let (sound, calls) = calls_during(|| Kallsyms::new(tables.view()).map(|kallsyms| kallsyms.len()));
    assert!(sound.is_ok_and(|symbols| symbols > 20));
    assert_eq!(calls, 0);
    let kallsyms = tables.kallsyms().expect("sound");
    let (result, calls) = calls_during(|| every_newer_query(&kallsyms));
    assert_eq!(calls, 0);
    assert_ne!(result, 0);
    let mut buffer = vec![0; kallsyms.name_index_words()];
    let (indexed, calls) = calls_during(|| kallsyms.with_name_index(&mut buffer));
    assert_eq!(calls, 0);
    let (with_index, calls) = calls_during(|| every_newer_query(&indexed.expect("an index")));
    assert_eq!((with_index, calls), (result, 0));
    #[expect(clippy::redundant_closure, reason = "the function itself is not general enough")]
    allocates_nothing("batches and patterns", |image| every_newer_query(image));
    let written = |kallsyms: &Kallsyms<'_>| -> usize {
        kallsyms
            .iter()
            .map(|symbol| written(symbol.listing()) + written(kallsyms.describe(symbol.address())))
            .sum()
    };
    let (result, calls) = calls_during(|| written(&kallsyms));
    assert_eq!(calls, 0);
    assert_ne!(result, 0);
}

#[test]
fn text() {
    allocates_nothing("listing", |image| image.iter().map(|symbol| written(symbol.listing())).sum());
    allocates_nothing("name", |image| image.iter().map(written).sum());
    allocates_nothing("location", |image| {
        image.iter().filter_map(|symbol| image.lookup(symbol.address())).map(written).sum()
    });
    allocates_nothing("location with type", |image| {
        let mut count = Count(0);
        for location in image.iter().filter_map(|symbol| image.lookup(symbol.address())) {
            write!(count, "{location:#}").expect("the sink takes everything");
        }
        count.0
    });
    allocates_nothing("described", |image| {
        written(image.describe(0x1234_5678)) + written(image.describe_return_address(0xffff_ffff_8100_0045))
    });
    allocates_nothing("debug", |image| {
        let mut count = Count(0);
        write!(count, "{:?} {:?}", image.symbol(SymbolIndex(1)), image.lookup(0))
            .expect("the sink takes everything");
        count.0
    });
}
