//! What a query costs in guest instructions; every answer is checked first.

use crate::cpu::counter::instructions;
use crate::symbols;
use core::fmt::{self, Write};
use core::hint::black_box;
use kallsyms_core::image::Native;
use kallsyms_core::name::OwnedName;
use kallsyms_core::{Image, Location, Symbol};

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
    row("address without name", by_address(&image, |_| {}));
    row(
        "address as name+offset/size",
        by_address(&image, |location| {
            let _never = write!(Sink, "{location}");
        }),
    );
    row(
        "name without offset",
        by_address(&image, |location| {
            location.symbol().name().fragments().for_each(|piece| {
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

/// Every question that is measured, about every symbol.
fn check(image: &Image<'_>) -> Result<(), &'static str> {
    let mut first_there = image.iter().next().ok_or("the table is empty")?;
    let mut count = 0;
    for symbol in image.iter() {
        if symbol.index().0 != count || symbol.address() < first_there.address() {
            return Err("the walk is out of order");
        }
        count += 1;
        if symbol.address() != first_there.address() {
            first_there = symbol;
        }
        let name = name_of(&symbol).ok_or("a name is too long")?;
        check_name(image, symbol, &name)?;
        check_address(image, symbol, first_there)?;
    }
    if count == image.len() { Ok(()) } else { Err("the walk leaves symbols out") }
}

/// A symbol's name: its hits, its miss, its forms.
fn check_name(image: &Image<'_>, symbol: Own<'_>, name: &OwnedName<NAME_BYTES>) -> Result<(), &'static str> {
    if !image.lookup_all(name).any(|found| found == symbol) {
        return Err("a symbol is not found by its name");
    }
    let first = image.lookup_name(name).ok_or("a name is not found")?;
    if first.index() > symbol.index() || first.name() != *name.as_slice() {
        return Err("the first symbol of a name is another one");
    }
    // That no symbol has this name follows: each is found by its own.
    if missing(name).is_none_or(|absent| image.lookup_name(&absent).is_some()) {
        return Err("a name that is not there is found");
    }
    if name.is_empty() || symbol.name().len() != name.len() || symbol.name() != *name.as_slice() {
        return Err("the walk gives another name");
    }
    if !symbol.name().fragments().flatten().eq(name) {
        return Err("the pieces give another name");
    }
    Ok(())
}

/// The start and the middle of a symbol, and what is written about them.
fn check_address(image: &Image<'_>, symbol: Own<'_>, first_there: Own<'_>) -> Result<(), &'static str> {
    for address in [symbol.address(), inside(&symbol)] {
        let location = image.lookup(address).ok_or("an address is not found")?;
        let holder = holder(image, first_there, address).ok_or("an address has no symbol")?;
        let offset = address - holder.address();
        if location.symbol() != holder || location.size() != holder.size() {
            return Err("an address is another symbol's");
        }
        if location.offset() != offset {
            return Err("an offset is another one");
        }
        let name = name_of(&holder).ok_or("a name is too long")?;
        let text = name.iter().copied().chain(*b"+0x").chain(digits(offset));
        let size = holder.size().into_iter().flat_map(|size| b"/0x".iter().copied().chain(digits(size)));
        if !Compare::all(text.chain(size), |to| write!(to, "{location}")) {
            return Err("an address is written as another text");
        }
    }
    Ok(())
}

/// The symbol that an address belongs to, by a pass over those from `from` on: of those that reach it the
/// first one with the highest start.
fn holder<'t>(image: &'t Image<'_>, from: Own<'t>, address: u64) -> Option<Own<'t>> {
    let before = image.iter().skip(from.index().0 as usize).take_while(|symbol| symbol.address() <= address);
    before
        .filter(|symbol| address - symbol.address() < symbol.size().unwrap_or(0).max(1))
        .reduce(|best, symbol| if symbol.address() > best.address() { symbol } else { best })
}

/// Where a symbol's address is asked for.
fn inside(symbol: &Own<'_>) -> u64 {
    symbol.address() + symbol.size().unwrap_or(0) / 2
}

/// Hexadecimal digits, without the formatter.
fn digits(value: u64) -> impl Iterator<Item = u8> {
    let count = (u64::BITS - value.leading_zeros()).div_ceil(4).max(1);
    (0..count).rev().map(move |place| match (value >> (4 * place)) as u8 & 15 {
        digit @ ..10 => b'0' + digit,
        digit => b'a' + digit - 10,
    })
}

/// Takes text that must be these bytes.
struct Compare<I>(I);

impl<I: Iterator<Item = u8>> Compare<I> {
    /// Whether exactly the expected bytes are written.
    fn all(expected: I, write: impl FnOnce(&mut Self) -> fmt::Result) -> bool {
        let mut text = Self(expected);
        write(&mut text).is_ok() && text.0.next().is_none()
    }
}

impl<I: Iterator<Item = u8>> Write for Compare<I> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if text.bytes().all(|byte| self.0.next() == Some(byte)) { Ok(()) } else { Err(fmt::Error) }
    }
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

fn by_address(image: &Image<'_>, then: impl Fn(Location<'_, Native<'_>>)) -> Cost {
    let mut cost = Cost::default();
    for symbol in image.iter() {
        let inside = inside(&symbol);
        cost.measure(|| image.lookup(black_box(inside)).map(&then));
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
