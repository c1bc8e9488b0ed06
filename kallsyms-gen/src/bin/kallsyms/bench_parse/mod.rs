//! `kallsyms bench-parse`.

mod measure;
mod perf_loop;
mod readers;

use std::fmt::Write as _;
use std::fs;
use std::hint::black_box;
use std::io::{Write, stdout};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, Result};
use kallsyms_core::glob::Glob;
use kallsyms_core::procfs;
use measure::Times;
use readers::{CHUNK, Questions, Reader, Sink};

use crate::cli::BenchParseArgs;
use crate::{NOT_FOUND, Usage, files, say};

/// Every question with perf's way to answer it and ours.
const PAIRS: [(&str, Reader, Reader); 4] = [
    ("every symbol", Reader::PerfWhole, Reader::OursWhole),
    ("in chunks of the file", Reader::PerfChunks, Reader::OursChunks),
    ("one name", Reader::PerfName, Reader::OursName),
    ("a pattern", Reader::PerfPattern, Reader::OursPattern),
];

pub(crate) fn bench_parse(args: &BenchParseArgs) -> Result<ExitCode> {
    let name = files::name(&args.file);
    let live =
        "is not a saved file, which can be read again and again: copy /proc/kallsyms and give the copy";
    if args.file.as_os_str() == files::STANDARD {
        return Err(Usage(format!("{name} {live}")).into());
    }
    let text = files::read(&args.file)?;
    if fs::metadata(&args.file).with_context(|| name.clone())?.len() != text.len() as u64 {
        return Err(Usage(format!("{name} {live}")).into());
    }
    let entries: Vec<_> = procfs::kallsyms(&text).collect::<Result<_, _>>().with_context(|| name.clone())?;
    let middle = entries.get(entries.len() / 2).with_context(|| format!("{name}: no symbols"))?;
    let questions = Questions {
        path: &args.file,
        text: &text,
        name: args.name.as_ref().map_or(middle.name, |name| name.as_encoded_bytes()),
        pattern: Glob::libbpf(args.pattern.as_encoded_bytes()),
    };
    if let Some(difference) = difference(&questions)? {
        say(format_args!("kallsyms: {name}: {difference}"));
        return Ok(ExitCode::from(NOT_FOUND));
    }
    let times = measure(&questions, args.runs)?;
    stdout().write_all(report(&questions, &times, args.runs)?.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

/// What perf's loop and ours do not agree on, if there is such a thing.
fn difference(questions: &Questions<'_>) -> Result<Option<String>> {
    let digest = |reader: Reader| -> Result<Digest> {
        let mut digest = Digest::default();
        reader.read(questions, &mut digest)?;
        Ok(digest)
    };
    for (question, perf, ours) in PAIRS {
        let (perf, ours) = (digest(perf)?, digest(ours)?);
        if perf != ours {
            return Ok(Some(format!("{question}: perf's loop reads {perf:x?}, ours {ours:x?}")));
        }
    }
    Ok(None)
}

/// All readers in turn, so that what disturbs the machine disturbs all.
fn measure(questions: &Questions<'_>, runs: u32) -> Result<[[Times; 2]; PAIRS.len()]> {
    let mut times: [[Times; 2]; PAIRS.len()] = Default::default();
    for _ in 0..runs {
        for ((_, perf, ours), times) in PAIRS.into_iter().zip(&mut times) {
            let mut sums = [perf, ours].into_iter().zip(times).map(|(reader, times)| -> Result<Sum> {
                let mut sum = Sum::default();
                let start = Instant::now();
                reader.read(black_box(questions), &mut sum)?;
                times.add(start.elapsed());
                Ok(sum)
            });
            let (perf, ours) = (sums.next().transpose()?, sums.next().transpose()?);
            anyhow::ensure!(perf == ours, "{}: changed while it was measured", files::name(questions.path));
        }
    }
    Ok(times)
}

fn report(questions: &Questions<'_>, times: &[[Times; 2]; PAIRS.len()], runs: u32) -> Result<String> {
    let megabytes = questions.text.len() as f64 / 1e6;
    let mut text = String::new();
    let mut digest = Digest::default();
    Reader::OursWhole.read(questions, &mut digest)?;
    writeln!(
        text,
        "{megabytes:.2} MB, {} symbols, checksum {:#018x}: all readers agree\n\
         {runs} runs, the readers in turn; mean ± standard error, chunks of {} KiB\n\n\
         {:<22} {:>7}  {:<12} {:>15} {:>15} {:>7} {:>15}",
        digest.symbols,
        digest.sum,
        CHUNK / 1024,
        "",
        "symbols",
        "",
        "ms",
        "GB/s",
        "best",
        "× perf's loop"
    )?;
    for ((question, _, ours), [perf_times, our_times]) in PAIRS.into_iter().zip(times) {
        let mut sum = Sum::default();
        ours.read(questions, &mut sum)?;
        let ratio = perf_times.mean().over(our_times.mean());
        for (reader, times, ratio) in [("perf's loop", perf_times, None), ("ours", our_times, Some(ratio))] {
            let milliseconds = times.mean();
            let rate = milliseconds.under(megabytes / 1e3);
            let ratio = ratio.map(|ratio| format!("{:.2} ± {:.2}", ratio.value, ratio.error));
            writeln!(
                text,
                "{:<22} {:>7}  {reader:<12} {:>15} {:>15} {:>7.2} {:>15}",
                question,
                sum.symbols,
                format!("{:.3} ± {:.3}", milliseconds.value * 1e3, milliseconds.error * 1e3),
                format!("{:.2} ± {:.2}", rate.value, rate.error),
                megabytes / 1e3 / times.best(),
                ratio.unwrap_or_default()
            )?;
        }
    }
    writeln!(
        text,
        "\nname    {}\npattern {}",
        String::from_utf8_lossy(questions.name),
        String::from_utf8_lossy(questions.pattern.pattern())
    )?;
    Ok(text)
}

/// What is done with a symbol while the clock runs: as little as shows that it was read.
#[derive(Debug, Default, PartialEq, Eq)]
struct Sum {
    symbols: u64,
    sum: u64,
}

impl Sink for Sum {
    #[inline]
    fn take(&mut self, address: u64, kind: u8, name: &[u8], module: Option<&[u8]>) {
        let column = module.map_or(0, |module| module.len() + "\t[]".len());
        let first = name.first().copied().unwrap_or_default();
        self.symbols += 1;
        self.sum = self.sum.wrapping_add(address).wrapping_add(u64::from(kind) << 8 | u64::from(first));
        self.sum = self.sum.wrapping_add(((name.len() + column) as u64) << 32);
    }
}

/// A checksum over every byte of every symbol in order (FNV-1a).
#[derive(Debug, PartialEq, Eq)]
struct Digest {
    symbols: u64,
    sum: u64,
}

impl Default for Digest {
    fn default() -> Self {
        Self { symbols: 0, sum: 0xcbf2_9ce4_8422_2325 }
    }
}

impl Digest {
    fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.sum = (self.sum ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
    }
}

impl Sink for Digest {
    fn take(&mut self, address: u64, kind: u8, name: &[u8], module: Option<&[u8]>) {
        self.symbols += 1;
        self.add(&address.to_le_bytes());
        self.add(&[kind]);
        self.add(name);
        if let Some(module) = module {
            [b"\t[", module, b"]"].into_iter().for_each(|part| self.add(part));
        }
        self.add(b"\n");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    /// Everything that every reader gives for a text.
    fn read(text: &[u8], name: &str, pattern: &str) -> Vec<(Reader, u64, u64)> {
        let path = std::env::temp_dir().join(format!("kallsyms-bench-parse-{}-{name}", std::process::id()));
        fs::write(&path, text).expect("a file for temporary use");
        let questions =
            Questions { path: Path::new(&path), text, name: name.as_bytes(), pattern: Glob::libbpf(pattern) };
        let readers = PAIRS.into_iter().flat_map(|(_, perf, ours)| [perf, ours]);
        let digests = readers.map(|reader| {
            let mut digest = Digest::default();
            reader.read(&questions, &mut digest).expect("is sound");
            (reader, digest.symbols, digest.sum)
        });
        let digests = digests.collect();
        fs::remove_file(&path).expect("is still there");
        digests
    }

    #[test]
    fn readers_agree() {
        let mut text = String::new();
        for n in 0..5_000_u64 {
            let module = if n % 3 == 0 { "\t[xfs]" } else { "" };
            writeln!(
                text,
                "{:016x} t name_{}_{}{module}",
                n << 40 | n,
                n % 1_000,
                "x".repeat(n as usize % 90)
            )
            .expect("a String takes everything");
        }
        writeln!(text, "ffffffff81000000 T plain\t[xfs]\nffffffff81000000 T plain").expect("as above");
        assert!(text.len() > 3 * CHUNK);
        let answers = read(text.as_bytes(), "plain", "*_999_*");
        for pair in answers.chunks(2) {
            assert_eq!((pair[0].1, pair[0].2), (pair[1].1, pair[1].2), "{:?} {:?}", pair[0].0, pair[1].0);
        }
        let symbols: Vec<u64> = answers.iter().map(|&(_, symbols, _)| symbols).collect();
        assert_eq!(symbols, [5_002, 5_002, 5_002, 5_002, 2, 2, 5, 5]);
    }

    /// The faults of perf's loop, which ours lacks, are those of the original.
    #[test]
    fn perfs_loop_is_perfs() {
        let mut seen = Vec::new();
        let text = b"1ffffffff81000000 T digits\n\nffffffff81000010 t swallowed?\nffffffff81000020\n\
            ffffffff81000030 t module\t[xfs]\nffffffff81000040 t last";
        perf_loop::parse(perf_loop::Whole(text), &mut |address, kind, name| {
            seen.push((address, kind, String::from_utf8_lossy(name).into_owned()));
        });
        // A high digit is lost; a blank line and an address alone take the next line with them.
        let expected = [(0xffff_ffff_8100_0000, b'T', "digits"), (0xffff_ffff_8100_0040, b't', "last")];
        assert_eq!(seen, expected.map(|(address, kind, name)| (address, kind, name.to_owned())));
    }
}
