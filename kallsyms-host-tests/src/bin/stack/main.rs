//! `cargo xtask stack` runs this: the stack that each question takes on tables of real symbols, a line each:
//! question, kind, layout and bytes, with tabs between them.
//!
//! The questions are those of the core's example `stack`, which the demo kernel asks, too.

mod beside;
#[path = "../../../../kallsyms-core/examples/stack/others.rs"]
#[expect(unreachable_pub, reason = "the example exports them")]
mod others;
#[path = "../../../../kallsyms-core/examples/stack/questions.rs"]
#[expect(unreachable_pub, reason = "the example exports them")]
mod questions;
mod tables;

use std::collections::BTreeMap;
use std::process::ExitCode;

use kallsyms_core::Table;
use kallsyms_core::table::{Layout, SymbolIndex};
use kallsyms_host_tests::asked::Asked as Drawn;
use kallsyms_host_tests::stack::used_by;

use questions::{Answer, Ask, Asked, Kind};

/// Bytes of the return address to a question's caller.
pub(crate) const RETURN_ADDRESS: usize = 8;
/// Times that a question is asked which walks the whole table.
const WALKS: usize = 2;

/// The deepest stack of each question on each layout.
pub(crate) type Depths = BTreeMap<(&'static str, &'static str, &'static str), usize>;

fn main() -> ExitCode {
    match tables::ask_all() {
        Ok((depths, of_a_kernel)) => {
            for ((question, kind, layout), bytes) in depths {
                println!("{question}\t{kind}\t{layout}\t{bytes}");
            }
            if of_a_kernel {
                println!("with a kernel's own tables");
            }
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("stack: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Asks every question of one table.
pub(crate) fn measure<L: Layout>(table: &Table<L>, layout: &'static str, drawn: &Drawn, depths: &mut Depths) {
    let batch: Vec<&[u8]> = drawn.batch.iter().map(|name| name.as_bytes()).collect();
    let names = drawn.hits.iter().chain(&drawn.misses);
    let asked: Vec<Asked<'_>> = drawn
        .addresses
        .iter()
        .cycle()
        .zip(names)
        .zip((0..table.len()).map(SymbolIndex).step_by((table.len() as usize / 2_000).max(1)).cycle())
        .map(|((&address, name), symbol)| Asked {
            name: name.as_bytes(),
            address,
            symbol,
            pattern: b"*_lock*[a-z]",
            names: &batch,
        })
        .collect();
    let nothing = depth_of(table, |_, _, _| (), &asked[..1]);
    for (question, kind, ask) in questions::all() {
        let times = if kind == Kind::Lookup { asked.len() } else { WALKS };
        let bytes = depth_of(table, ask, &asked[..times]) - nothing + RETURN_ADDRESS;
        let deepest = depths.entry((question, kind.text(), layout)).or_default();
        *deepest = bytes.max(*deepest);
    }
}

/// Bytes of the stack below the caller of a question, at the deepest of some.
fn depth_of<L: Layout>(table: &Table<L>, ask: Ask<L>, asked: &[Asked<'_>]) -> usize {
    let mut text = vec![0; 4_096];
    let mut slots = vec![None; asked.first().map_or(0, |asked| asked.names.len())];
    let mut answer = Answer { text: &mut text, len: 0, number: 0, slots: &mut slots };
    let all = || {
        for asked in asked {
            answer.len = 0;
            ask(table, asked, &mut answer);
        }
    };
    used_by(all).1
}
