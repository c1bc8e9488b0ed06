//! Symbols as a Linux kernel has them, as many as are asked for and the same in every run.
//!
//! Shares as in Debian's kernels: of 1,000 symbols 2 are percpu and stand at the start, 670 text, about half of
//! them `__pfx_` padding before a function, 75 constants, 215 data, the rest bss.

mod names;
mod words;

use kallsyms_gen::symbols::{Symbol, Symbols};
use names::Names;

use crate::random::Random;
use crate::symbols::{sorted, symbol};

/// Fewer would not hold one of each kind.
pub const LEAST: usize = 256;

/// More would not fit between the start of the text and the end of the addresses.
pub const MOST: usize = 3_000_000;

const TEXT: u64 = 0xffff_ffff_8100_0000;
/// What a function is aligned to, and the bytes of the padding before it.
const LINE: u64 = 16;
/// What a section is aligned to.
const SECTION: u64 = 0x20_0000;

/// `count` symbols, in table order.
///
/// # Panics
///
/// Where `count` is not from [`LEAST`] to [`MOST`].
#[must_use]
pub fn symbols(count: usize) -> Symbols {
    assert!((LEAST..=MOST).contains(&count), "from {LEAST} to {MOST} symbols, not {count}");
    let mut writer = Writer {
        random: Random::new(0x9e37_79b9_7f4a_7c15),
        names: Names::new(),
        list: Vec::with_capacity(count),
        at: 0,
    };
    let share = |of_thousand: usize| (count * of_thousand).div_ceil(1_000);
    writer.data(share(2), b"A");
    writer.at = TEXT;
    writer.mark("_stext", b'T', 0);
    writer.mark("_text", b'T', 0);
    writer.text(share(670));
    writer.mark("_etext", b'T', 0);
    writer.section(share(75), b"rrrrR");
    writer.section(share(215), b"ddddD");
    let rest = count - writer.list.len() - 1;
    writer.section(rest, b"bbBBB");
    writer.mark("_end", b'B', 0);
    sorted(writer.list)
}

/// Puts one symbol behind the other.
struct Writer {
    random: Random,
    names: Names,
    list: Vec<Symbol>,
    at: u64,
}

impl Writer {
    /// A symbol here, and the next one behind it.
    fn mark(&mut self, name: &str, kind: u8, size: u64) {
        self.list.push(symbol(self.at, kind, name));
        self.at += size;
    }

    /// Functions with the padding before most of them, and behind all of them their cold parts.
    fn text(&mut self, count: usize) {
        let end = self.list.len() + count;
        let mut cold = Vec::new();
        while self.list.len() + cold.len() < end {
            let name = self.names.function(&mut self.random);
            let kind = *self.random.one_of(b"tT");
            let room = end - self.list.len() - cold.len();
            if room >= 2 && self.random.below(1_000) < 930 {
                self.mark(&format!("__pfx_{name}"), b't', LINE);
            }
            if room >= 4 && self.random.below(500) == 0 {
                self.mark(&format!("__pi_{name}"), kind, 0);
            }
            let size = self.function_size();
            if room >= 4 && self.random.below(20) == 0 {
                cold.push(format!("{name}.cold"));
            }
            self.mark(&name, kind, size);
        }
        for name in cold {
            let size = 1 + self.random.below(120) as u64;
            self.mark(&name, b't', size);
        }
    }

    /// Most functions are short, a few are not.
    fn function_size(&mut self) -> u64 {
        let lines = match self.random.below(100) {
            0..55 => 1 + self.random.below(6),
            55..90 => 4 + self.random.below(16),
            _ => 16 + self.random.below(64),
        };
        lines as u64 * LINE
    }

    /// Data in a section of its own.
    fn section(&mut self, count: usize, kinds: &[u8]) {
        self.at = self.at.next_multiple_of(SECTION);
        self.data(count, kinds);
    }

    fn data(&mut self, count: usize, kinds: &[u8]) {
        for _ in 0..count {
            let name = self.names.data(&mut self.random);
            let kind = *self.random.one_of(kinds);
            let words = 1 + self.random.below(4) * self.random.below(8);
            self.mark(&name, kind, words as u64 * 8);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, HashSet};

    use kallsyms_gen::input::{Options, read};

    use super::*;

    fn listing(symbols: &Symbols) -> String {
        let line = |symbol: &Symbol| {
            let name = str::from_utf8(&symbol.name).expect("letters");
            format!("{:016x} {} {name}\n", symbol.address, char::from(symbol.kind))
        };
        symbols.list.iter().map(line).collect()
    }

    fn crc(text: &str) -> u32 {
        let mut crc = flate2::Crc::new();
        crc.update(text.as_bytes());
        crc.sum()
    }

    #[test]
    fn they_are_the_same_in_every_run() {
        let crcs = [LEAST, 1_000, 20_000].map(|count| crc(&listing(&symbols(count))));
        assert_eq!(
            crcs,
            [0x4b5a_e710, 0x3c17_f72c, 0x3caf_06ec],
            "what is counted over these symbols is no longer comparable"
        );
    }

    #[test]
    fn they_are_what_their_own_text_is_read_as() {
        let symbols = symbols(5_000);
        let again = read(listing(&symbols).as_bytes(), &Options::default()).expect("a listing").symbols;
        assert_eq!(again, symbols);
    }

    #[test]
    fn shares_are_those_of_a_kernel() {
        for count in [LEAST, 1_000, 50_000] {
            let symbols = symbols(count);
            assert_eq!(symbols.list.len(), count);
            assert!(symbols.list.is_sorted_by_key(|symbol| symbol.address));
        }
        let symbols = symbols(50_000);
        let percent = |fits: &dyn Fn(&Symbol) -> bool| {
            symbols.list.iter().filter(|symbol| fits(symbol)).count() as f64 / 500.0
        };
        let padding = percent(&|symbol| symbol.name.starts_with(b"__pfx_"));
        assert!((29.0..34.0).contains(&padding), "{padding} % padding");
        let cold = percent(&|symbol| symbol.name.ends_with(b".cold"));
        assert!((1.0..3.0).contains(&cold), "{cold} % cold");
        let kinds: HashSet<u8> = symbols.list.iter().map(|symbol| symbol.kind).collect();
        assert_eq!(kinds, HashSet::from(*b"AtTrRdDbB"));
        let mut counts: HashMap<&[u8], usize> = HashMap::new();
        symbols.list.iter().for_each(|symbol| *counts.entry(&symbol.name).or_default() += 1);
        let shared = percent(&|symbol| counts[symbol.name.as_slice()] > 1);
        assert!((1.0..2.0).contains(&shared), "{shared} % of the symbols share their name");
        let bytes: usize = symbols.list.iter().map(|symbol| symbol.name.len()).sum();
        let mean = bytes as f64 / 50_000.0;
        assert!((22.0..26.0).contains(&mean), "{mean} bytes a name");
        let aligned =
            percent(&|symbol| symbol.kind.eq_ignore_ascii_case(&b't') && symbol.address % LINE == 0);
        assert!((64.0..67.0).contains(&aligned), "{aligned} % aligned text");
    }
}
