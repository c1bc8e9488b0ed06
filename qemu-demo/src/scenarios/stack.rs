//! The stack that each question about the kernel's own table takes, asked for every symbol on a painted one.

#[path = "../../../kallsyms-core/examples/stack/questions.rs"]
#[expect(unreachable_pub, reason = "the example exports them")]
mod questions;

use crate::{painted, symbols};
use kallsyms_core::image::Native;
use kallsyms_core::name::OwnedName;
use kallsyms_core::{Image, Symbol};
use questions::{Answer, Ask, Asked, Kind};

/// Longest name that is asked for, longest text that is kept.
const NAME_BYTES: usize = 4096;
/// Longest name of the batch.
const BATCH_NAME_BYTES: usize = 96;
/// Names of the batch.
const BATCH: usize = 64;
/// Bytes that every call takes, that of no question, too: the return address, and the frame pointer that this
/// kernel is built with.
const EVERY_CALL: u64 = 16;
/// Symbols that a question is asked about which walks the whole table.
const WALKS: usize = 2;

pub(super) fn run() {
    let Some(image) = symbols::image() else { return };
    let mut batch = heapless::Vec::<OwnedName<BATCH_NAME_BYTES>, BATCH>::new();
    // From all over the table; a longer name is left out.
    let step = (image.len() as usize / BATCH).max(1);
    for name in image.iter().step_by(step).filter_map(|symbol| symbol.name().to_owned_name().ok()) {
        let _full = batch.push(name);
    }
    let names: heapless::Vec<&[u8], BATCH> = batch.iter().map(|name| name.as_slice()).collect();

    println!("bytes of stack that a question takes, at most, over {} symbols:", image.len());
    let nothing = deepest(&image, |_, _, _| (), 1, &names);
    for (question, kind, ask) in questions::all() {
        let about = if kind == Kind::Lookup { usize::MAX } else { WALKS };
        let bytes = deepest(&image, ask, about, &names) - nothing + EVERY_CALL;
        println!("  {question:<28} {:<6} {bytes:>5}", kind.text());
    }
}

/// Bytes of the stack at the deepest of a question about so many symbols.
#[inline(never)]
fn deepest<'t>(image: &Image<'t>, ask: Ask<Native<'t>>, about: usize, names: &[&[u8]]) -> u64 {
    let mut text = [0; NAME_BYTES];
    let mut slots = [None; BATCH];
    let slots = &mut slots[..names.len()];
    let mut answer = Answer { text: &mut text, len: 0, number: 0, slots };
    painted::paint();
    for symbol in image.iter().take(about) {
        let Ok(mut name) = symbol.name().to_owned_name::<NAME_BYTES>() else { continue };
        let mut about = |name: &[u8], address| {
            let asked =
                Asked { name, address, symbol: symbol.index(), pattern: b"*scenarios::*[a-r]un", names };
            answer.len = 0;
            painted::call(|| ask(image, &asked, &mut answer));
        };
        about(&name, symbol.address());
        // What no symbol has.
        let _longest = name.push(b'!');
        about(&name, inside(&symbol));
    }
    painted::used()
}

/// An address in the middle of a symbol.
fn inside(symbol: &Symbol<'_, Native<'_>>) -> u64 {
    symbol.address() + symbol.size().unwrap_or(0) / 2
}
