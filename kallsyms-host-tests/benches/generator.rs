//! What an image costs to build: time, memory, and whether two builds of the same symbols are the same bytes.
//!
//! `cargo bench -p kallsyms-host-tests --bench generator -- [SOURCE]…`: SOURCE is a text or an ELF file, `rust` for the
//! first 100,000 mangled names of the compiler's own library, or `synthetic:N`; by default `/proc/kallsyms`, `rust` and
//! `synthetic:1500000`, whose targets are printed beside: of CPU seconds, since a build alone on the machine takes no
//! longer than those, and of two threads less. Each build runs in a process of its own, from reading the
//! source to the image that has been asked for every symbol.

use std::path::PathBuf;
use std::process::{Command, Output, exit};
use std::time::Instant;
use std::{env, fs};

use kallsyms_gen::build::build;
use kallsyms_gen::compress::Profile;
use kallsyms_gen::input::{self, Demangling, Options};
use kallsyms_gen::linux::write::own_symbols;
use kallsyms_gen::symbols::Symbols;
use kallsyms_host_tests::tools::{Folder, run};
use kallsyms_host_tests::{machine, synthetic};

/// A source, and at most so many seconds and MiB.
const TARGETS: [(&str, f64, f64); 3] = [
    ("/proc/kallsyms", 2.0, f64::INFINITY),
    ("rust", 15.0, f64::INFINITY),
    ("synthetic:1500000", 60.0, 2048.0),
];

/// Mangled names of `rust`.
const RUST_NAMES: usize = 100_000;

/// What asks this program to build an image of a source into a file.
const BUILD: &str = "build-one";

fn main() {
    let arguments: Vec<String> = env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    if let [BUILD, source, file] = arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        return one(source, file);
    }
    let usual = TARGETS.map(|(source, ..)| source.to_owned());
    let sources = if arguments.is_empty() { &usual[..] } else { &arguments };
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    println!("{}, release; load {}", machine::description(), load.trim());
    println!(
        "A process a build, the second one beside the first; CPU seconds of reading the source are among the others"
    );
    println!(
        "{:<18} {:>8} {:>9} {:>12} {:>12} {:>8} {:>9}",
        "", "symbols", "bytes", "seconds", "CPU seconds", "reading", "peak MiB"
    );
    let differ = sources.iter().filter(|source| !two(source)).count();
    exit(i32::from(differ > 0));
}

/// Builds a source twice; whether both are the same.
fn two(source: &str) -> bool {
    let folder = Folder::new();
    let files = ["first", "second"].map(|name| folder.path().join(name));
    let mut builds = Vec::new();
    for file in &files {
        let program = env::current_exe().expect("this program");
        let output = Command::new(program).args([BUILD, source]).arg(file).output().expect("it starts");
        match Cost::of(&output) {
            Ok(cost) => builds.push(cost),
            Err(reason) => {
                println!("{source:<18} skipped: {reason}");
                return true;
            }
        }
    }
    let images = files.map(|file| fs::read(file).expect("an image"));
    let both = |value: fn(&Cost) -> f64| format!("{:.2} {:.2}", value(&builds[0]), value(&builds[1]));
    let (time, peak) = (builds[0].cpu.min(builds[1].cpu), builds[0].peak.max(builds[1].peak));
    println!(
        "{source:<18} {:>8} {:>9} {:>12} {:>12} {:>8.2} {peak:>9.0}{}",
        builds[0].symbols,
        images[0].len(),
        both(|cost| cost.seconds),
        both(|cost| cost.cpu),
        builds[0].reading,
        verdict(source, time, peak)
    );
    let same = images[0] == images[1];
    if !same {
        println!("{source:<18} FAILED: two builds differ");
    }
    same
}

fn verdict(source: &str, time: f64, peak: f64) -> String {
    let target = TARGETS.iter().find(|(name, ..)| *name == source);
    target.map_or_else(String::new, |(_, seconds, most)| {
        let missed = if time > *seconds || peak > *most { "  MISSED" } else { "" };
        let memory = if most.is_finite() { format!(" and {most} MiB") } else { String::new() };
        format!("  wanted: {seconds} s{memory}{missed}")
    })
}

/// What one process says of itself, in a line.
struct Cost {
    symbols: usize,
    seconds: f64,
    cpu: f64,
    reading: f64,
    peak: f64,
}

impl Cost {
    fn of(output: &Output) -> Result<Self, String> {
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).trim().to_owned());
        }
        let text = String::from_utf8_lossy(&output.stdout);
        let words: Vec<f64> = text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        match words[..] {
            [symbols, seconds, cpu, reading, peak] => {
                Ok(Self { symbols: symbols as usize, seconds, cpu, reading, peak })
            }
            _ => Err(format!("it prints {text}")),
        }
    }
}

/// Builds the image of a source into a file, and prints a [`Cost`].
fn one(source: &str, file: &str) {
    let start = Instant::now();
    let result = symbols(source).and_then(|symbols| {
        let reading = cpu_seconds();
        let image = build(&symbols, Profile::Fast, &mut |_, _| ()).map_err(|error| error.to_string())?;
        Ok((symbols.list.len(), reading, image))
    });
    let seconds = start.elapsed().as_secs_f64();
    match result {
        Ok((symbols, reading, image)) => {
            println!("{symbols} {seconds} {} {reading} {}", cpu_seconds(), peak_mib());
            fs::write(file, image).expect("it is written");
        }
        Err(error) => {
            eprintln!("{error}");
            exit(1);
        }
    }
}

fn symbols(source: &str) -> Result<Symbols, String> {
    if let Some(count) = source.strip_prefix("synthetic:") {
        return Ok(synthetic::symbols(count.parse().map_err(|_| "synthetic:N makes N symbols")?));
    }
    let mangled = source == "rust";
    let file = if mangled { compiler_library()? } else { source.into() };
    let bytes = fs::read(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    let demangling = if mangled { Demangling::Never } else { Demangling::Usual };
    let options = Options { demangling, ..Options::default() };
    let mut symbols = own_symbols(&input::read(&bytes, &options).map_err(|error| error.to_string())?.symbols);
    if mangled {
        symbols.list.retain(|symbol| symbol.name.starts_with(b"_R"));
        symbols.list.truncate(RUST_NAMES);
    }
    Ok(symbols)
}

/// The shared object that most of rustc is in.
fn compiler_library() -> Result<PathBuf, String> {
    let sysroot = run("rustc", ["--print", "sysroot"])?;
    let folder = PathBuf::from(String::from_utf8_lossy(&sysroot).trim()).join("lib");
    let entries = fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let name = |path: &PathBuf| {
        path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("librustc_driver-"))
    };
    let found = entries.flatten().map(|entry| entry.path()).find(name);
    found.ok_or_else(|| format!("{} holds no librustc_driver", folder.display()))
}

/// Of the whole process, threads too; NaN where there is no /proc.
fn cpu_seconds() -> f64 {
    /// In which every Linux counts for its users.
    const TICKS: f64 = 100.0;
    let text = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // Behind the name, which may hold anything, from the third field on.
    let fields = text.rsplit_once(')').map_or("", |(_, rest)| rest).split_whitespace();
    let ticks: Vec<f64> = fields.skip(11).take(2).filter_map(|field| field.parse().ok()).collect();
    if ticks.len() == 2 { ticks.iter().sum::<f64>() / TICKS } else { f64::NAN }
}

/// The most memory that was ever resident; NaN where there is no /proc.
fn peak_mib() -> f64 {
    let text = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB"));
    line.and_then(|kib| kib.parse::<f64>().ok()).map_or(f64::NAN, |kib| kib / 1024.0)
}
