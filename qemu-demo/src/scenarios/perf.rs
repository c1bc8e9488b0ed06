//! What a query costs in guest instructions; every answer is checked first.

use crate::cpu::counter::instructions;
use crate::symbols;
use core::fmt::{self, Write};
use core::hint::black_box;
use kallsyms_core::image::Native;
use kallsyms_core::name::OwnedName;
use kallsyms_core::{Image, Symbol};

/// Longest name that is measured.
const NAME_BYTES: usize = 4096;

pub(super) fn run() {
    let Some(image) = symbols::image() else { return };
    if let Err(what) = check(&image) {
        println!("wrong answer: {what}");
        crate::exit::exit(crate::exit::Outcome::Usage)
    }
    println!("every answer about {} symbols is right; instructions a query, over all of them:", image.len());
    let overhead = overhead();
    let row = |what, cost| row(what, cost, overhead);
    row("name hit", by_name(&image, false));
    row("name miss", by_name(&image, true));
    row("address without name", by_address(&image, |_, _| {}));
    row(
        "address with name and offset",
        by_address(&image, |symbol, offset| {
            let _never = write!(Sink, "{}+{offset:#x}", symbol.name());
        }),
    );
    row(
        "name without offset",
        by_address(&image, |symbol, _| {
            symbol.name().fragments().for_each(|piece| {
                black_box(piece);
            });
        }),
    );
    row("full walk, a symbol", walk(&image));
}

/// Mean and maximum of some costs.
#[derive(Default)]
struct Cost {
    count: u64,
    sum: u64,
    worst: u64,
}

impl Cost {
    /// Measures one call.
    #[inline(always)]
    fn measure<T>(&mut self, action: impl FnOnce() -> T) {
        let start = instructions();
        black_box(action());
        let spent = instructions() - start;
        self.count += 1;
        self.sum += spent;
        self.worst = self.worst.max(spent);
    }
}

/// What measuring nothing costs.
fn overhead() -> u64 {
    let mut nothing = Cost::default();
    for _ in 0..16 {
        nothing.measure(|| ());
    }
    nothing.sum / nothing.count.max(1)
}

fn row(what: &str, cost: Cost, overhead: u64) {
    let mean = (cost.sum / cost.count.max(1)).saturating_sub(overhead);
    println!("  {what:<28} mean {mean:>6}  worst {:>6}", cost.worst.saturating_sub(overhead));
}

/// Takes text and looks at none of it.
struct Sink;

impl Write for Sink {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        black_box(text);
        Ok(())
    }
}

type Own<'t> = Symbol<'t, Native<'t>>;

/// Every symbol by name, by address and by the walk.
fn check(image: &Image<'_>) -> Result<(), &'static str> {
    for symbol in image.iter() {
        let name = name_of(&symbol).ok_or("a name is too long")?;
        if !image.lookup_all(&name).any(|found| found == symbol) {
            return Err("a symbol is not found by its name");
        }
        let first = image.lookup_name(&name).ok_or("a name is not found")?;
        if first.index() > symbol.index() || first.name() != symbol.name() {
            return Err("the first symbol of a name is another one");
        }
        if missing(&name).is_none_or(|absent| image.lookup_name(&absent).is_some()) {
            return Err("a name that is not there is found");
        }
        let location = image.lookup(symbol.address()).ok_or("an address is not found")?;
        if location.offset() != 0 || location.symbol().address() != symbol.address() {
            return Err("an address is another symbol's");
        }
    }
    Ok(())
}

fn by_name(image: &Image<'_>, miss: bool) -> Cost {
    let mut cost = Cost::default();
    for symbol in image.iter() {
        let Some(name) = name_of(&symbol) else { continue };
        let Some(name) = (if miss { missing(&name) } else { Some(name) }) else { continue };
        cost.measure(|| image.lookup_name(black_box(&name)).is_some());
    }
    cost
}

fn by_address(image: &Image<'_>, then: impl Fn(Own<'_>, u64)) -> Cost {
    let mut cost = Cost::default();
    for symbol in image.iter() {
        let inside = symbol.address() + symbol.size().unwrap_or(0) / 2;
        cost.measure(|| image.lookup(black_box(inside)).map(|found| then(found.symbol(), found.offset())));
    }
    cost
}

/// One cost a symbol: the whole walk, shared among them.
fn walk(image: &Image<'_>) -> Cost {
    let mut whole = Cost::default();
    whole.measure(|| {
        image.iter().map(|symbol| symbol.address() ^ symbol.name().len() as u64).fold(0, |a, b| a ^ b)
    });
    let mean = whole.sum / u64::from(image.len()).max(1);
    Cost { count: 1, sum: mean, worst: mean }
}

fn name_of(symbol: &Own<'_>) -> Option<OwnedName<NAME_BYTES>> {
    symbol.name().to_owned_name().ok()
}

/// A name that no symbol has.
fn missing(name: &OwnedName<NAME_BYTES>) -> Option<OwnedName<NAME_BYTES>> {
    let mut absent = name.clone();
    absent.push(b'!').ok()?;
    Some(absent)
}
