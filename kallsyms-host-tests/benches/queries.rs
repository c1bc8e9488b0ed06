//! Single functions: `cargo bench -p kallsyms-host-tests --bench queries [-- FILTER]`, over the made-up symbols that
//! `cargo xtask instructions` counts over. What these times are beside those of others is `cargo compare`.

use std::fmt::{self, Write};
use std::hint::black_box;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion};
use kallsyms_core::glob::Glob;
use kallsyms_core::table::Layout;
use kallsyms_core::{Image, Table};
use kallsyms_gen::linux::write::write;
use kallsyms_host_tests::asked::Asked;
use kallsyms_host_tests::fixtures::image_of;
use kallsyms_host_tests::synthetic;

const SYMBOLS: usize = 20_000;

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    image(&mut criterion);
    linux(&mut criterion);
    criterion.final_summary();
}

fn image(criterion: &mut Criterion) {
    let symbols = synthetic::symbols(SYMBOLS);
    let bytes = image_of(&symbols);
    let mut group = criterion.benchmark_group("image");
    group.bench_function("open", |bencher| bencher.iter(|| Image::open(black_box(&bytes))));
    group.bench_function("parse", |bencher| bencher.iter(|| Image::parse(black_box(&bytes))));
    let image = Image::parse(&bytes).expect("it is sound");
    questions(&mut group, &image, &Asked::of(&symbols));
}

fn linux(criterion: &mut Criterion) {
    let symbols = synthetic::symbols(SYMBOLS);
    let tables = write(&symbols, &Default::default()).expect("tables");
    let mut group = criterion.benchmark_group("linux");
    group.bench_function("new", |bencher| bencher.iter(|| black_box(&tables).kallsyms()));
    let kallsyms = tables.kallsyms().expect("they are sound");
    questions(&mut group, &kallsyms, &Asked::of(&symbols));
}

/// Every question; of names and addresses another one each time.
fn questions<L: Layout>(group: &mut BenchmarkGroup<'_, WallTime>, table: &Table<L>, asked: &Asked) {
    each(group, "lookup_name, hit", &asked.hits, |name| table.lookup_name(name).map(|found| found.address()));
    each(group, "lookup_name, miss", &asked.misses, |name| table.lookup_name(name).is_none());
    each(group, "lookup_all", &asked.hits, |name| table.lookup_all(name).count());
    each(group, "lookup", &asked.addresses, |address| table.lookup(*address).map(|found| found.offset()));
    let mut length = Length(0);
    each(group, "describe", &asked.addresses, |address| write!(length, "{}", table.describe(*address)));
    black_box(length.0);
    let mut whole = |name: &str, ask: &mut dyn FnMut() -> u64| {
        group.bench_function(name, |bencher| bencher.iter(&mut *ask));
    };
    whole("walk", &mut || {
        let len =
            |symbol: kallsyms_core::Symbol<'_, L>| symbol.name().fragments().map(<[u8]>::len).sum::<usize>();
        table.iter().map(len).sum::<usize>() as u64
    });
    whole("starting_with", &mut || {
        table.starting_with(asked.prefix).fold(0, |sum, symbol| sum ^ symbol.address())
    });
    whole("matching", &mut || {
        table.matching(Glob::kernel("*lock*")).fold(0, |sum, symbol| sum ^ symbol.address())
    });
    let mut slots = vec![None; asked.batch.len()];
    whole("resolve, 3,344 names", &mut || table.resolve(&asked.batch, &mut slots) as u64);
}

fn each<T, A>(group: &mut BenchmarkGroup<'_, WallTime>, name: &str, of: &[T], mut ask: impl FnMut(&T) -> A) {
    let mut next = of.iter().cycle();
    group.bench_function(name, |bencher| bencher.iter(|| next.next().map(&mut ask)));
}

/// Counts what is written.
struct Length(usize);

impl Write for Length {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 += text.len();
        Ok(())
    }
}
