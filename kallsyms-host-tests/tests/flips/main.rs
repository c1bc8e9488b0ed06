//! Flipped bits and cut ends, many of them: an error, or answers within bounds; and the checksum notices each.
//!
//! `FLIPS` tells how many there are of each kind of table, [`FEW`] by default; `cargo xtask flips` asks for 100,000.

mod images;
mod linux;

use kallsyms_gen::input::{self, Options};
use kallsyms_gen::symbols::{Symbol, Symbols};
use kallsyms_host_tests::random::Random;

/// Damages where nobody asks for more.
const FEW: usize = 5_000;

/// Damages of each kind of table.
fn count() -> usize {
    std::env::var("FLIPS").map_or(FEW, |count| count.parse().expect("FLIPS is a number"))
}

/// Symbols of this program: functions as a compiler names them.
fn real_symbols(count: usize) -> Symbols {
    let program = std::fs::read(std::env::current_exe().expect("a path")).expect("this program");
    let whole = input::read(&program, &Options::default()).expect("an ELF file with symbols").symbols;
    let middle = whole.list.iter().skip(whole.list.len() / 2).filter(|symbol| symbol.parent.is_none());
    let list: Vec<Symbol> = middle.take(count).cloned().collect();
    assert_eq!(list.len(), count, "{} symbols", whole.list.len());
    Symbols { list, covered_last: None, ..whole }
}

/// The bits that are flipped: of half of the damages one, of the others up to eight anywhere, or up to eight side
/// by side.
fn bits(random: &mut Random, len: usize) -> Vec<usize> {
    let first = random.below(8 * len);
    let more = random.below(7) + 1;
    let mut bits = match random.below(4) {
        0 => (0..=more).map(|_| random.below(8 * len)).collect(),
        1 => (first..8 * len).take(more + 1).collect(),
        _ => vec![first],
    };
    // A bit that is flipped twice is none.
    bits.sort_unstable();
    bits.dedup();
    bits
}

fn flip(bytes: &mut [u8], bits: &[usize]) {
    for bit in bits {
        bytes[bit / 8] ^= 1 << (bit % 8);
    }
}
