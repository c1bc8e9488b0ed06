//! Function names → addresses, as a tracer attaches to them: by lookups, by one pass, by default; in our
//! image, in Linux's tables with markers and with 3-byte offsets, and by the kernel's own pass.
//!
//! `cargo bench -p kallsyms-host-tests --bench attach -- [SOURCE] [RUNS]`: SOURCE is a text as /proc/kallsyms
//! has it, by default the host's own. Every answer of every way is compared with the others'; the runs are
//! interleaved and the median of each is printed.

use std::time::{Duration, Instant};
use std::{env, fs, process};

use kallsyms_core::linux::{Endian, Kallsyms};
use kallsyms_core::query::Way;
use kallsyms_core::table::Layout;
use kallsyms_core::{Image, Table};
use kallsyms_gen::compress::Profile;
use kallsyms_gen::input::{self, Options};
use kallsyms_gen::linux::write::{self, PlaceForm, own_symbols};
use kallsyms_host_tests::machine;
use kallsyms_host_tests::peers::ftrace_pass;

const COUNTS: [usize; 4] = [1, 50, 3_344, 41_000];
const WAYS: [Option<Way>; 3] = [Some(Way::Lookups), Some(Way::Pass), None];

fn main() {
    let arguments: Vec<String> = env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    let source = arguments.first().map_or("/proc/kallsyms", String::as_str);
    let runs = arguments.get(1).map_or(15, |runs| runs.parse().expect("a number of runs"));
    let bytes = fs::read(source).expect("SOURCE can be read");
    let symbols = own_symbols(&input::read(&bytes, &Options::default()).expect("symbols").symbols);
    if symbols.list.iter().all(|symbol| symbol.address == 0) {
        println!("attach: skipped: {source} hides its addresses");
        process::exit(0);
    }
    let image = kallsyms_gen::build::build(&symbols, Profile::Fast, &mut |_, _| ()).expect("an image");
    let image = Image::parse(&image).expect("it is sound");
    let markers = write::write(&symbols, &write::Options::default()).expect("tables");
    let indexed = write::Options { places: PlaceForm::Offsets(Endian::Little), ..write::Options::default() };
    let indexed = write::write(&symbols, &indexed).expect("tables");
    let (markers, indexed) = (markers.kallsyms().expect("sound"), indexed.kallsyms().expect("sound"));

    let mut functions: Vec<&[u8]> = symbols
        .list
        .iter()
        .filter(|symbol| matches!(symbol.kind, b't' | b'T' | b'w' | b'W'))
        .map(|symbol| symbol.name.as_slice())
        .collect();
    functions.sort_unstable();
    functions.dedup();
    shuffle(&mut functions);

    let mut missed = false;
    println!("{}", machine::description());
    println!("{source}: {} symbols, {} function names; median of {runs} runs", image.len(), functions.len());
    println!(
        "{:>7}  {:<14} {:>11} {:>11} {:>11}  default/best",
        "names", "table", "lookups", "pass", "default"
    );
    for count in COUNTS.into_iter().filter(|&count| count < functions.len()).chain([functions.len()]) {
        let bench = Bench { names: &functions[..count], runs };
        let (expected, ours) = bench.table("image", &image);
        let (same, pass) = bench.table("linux, markers", &markers);
        assert_eq!(same, expected);
        let (same, offsets) = bench.table("linux, offsets", &indexed);
        assert_eq!(same, expected);
        missed |= [ours, pass, offsets].iter().any(|times| ratio(times[2], times[0].min(times[1])) > SLOWER);
        missed |= count == functions.len() && ratio(pass[1], ours[2]) < FASTER;
        let kernel = bench.kernel_pass(&markers, &expected);
        println!(
            "{count:>7}  image {:.1} times as fast as a pass over linux, markers; {:.1} as the kernel's own pass",
            ratio(pass[1], ours[2]),
            ratio(kernel, ours[2])
        );
    }
    if missed {
        println!(
            "MISSED: the default is over {SLOWER} of the better way, or the image under {FASTER} of a pass"
        );
        process::exit(1);
    }
}

/// The default may take this much of the better way's time.
const SLOWER: f64 = 1.25;
/// For all names our image is at least so many times as fast as a pass over Linux's tables.
const FASTER: f64 = 2.5;

struct Bench<'n> {
    names: &'n [&'n [u8]],
    runs: usize,
}

impl Bench<'_> {
    /// The answers, and the median times of the three ways.
    fn table<L: Layout>(&self, what: &str, table: &Table<L>) -> (Vec<Option<u64>>, [Duration; 3]) {
        let mut out = vec![None; self.names.len()];
        let mut expected: Option<Vec<Option<u64>>> = None;
        let mut times = [const { Vec::new() }; 3];
        for _ in 0..self.runs {
            for (way, times) in WAYS.into_iter().zip(&mut times) {
                // A pass takes as long for one name as for thousands; lookups of a few need repeating.
                let repeats = if way == Some(Way::Pass) { 1 } else { (20_000 / self.names.len()).max(1) };
                let mut run = || {
                    out.fill(None);
                    let found = match way {
                        Some(way) => table.resolve_by(way, self.names, &mut out, |_| true),
                        None => table.resolve(self.names, &mut out),
                    };
                    assert_eq!(found, self.names.len());
                };
                // Once before it counts: what ran last leaves the caches to its own liking.
                run();
                let start = Instant::now();
                (0..repeats).for_each(|_| run());
                times.push(start.elapsed() / u32::try_from(repeats).expect("few"));
                assert_eq!(expected.get_or_insert_with(|| out.clone()), &out);
            }
        }
        let medians = times.map(median);
        let [lookups, pass, default] = medians;
        println!(
            "{:>7}  {what:<14} {lookups:>11.1?} {pass:>11.1?} {default:>11.1?}  {:.2}",
            self.names.len(),
            ratio(default, lookups.min(pass))
        );
        (expected.expect("there are runs"), medians)
    }

    /// The kernel sorts the names before it begins, so that is not measured.
    fn kernel_pass(&self, kallsyms: &Kallsyms<'_>, expected: &[Option<u64>]) -> Duration {
        let mut sorted: Vec<(&[u8], Option<u64>)> =
            self.names.iter().copied().zip(expected.iter().copied()).collect();
        sorted.sort_unstable();
        let names: Vec<&[u8]> = sorted.iter().map(|(name, _)| *name).collect();
        let expected: Vec<Option<u64>> = sorted.iter().map(|(_, address)| *address).collect();
        let times = (0..self.runs).map(|_| {
            let start = Instant::now();
            let found = ftrace_pass::resolve(kallsyms, &names);
            let time = start.elapsed();
            assert_eq!(found, expected);
            time
        });
        let time = median(times.collect());
        println!("{:>7}  {:<14} {:>11} {time:>11.1?}", self.names.len(), "the kernel's", "");
        time
    }
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

fn ratio(one: Duration, other: Duration) -> f64 {
    one.as_secs_f64() / other.as_secs_f64()
}

/// The same order every time, and no order of the table.
fn shuffle<T>(list: &mut [T]) {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    for last in (1..list.len()).rev() {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        list.swap(last, (state % (last as u64 + 1)) as usize);
    }
}
