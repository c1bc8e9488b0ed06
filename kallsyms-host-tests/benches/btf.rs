//! BTF types by name: by bisection, by hash one at a time and in batches, beside libbpf in the same process.
//!
//! `cargo bench -p kallsyms-host-tests --features libbpf --bench btf -- [FILE] [RUNS]`: FILE is BTF as
//! `/sys/kernel/btf/vmlinux`, which is the default. Before anything is measured every answer of every way is
//! compared with libbpf's, duplicates and misses too. The runs are interleaved, each after one that does not
//! count; the lower quartile of each is printed, for others on the machine only ever make it slower. libbpf's linear search takes half a minute for all names: once, for its
//! answers; it is timed for every hundredth name.

use std::ffi::CString;
use std::hint::black_box;
use std::time::{Duration, Instant};
use std::{env, fs, process};

use kallsyms_core::btf::{Btf, Find, HashIndex, Kind, SortedBtf, TypeId};
use kallsyms_host_tests::machine;
use kallsyms_host_tests::peers::libbpf::{Libbpf, Search};

fn main() {
    let arguments: Vec<String> = env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    let file = arguments.first().map_or("/sys/kernel/btf/vmlinux", String::as_str);
    let runs = arguments.get(1).map_or(40, |runs| runs.parse().expect("a number of runs"));
    let bytes = match fs::read(file) {
        Ok(bytes) => bytes,
        Err(error) => {
            println!("btf: skipped: {file}: {error}");
            process::exit(0);
        }
    };
    let mut offsets = vec![0; bytes.len() / 12];
    let btf = Btf::parse_with_offsets(&bytes, &mut offsets).expect("BTF");
    let sorted_bytes = sorted_by_libbpf(&btf);
    let mut offsets = vec![0; bytes.len() / 12];
    let sorted = Btf::parse_with_offsets(&sorted_bytes, &mut offsets).expect("BTF");
    let sorted = SortedBtf::new(sorted).expect("it is sorted");
    let peer = Libbpf::open(&sorted_bytes).expect("libbpf takes its own");

    println!("{}, libbpf 1.7.0 of libbpf-sys", machine::description());
    println!(
        "{file}: {} types, {} of them with a name, all looked up in random order; lower quartile of {runs} runs",
        btf.own_len(),
        btf.named_len()
    );
    let mut bench = Bench { runs, missed: false };
    let names = names(&btf);
    bench.lookups(&btf, &sorted, &peer, &names);
    bench.opening(&bytes, &sorted_bytes);
    if bench.missed {
        process::exit(1);
    }
}

/// A name in memory of its own, as a loader has it.
type Name = (CString, Kind);

/// Names and kinds of all types with a name, in random order.
fn names(btf: &Btf<'_>) -> Vec<Name> {
    let named = btf.types().filter(|found| !found.name().is_empty());
    let mut names: Vec<Name> =
        named.map(|found| (CString::new(found.name()).expect("no NUL"), found.kind())).collect();
    let mut state = 1_u64;
    for place in (1..names.len()).rev() {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        names.swap(place, usize::try_from(state >> 33).expect("31 bits") % (place + 1));
    }
    names
}

/// The same types in the order of their names, by libbpf's own hand.
fn sorted_by_libbpf(btf: &Btf<'_>) -> Vec<u8> {
    let mut order: Vec<_> = btf.types().map(|found| (found.name(), found.id())).collect();
    order.sort_unstable();
    let mut new_ids = vec![0; order.len() + 1];
    for (new_id, (_, TypeId(old_id))) in (1..).zip(order) {
        new_ids[usize::try_from(old_id).expect("32 bits")] = new_id;
    }
    let mut peer = Libbpf::open(btf.as_bytes()).expect("libbpf takes it");
    peer.permute(&new_ids, None).expect("a permutation");
    let bytes = peer.raw_data().expect("its data");
    let mut again = Libbpf::open(&bytes).expect("libbpf takes its own");
    assert_eq!(again.search(), Some(Search::Bisection), "libbpf has to bisect");
    bytes
}

struct Bench {
    runs: usize,
    missed: bool,
}

impl Bench {
    fn lookups(&mut self, btf: &Btf<'_>, sorted: &SortedBtf<'_>, peer: &Libbpf<'_>, names: &[Name]) {
        let mut words = vec![0; HashIndex::words(btf)];
        let mut other_words = vec![0; words.len()];
        let index = HashIndex::build(*btf, &mut words).expect("an index");
        let asked: Vec<(&[u8], Kind)> = names.iter().map(|(name, kind)| (name.as_bytes(), *kind)).collect();
        let mut out = vec![None; asked.len()];
        let linear_peer = Libbpf::open(btf.as_bytes()).expect("libbpf takes it");

        agree(sorted, peer, names);
        let linear_ids: Vec<_> =
            names.iter().map(|(name, kind)| linear_peer.find(name, kind.number())).collect();
        for ((name, kind), id) in asked.iter().zip(&linear_ids) {
            assert_eq!(index.find_id(name, *kind).map(|TypeId(id)| id), *id);
        }
        index.find_many(&asked, &mut out);
        assert!(out.iter().zip(&linear_ids).all(|(ours, theirs)| ours.map(|TypeId(id)| id) == *theirs));

        let some: Vec<&Name> = names.iter().step_by(100).collect();
        let [linear, theirs, bisection, one, many, typed, build] = self.quartiles([
            &mut || each(&some, |(name, kind)| linear_peer.find(name, kind.number())),
            &mut || each(names, |(name, kind)| peer.find(name, kind.number())),
            &mut || each(&asked, |(name, kind)| sorted.find_id(name, *kind)),
            &mut || each(&asked, |(name, kind)| index.find_id(name, *kind)),
            &mut || done(index.find_many(&asked, &mut out)),
            &mut || each(&asked, |(name, kind)| index.find(name, *kind)),
            &mut || done(HashIndex::build(*btf, &mut other_words)),
        ]);
        let mean = |time: Duration| time.as_secs_f64() * 1e9 / names.len() as f64;
        println!("{:<46} {:>9.1} ns", "libbpf, sorted", mean(theirs));
        let linear = linear.mul_f64(names.len() as f64 / some.len() as f64);
        println!("{:<46} {:>9.1} ns", "libbpf, linear", mean(linear));
        self.wanted("bisection", mean(bisection), "ns", ratio(theirs, bisection), 1.3);
        self.wanted("index", mean(one), "ns", ratio(theirs, one), 6.0);
        self.wanted("index, eight at a time", mean(many), "ns", ratio(theirs, many), 10.0);
        println!("{:<46} {:>9.1} ns", "index, and the type's record", mean(typed));
        println!("{:<46} {:>9.2} ms", "building the index", build.as_secs_f64() * 1e3);
        let all = build + many;
        self.wanted(
            "all of them in one call, the index built first",
            ms(all),
            "ms",
            ratio(linear, all),
            3000.0,
        );
    }

    fn opening(&mut self, bytes: &[u8], sorted_bytes: &[u8]) {
        let mut offsets = vec![0; bytes.len() / 12];
        let mut offsets_too = vec![0; bytes.len() / 12];
        let sorted = Btf::parse(sorted_bytes).expect("BTF");
        let mut words = vec![0; HashIndex::words(&sorted)];
        let [theirs, ours, indexed, order] = self.quartiles([
            &mut || done(Libbpf::open(bytes)),
            &mut || done(Btf::parse_with_offsets(bytes, &mut offsets)),
            &mut || {
                let btf = Btf::parse_with_offsets(bytes, &mut offsets_too).expect("BTF");
                done(HashIndex::build(btf, &mut words));
            },
            &mut || done(SortedBtf::new(sorted)),
        ]);
        println!("{:<46} {:>9.2} ms", "btf__new", ms(theirs));
        self.wanted("parse, all checks, offset of every type", ms(ours), "ms", ratio(theirs, ours), 2.0);
        println!(
            "{:<46} {:>9.2} ms  {:>8.1} ×",
            "the same, and the hash index",
            ms(indexed),
            ratio(theirs, indexed)
        );
        println!(
            "{:<46} {:>9.2} ms{}",
            "check of order",
            ms(order),
            if ms(order) <= 2.0 { "" } else { "  MISSED: 2 ms" }
        );
        self.missed |= ms(order) > 2.0;
    }

    /// A line, and whether it is as many times as fast as it has to be.
    fn wanted(&mut self, what: &str, value: f64, unit: &str, times: f64, wanted: f64) {
        let missed = times < wanted;
        let verdict = if missed { "MISSED, " } else { "" };
        println!("{what:<46} {value:>9.2} {unit}  {times:>8.1} × ({verdict}wanted {wanted})");
        self.missed |= missed;
    }

    fn quartiles<const N: usize>(&self, mut ways: [&mut dyn FnMut(); N]) -> [Duration; N] {
        let mut times = [const { Vec::new() }; N];
        for _ in 0..self.runs {
            for (way, times) in ways.iter_mut().zip(&mut times) {
                // Once before it counts: what ran last leaves the caches to its own liking.
                way();
                let start = Instant::now();
                way();
                times.push(start.elapsed());
            }
        }
        times.map(|mut times| {
            times.sort_unstable();
            times[times.len() / 4]
        })
    }
}

/// Compares every answer on the sorted file with libbpf's: each name with each kind that any type has, and
/// names that are nearly those.
fn agree(sorted: &SortedBtf<'_>, peer: &Libbpf<'_>, names: &[Name]) {
    let mut words = vec![0; HashIndex::words(sorted.btf())];
    let index = HashIndex::build(*sorted.btf(), &mut words).expect("an index");
    let id = |id: Option<TypeId>| id.map(|TypeId(id)| id);
    let mut found = 0;
    for (name, _) in names {
        let missing = [name.as_bytes(), b"~"].concat();
        for name in [name.clone(), CString::new(missing).expect("no NUL")] {
            for kind in (1..=19).map(Kind::from_number) {
                let expected = peer.find(&name, kind.number());
                found += usize::from(expected.is_some());
                assert_eq!(id(sorted.find_id(name.as_bytes(), kind)), expected, "{name:?} {kind}");
                assert_eq!(id(index.find_id(name.as_bytes(), kind)), expected, "{name:?} {kind}");
            }
        }
    }
    assert!(found >= names.len());
    println!("{} answers, {found} of them types, are libbpf's", names.len() * 2 * 19);
}

/// Asks one question after the other.
fn each<T, A>(of: &[T], ask: impl Fn(&T) -> A) {
    of.iter().for_each(|one| done(ask(one)));
}

/// What has been computed, in spite of nobody's looking at it.
fn done<A>(answer: A) {
    black_box(answer);
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn ratio(of: Duration, to: Duration) -> f64 {
    of.as_secs_f64() / to.as_secs_f64()
}
